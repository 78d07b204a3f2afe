/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_windows.c - orders of the queue, simulated as Slurm does it
 *
 * usage: plan-windows JOBS FROM,DAYS[,SEED]... -- POLICY...
 *        plan-windows JOBS all=DAYS[,SEEDS] -- POLICY...
 *
 * JOBS is what plan-predict wrote.  Windows of DAYS days from day FROM on, or
 * all windows one after the other, each beginning with an empty machine, are
 * simulated (easy.h) under each policy; submissions up to 60 s later, as
 * the seed says (0: as they are).  A policy is LENGTH:NAME=VALUE,...
 *
 *	LENGTH  fifo, limit, median, p70, harmonic or run (clairvoyant)
 *	K, h    of the aged order; log=1: by the logarithm
 *	early   hours that a certain end within a minute is worth in the order
 *	age     bf_min_age_reserve, hours; x: reservations also at this slowdown
 *	p95=1   the age is the 95th percentile of last week's waits, at most
 *		`age` hours
 *	main=1  the main scheduler has turns, too
 *	linear  bf_window_linear; slurm=0: counts of CPUs, no turns
 *	many    that many reservations (with slurm=0)
 *
 * A line: from, seed (or how many: then all are means over them), policy, jobs,
 * mean wait in minutes, bounded slowdown, longest wait in hours, wait weighted
 * by area in hours, mean wait in hours of the widest tenth, of jobs of over
 * half of the machine the longest further wait than under the first policy in
 * hours, and the part of the slowdown by jobs of under a minute whose median
 * was over ten.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/easy.h"
#include "predictor/stats/splitmix.h"

#define JOBS_MAX 400000
#define HOUR_S   3600.0
#define DAY_S    86400.0

#define POLICIES_MAX 100

struct logged {
	double submit_s, runtime_s, limit_s, median_s, p30_s, p70_s, early,
		harmonic_s;
	unsigned cpus, user;
	int ordered;
};

struct policy {
	char name[100], length[16];
	double K, h, early, age, x, linear;
	int log, slurm, many, main, p95;
};

static struct logged of[JOBS_MAX];
static size_t count;
static unsigned cpus, unit;

/* One window. */
static struct easy_job jobs[JOBS_MAX];
static const struct logged *from_log[JOBS_MAX];
static double started_s[JOBS_MAX];
static const struct policy *now;

/* What is measured of a policy in a window, summed over seeds. */
enum { WAIT, SLOWDOWN, LONGEST, AREA, WIDE, HALF, EARLY, FIGURES };

struct sums {
	double figures[FIGURES];
	double *waits_s; /* of each job */
};

/* --- The age of a reservation, by what the site's jobs waited ------------- */

#define WEEK_S (7 * 86400.0)
#define STARTS 20000
#define ANEW   25 /* starts */

static struct easy_slurm slurm;
static struct {
	double at_s, wait_s;
} starts[STARTS];
static size_t start_count;

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int started(void *context, size_t job, double now_s,
		   struct sp_error *err)
{
	static double waits_s[STARTS];
	size_t n = 0;

	(void)context, (void)err;
	starts[start_count % STARTS].at_s = now_s;
	starts[start_count++ % STARTS].wait_s = now_s - jobs[job].submitted_s;
	if (!now->p95 || start_count % ANEW != 0)
		return 0;
	for (size_t i = 0; i < start_count && i < STARTS; i++)
		if (starts[i].at_s > now_s - WEEK_S)
			waits_s[n++] = starts[i].wait_s;
	qsort(waits_s, n, sizeof(waits_s[0]), compare_doubles);
	slurm.reserve_age_s =
		fmin(now->age * HOUR_S, waits_s[(size_t)(.95 * (double)n)]);
	return 0;
}

/* --- The order ------------------------------------------------------------ */

static double length_of(const struct logged *j)
{
	double known = j->ordered ? 1 : HUGE_VAL;

	switch (now->length[0]) {
	case 'l':
		return j->limit_s;
	case 'm':
		return fmin(j->limit_s, j->median_s * known);
	case 'p':
		return fmin(j->limit_s, j->p70_s * known);
	case 'h':
		return fmin(j->limit_s, j->harmonic_s * known);
	case 'r':
		return j->runtime_s;
	default:
		return 0;
	}
}

/* The planner's length is in the units of the aged order: the bonus of an early
 * end is taken off beforehand. */
static int plan(void *context, size_t job, double now_s, struct easy_plan *ret,
		struct sp_error *err)
{
	const struct logged *j = from_log[job];
	double length_s = length_of(j);

	(void)context, (void)now_s, (void)err;
	if (now->early > 0 && j->ordered && now->K > 0) {
		/* key - early * P: invert the logarithm. */
		double most_s = now->h * HOUR_S;
		double scale = most_s / log1p(most_s / 60);
		double key = scale * log1p(fmin(length_s, most_s) / 60) -
			     now->early * HOUR_S * j->early / now->K;

		length_s = 60 * expm1(key / scale);
	} else if (!now->log && now->h > 0) {
		length_s = fmin(length_s, now->h * HOUR_S);
	}
	*ret = (struct easy_plan){ length_s, jobs[job].limit_s };
	return 0;
}

/* The CPUs from which on jobs are the widest tenth. */
static unsigned widest_from(size_t n)
{
	static double sizes[JOBS_MAX];

	for (size_t i = 0; i < n; i++)
		sizes[i] = jobs[i].cpus;
	qsort(sizes, n, sizeof(sizes[0]), compare_doubles);
	return (unsigned)sizes[n - 1 - n / 10];
}

static void measure(size_t n, struct sums *sums)
{
	double wait = 0, slow = 0, longest = 0, area = 0, used = 0, wide = 0;
	double early = 0;
	unsigned from = widest_from(n);
	size_t wides = 0;

	for (size_t i = 0; i < n; i++) {
		double w = started_s[i] - jobs[i].submitted_s;
		double run = jobs[i].runtime_s, a = run * jobs[i].cpus;
		double s = fmax(1, (w + run) / fmax(10, run));

		sums->waits_s[i] += w;
		wait += w;
		slow += s;
		if (run < 60 && from_log[i]->ordered &&
		    from_log[i]->median_s > 600)
			early += s;
		longest = fmax(longest, w);
		area += w * a;
		used += a;
		if (jobs[i].cpus >= from) {
			wide += w;
			wides++;
		}
	}
	sums->figures[WAIT] += wait / (double)n / 60;
	sums->figures[SLOWDOWN] += slow / (double)n;
	sums->figures[LONGEST] += longest / HOUR_S;
	sums->figures[AREA] += area / used / HOUR_S;
	sums->figures[WIDE] += wide / (double)wides / HOUR_S;
	sums->figures[EARLY] += early / (double)n;
}

static void print(const char *window, const struct policy *policy, size_t n,
		  struct sums *sums, const struct sums *first, int seeds)
{
	double half_s = 0;

	for (size_t i = 0; i < n; i++)
		if (2 * jobs[i].cpus * unit > cpus)
			half_s = fmax(half_s,
				      sums->waits_s[i] - first->waits_s[i]);
	sums->figures[HALF] = half_s / HOUR_S;
	printf("%s %s %zu", window, policy->name, n);
	for (int i = 0; i < FIGURES; i++)
		printf(" %.4f", sums->figures[i] / seeds);
	printf("\n");
	fflush(stdout);
}

/* Return how many jobs there are. */
static size_t jobs_make(double from_day, double days, int seed)
{
	uint64_t state = (uint64_t)seed * 7919 + (uint64_t)from_day;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		double at_s = of[i].submit_s - from_day * DAY_S;
		double late_s = floor(60 * splitmix_unit(&state));

		if (at_s < 0 || at_s >= days * DAY_S || of[i].cpus > cpus)
			continue;
		from_log[n] = &of[i];
		jobs[n++] = (struct easy_job){ at_s + (seed ? late_s : 0),
					       of[i].runtime_s, of[i].limit_s,
					       of[i].cpus / unit };
	}
	return n;
}

static void simulate(size_t n)
{
	const struct easy_rules rules = {
		.cpus = cpus / unit,
		.aged = now->K,
		.aged_most_s = now->log ? now->h * HOUR_S : 0,
		.reservations = (uint32_t)now->many,
		.slurm = now->slurm ? &slurm : NULL,
	};
	const struct easy_planner planner = { .submitted = plan,
					      .started = started };
	struct sp_error err;

	slurm = (struct easy_slurm){ .interval_s = 30,
				     .turns_only = !now->main,
				     .window_linear_s = now->linear,
				     .reserve_age_s = now->age * HOUR_S,
				     .reserve_slowdown = now->x };
	start_count = 0;
	if (easy_simulate(&rules, jobs, n, &planner, started_s, &err)) {
		fprintf(stderr, "plan-windows: %s\n", err.text);
		exit(1);
	}
}

/* `seeds` from this one on; 0 is the log as it is. */
static void window_run(double from_day, double days, int seed, int seeds,
		       const struct policy *policies, size_t policy_count)
{
	struct sums sums[POLICIES_MAX] = { 0 };
	char window[60];
	size_t n = jobs_make(from_day, days, 0);

	if (n < 20)
		return;
	for (size_t k = 0; k < policy_count; k++)
		sums[k].waits_s = calloc(n, sizeof(double));
	for (int s = seed; s < seed + seeds; s++) {
		jobs_make(from_day, days, s);
		for (size_t k = 0; k < policy_count; k++) {
			now = &policies[k];
			simulate(n);
			measure(n, &sums[k]);
		}
	}
	snprintf(window, sizeof(window), "%g %d", from_day,
		 seeds > 1 ? seeds : seed);
	for (size_t k = 0; k < policy_count; k++)
		print(window, &policies[k], n, &sums[k], &sums[0], seeds);
	for (size_t k = 0; k < policy_count; k++)
		free(sums[k].waits_s);
}

static struct policy policy_read(const char *text)
{
	struct policy p = { .slurm = 1 };
	char *copy = strdup(text), *rest = NULL;
	const char *word = strtok_r(copy, ":,", &rest);

	snprintf(p.name, sizeof(p.name), "%s", text);
	snprintf(p.length, sizeof(p.length), "%s", word);
	while ((word = strtok_r(NULL, ":,", &rest))) {
		const char *at = strchr(word, '=');
		double value = at ? atof(at + 1) : 1;

#define WORD(name) (strncmp(word, name, strlen(name)) == 0)
		if (WORD("K="))
			p.K = value;
		else if (WORD("h="))
			p.h = value;
		else if (WORD("log="))
			p.log = (int)value;
		else if (WORD("early="))
			p.early = value;
		else if (WORD("age="))
			p.age = value;
		else if (WORD("x="))
			p.x = value;
		else if (WORD("linear="))
			p.linear = value;
		else if (WORD("slurm="))
			p.slurm = (int)value;
		else if (WORD("main="))
			p.main = (int)value;
		else if (WORD("p95="))
			p.p95 = (int)value;
		else if (WORD("many="))
			p.many = (int)value;
		else {
			fprintf(stderr, "plan-windows: %s\n", word);
			exit(2);
		}
	}
	free(copy);
	return p;
}

static unsigned divisor(unsigned a, unsigned b)
{
	return b == 0 ? a : divisor(b, a % b);
}

static int jobs_read(const char *path)
{
	FILE *file = fopen(path, "r");
	int fields = 0;

	if (!file || fscanf(file, "cpus %u", &cpus) != 1)
		return -1;
	unit = cpus;
	while (count < JOBS_MAX) {
		struct logged *j = &of[count];

		fields =
			fscanf(file, "%lf %lf %lf %u %u %d %lf %lf %lf %lf %lf",
			       &j->submit_s, &j->runtime_s, &j->limit_s,
			       &j->cpus, &j->user, &j->ordered, &j->median_s,
			       &j->p30_s, &j->p70_s, &j->early, &j->harmonic_s);
		if (fields != 11)
			break;
		if (j->cpus <= cpus)
			unit = divisor(unit, j->cpus);
		count++;
	}
	fclose(file);
	return fields == EOF && count > 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	static struct policy policies[POLICIES_MAX];
	int windows = 2;
	size_t n = 0;

	if (argc < 5 || jobs_read(argv[1])) {
		fprintf(stderr,
			"usage: plan-windows JOBS {FROM,DAYS[,SEED]}... "
			"-- POLICY...\n");
		return 2;
	}
	while (windows < argc && strcmp(argv[windows], "--") != 0)
		windows++;
	for (int i = windows + 1; i < argc && n < POLICIES_MAX; i++)
		policies[n++] = policy_read(argv[i]);
	for (int i = 2; i < windows; i++) {
		double from = 0, days = 28;
		int seed = 0, seeds = 1;

		if (sscanf(argv[i], "all=%lf,%d", &days, &seeds) >= 1) {
			for (; from * DAY_S < of[count - 1].submit_s;
			     from += days)
				window_run(from, days, seeds > 1, seeds,
					   policies, n);
			continue;
		}
		sscanf(argv[i], "%lf,%lf,%d", &from, &days, &seed);
		window_run(from, days, seed, 1, policies, n);
	}
	return 0;
}
