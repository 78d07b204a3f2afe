/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_honesty_texts.c - the first run with a text that no run had
 *
 * Programs run with one to three values of a text (ep.A.x, --method=ccsd), five
 * runs or more of each; some have a number, too.  Then one runs with a value
 * that is 2 to 20 times longer or shorter: does its 90 % hold, and what does
 * that run change for the values that are known?  Programs come one after the
 * other, so that the site can learn what a new text may mean.
 *
 * usage: bench-honesty-texts URL
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/honesty_client.h"
#include "tests/unit/random.h"

#define PROGRAMS   90
#define NOISE      0.05
#define USER       1000
#define VALUES_MAX 3
#define PROBES     4 /* of each known value, before and after */

static const char *const values[VALUES_MAX + 1] = { "A", "B", "C", "W" };
static const char *const methods[VALUES_MAX + 1] = { "ccsd", "hf", "mp2",
						     "casscf" };
static const char *const names[] = { "method", "solver", "model" };

struct program {
	int number, known;
	bool numbers, class;
	double scale_s[VALUES_MAX + 1]; /* run time with each value */
};

static struct random generator = { 20261127 };

/* Box and Muller. */
static double normal(void)
{
	double u = 1 - random_unit(&generator);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * random_unit(&generator));
}

/* By a factor of 2 to 20, up or down. */
static double change(void)
{
	double factor = 2 * exp(log(10) * random_unit(&generator));

	return random_below(&generator, 2) ? factor : 1 / factor;
}

static void program_make(struct program *p, int number)
{
	*p = (struct program){
		.number = number,
		.known = 1 + (int)random_below(&generator, VALUES_MAX),
		.numbers = number % 2,
		.class = number % 3 == 0,
	};
	p->scale_s[0] = 60 * exp(log(20) * random_unit(&generator));
	for (int i = 1; i <= VALUES_MAX; i++)
		p->scale_s[i] = p->scale_s[0] * change();
}

static double runtime_s(const struct program *p, int value, double n)
{
	return p->scale_s[value] * (p->numbers ? n / 400 : 1) *
	       exp(NOISE * normal());
}

static double draw_number(void)
{
	return round(200 + 400 * random_unit(&generator));
}

static void program_predict(struct honesty_client *c, const struct program *p,
			    int value, double n, bool kept,
			    struct prediction *ret)
{
	char command[160], name[16], number[32] = "";

	snprintf(name, sizeof(name), "prog%c%c", 'a' + p->number / 26,
		 'a' + p->number % 26);
	if (p->numbers)
		snprintf(number, sizeof(number), " --steps=%.0f", n);
	if (p->class)
		snprintf(command, sizeof(command), "srun ./%s.%s.x%s", name,
			 values[value], number);
	else
		snprintf(command, sizeof(command), "srun ./%s --%s=%s%s", name,
			 names[p->number % 3], methods[value], number);
	honesty_predict(c, USER, name, command, kept, ret);
}

static void run(struct honesty_client *c, const struct program *p, int value)
{
	struct prediction said;
	double n = draw_number();

	program_predict(c, p, value, n, true, &said);
	honesty_end(c, &said, runtime_s(p, value, n), RUN_COMPLETED);
	honesty_report(c);
}

struct probe {
	int value;
	double n, runtime_s;
};

static int probes_make(const struct program *p,
		       struct probe ret[VALUES_MAX * PROBES])
{
	for (int i = 0; i < p->known * PROBES; i++) {
		ret[i].value = i % p->known;
		ret[i].n = draw_number();
		ret[i].runtime_s = runtime_s(p, ret[i].value, ret[i].n);
	}
	return p->known * PROBES;
}

/* The sum of |ln(predicted / run)|. */
static double probes_error(struct honesty_client *c, const struct program *p,
			   const struct probe probes[], int count)
{
	double error = 0;

	for (int i = 0; i < count; i++) {
		struct prediction said;

		program_predict(c, p, probes[i].value, probes[i].n, false,
				&said);
		error += fabs(log(said.median_s / probes[i].runtime_s));
	}
	return error;
}

struct tally {
	int asked, known, held, probes;
	double width, before, after, second;
};

static void judge(struct honesty_client *c, const struct program *p,
		  struct tally *t)
{
	struct probe probes[VALUES_MAX * PROBES];
	int count = probes_make(p, probes);
	double n = draw_number();
	double new_s = runtime_s(p, VALUES_MAX, n);
	struct prediction said;

	t->before += probes_error(c, p, probes, count);
	program_predict(c, p, VALUES_MAX, n, true, &said);
	t->asked++;
	if (!said.unbounded) {
		t->known++;
		t->held += new_s <= said.quantile_s;
		t->width += log(said.quantile_s / said.median_s);
	}
	honesty_end(c, &said, new_s, RUN_COMPLETED);
	honesty_report(c);
	t->after += probes_error(c, p, probes, count);
	t->probes += count;
	program_predict(c, p, VALUES_MAX, n, false, &said);
	t->second += fabs(log(said.median_s / new_s));
}

int main(int argc, char *argv[])
{
	struct tally t = { 0 };

	if (argc != 2) {
		fputs("usage: bench-honesty-texts URL\n", stderr);
		return 2;
	}

	struct honesty_client *c = honesty_client_create(argv[1]);

	for (int i = 0; i < PROGRAMS; i++) {
		struct program p;
		uint64_t runs = 5 + random_below(&generator, 4);

		program_make(&p, i);
		for (uint64_t j = 0; j < runs * (uint64_t)p.known; j++)
			run(c, &p, (int)(j % (uint64_t)p.known));
		judge(c, &p, &t);
	}
	honesty_client_destroy(c);
	printf("of %d new texts %d had a 90 %%, p90 / median %.3g; known ones "
	       "were off by %.3g before and %.3g after, the same again by "
	       "%.3g\n",
	       t.asked, t.known, exp(t.width / t.known),
	       exp(t.before / t.probes), exp(t.after / t.probes),
	       exp(t.second / t.asked));
	printf("bar unseen_text_holds_pct %.1f\n", 100.0 * t.held / t.known);
	printf("bar unseen_text_unknown_pct %.1f\n",
	       100.0 * (t.asked - t.known) / t.asked);
	printf("bar unseen_text_harm %.3f\n", t.after / t.before);
	return 0;
}
