/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_honesty_range.c - the 90 % inside what was seen, and outside of it
 *
 * Programs whose run time follows one of five laws run 40 times, each with
 * other parameters.  Then a run is asked for inside of these, and at multiples
 * of the greatest and at parts of the least: a multiple of an unseen run time
 * is not wrong by itself, but a 90 % that holds less often is.  Programs have
 * nothing in common but the site.
 *
 * usage: bench-honesty-range URL
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/honesty_client.h"
#include "tests/unit/random.h"

#define SEEDS  20
#define RUNS   40
#define NOISE  0.05 /* standard deviation of ln(run time) */
#define USER   1000
#define LOW    200.0 /* of a parameter */
#define HIGH   600.0
#define MIDDLE 400.0
#define INSIDE 4 /* queries there of each series */

enum law { LINEAR, N_LOG_N, SQUARE, ROOT, TWO, LAWS };

static const char *const law_names[LAWS] = { "a + bn", "n log n", "n^2",
					     "sqrt n", "two" };

static const double factors[] = { 2, 5, 10, 100, 0.25, 0.1 };
#define FACTORS ((int)(sizeof(factors) / sizeof(factors[0])))

struct series {
	enum law law;
	int seed;
	double scale_s, fixed; /* run time in the middle; its constant share */
	double least[2], most[2];
};

static struct random generator = { 20261127 };

/* Box and Muller. */
static double normal(void)
{
	double u = 1 - random_unit(&generator);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * random_unit(&generator));
}

static double runtime_s(const struct series *s, const double n[2])
{
	double x = n[0] / MIDDLE, y = n[1] / MIDDLE;
	double value[LAWS] = {
		[LINEAR] = (s->fixed + x) / (s->fixed + 1),
		[N_LOG_N] = x * log(n[0]) / log(MIDDLE),
		[SQUARE] = x * x,
		[ROOT] = sqrt(x),
		[TWO] = (s->fixed + x * y) / (s->fixed + 1),
	};

	return s->scale_s * value[s->law] * exp(NOISE * normal());
}

static void series_predict(struct honesty_client *c, const struct series *s,
			   const double n[2], bool kept, struct prediction *ret)
{
	char command[160], name[32];
	int length;

	snprintf(name, sizeof(name), "solve%c%c%c", 'a' + (int)s->law,
		 'a' + s->seed / 26, 'a' + s->seed % 26);
	length = snprintf(command, sizeof(command), "srun ./%s --steps=%.0f",
			  name, n[0]);
	if (s->law == TWO)
		snprintf(command + length, sizeof(command) - (size_t)length,
			 " --cells=%.0f", n[1]);
	honesty_predict(c, USER, name, command, kept, ret);
}

/* Inside of the parameters seen, or of those that may be. */
static void draw(const double low[2], const double high[2], double ret[2])
{
	for (int i = 0; i < 2; i++)
		ret[i] = round(low[i] +
			       (high[i] - low[i]) * random_unit(&generator));
}

static void learn(struct honesty_client *c, struct series all[], int count)
{
	static const double low[2] = { LOW, LOW }, high[2] = { HIGH, HIGH };

	for (int r = 0; r < RUNS; r++) {
		for (int i = 0; i < count; i++) {
			struct series *s = &all[i];
			struct prediction p;
			double n[2];

			draw(low, high, n);
			for (int j = 0; j < 2; j++) {
				s->least[j] =
					r ? fmin(s->least[j], n[j]) : n[j];
				s->most[j] = fmax(s->most[j], n[j]);
			}
			series_predict(c, s, n, true, &p);
			honesty_end(c, &p, runtime_s(s, n), RUN_COMPLETED);
		}
		honesty_report(c);
	}
}

struct tally {
	int asked, known, held;
	double width, error; /* sums of ln(p90 / median), |ln(median / run)| */
};

static void tally_add(struct tally *t, const struct prediction *p, double run_s)
{
	t->asked++;
	t->error += fabs(log(p->median_s / run_s));
	if (p->unbounded)
		return;
	t->known++;
	t->held += run_s <= p->quantile_s;
	t->width += log(p->quantile_s / p->median_s);
}

static void tally_merge(struct tally *t, const struct tally *more)
{
	t->asked += more->asked;
	t->known += more->known;
	t->held += more->held;
	t->width += more->width;
	t->error += more->error;
}

static double held_pct(const struct tally *t)
{
	return t->known ? 100.0 * t->held / t->known : NAN;
}

static double unknown_pct(const struct tally *t)
{
	return 100.0 * (t->asked - t->known) / t->asked;
}

static double mean_width(const struct tally *t)
{
	return exp(t->width / t->known);
}

static void tally_print(const char *name, double factor, const struct tally *t)
{
	printf("%-8s %6.4g: of %3d %5.1f %% known, %5.1f %% within, p90 / "
	       "median %.3g, median off by %.3g\n",
	       name, factor, t->asked, 100 - unknown_pct(t), held_pct(t),
	       mean_width(t), exp(t->error / t->asked));
}

static void ask(struct honesty_client *c, const struct series *s, double factor,
		struct tally *t)
{
	struct prediction p;
	double n[2];
	int far = s->law == TWO ? s->seed % 2 : 0;

	draw(s->least, s->most, n);
	if (factor > 1)
		n[far] = round(factor * s->most[far]);
	else if (factor < 1)
		n[far] = round(factor * s->least[far]);
	series_predict(c, s, n, false, &p);
	tally_add(t, &p, runtime_s(s, n));
}

static void judge(struct honesty_client *c, const struct series all[],
		  int count)
{
	struct tally outside[FACTORS][LAWS] = { 0 };
	struct tally inside[LAWS] = { 0 }, within = { 0 }, total = { 0 };
	struct tally at[FACTORS] = { 0 };

	for (int i = 0; i < count; i++) {
		enum law law = all[i].law;

		for (int j = 0; j < INSIDE; j++)
			ask(c, &all[i], 1, &inside[law]);
		for (int f = 0; f < FACTORS; f++)
			ask(c, &all[i], factors[f], &outside[f][law]);
	}
	for (int law = 0; law < LAWS; law++) {
		tally_print(law_names[law], 1, &inside[law]);
		tally_merge(&within, &inside[law]);
		for (int f = 0; f < FACTORS; f++) {
			tally_print(law_names[law], factors[f],
				    &outside[f][law]);
			tally_merge(&at[f], &outside[f][law]);
			tally_merge(&total, &outside[f][law]);
		}
	}
	for (int f = 0; f < FACTORS; f++)
		tally_print("all", factors[f], &at[f]);
	printf("bar extrapolation_holds_pct %.1f\n", held_pct(&total));
	printf("bar extrapolation_unknown_2_pct %.1f\n", unknown_pct(&at[0]));
	printf("bar extrapolation_unknown_5_pct %.1f\n", unknown_pct(&at[1]));
	printf("bar extrapolation_width_2 %.2f\n", mean_width(&at[0]));
	printf("bar inside_holds_pct %.1f\n", held_pct(&within));
	printf("bar inside_width %.3f\n", mean_width(&within));
}

int main(int argc, char *argv[])
{
	static struct series all[LAWS * SEEDS];

	if (argc != 2) {
		fputs("usage: bench-honesty-range URL\n", stderr);
		return 2;
	}

	struct honesty_client *c = honesty_client_create(argv[1]);

	for (int i = 0; i < LAWS * SEEDS; i++)
		all[i] = (struct series){
			.law = (enum law)(i % LAWS),
			.seed = i / LAWS,
			.scale_s = 500 * exp(log(4) * random_unit(&generator)),
			.fixed = 0.1 * exp(log(20) * random_unit(&generator)),
		};
	learn(c, all, LAWS * SEEDS);
	judge(c, all, LAWS * SEEDS);
	honesty_client_destroy(c);
	return 0;
}
