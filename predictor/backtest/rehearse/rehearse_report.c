/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_report.c - the policies of a rehearsal side by side
 *
 * usage: rehearse-report [--svg=FILE] {POLICY RESULT SPEED}...
 *
 * Plan: results of one policy follow each other, one for each seed, the same
 * seeds for all.  A figure is the mean over seeds, and its standard deviation.
 * The difference of a policy from the first one is taken seed by seed, so that
 * what the seeds have in common does not blur it.  A row more is the same
 * jobs under the simulator of `spredict backtest`, which says how far that can
 * be believed.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/rehearse/rehearse_figures.h"
#include "predictor/backtest/rehearse/rehearse_plot.h"

#define RESULTS_MAX      1000
#define USERS_SHOWN      5
#define PARTITIONS_SHOWN 8
#define SIMULATED        "simulated easy"
#define SVG_OPTION       "--svg="

struct result {
	const char *policy;
	struct rehearse_jobs jobs;
	double speed;
};

struct report {
	struct result *of; /* those of the simulator are the last `seeds` */
	size_t count;
	size_t seeds; /* of each policy */
};

struct spread {
	double mean, deviation; /* of the sample; 0 for a single value */
};

static struct spread spread_of(const double *x, size_t n)
{
	struct spread s = { 0 };

	for (size_t i = 0; i < n; i++)
		s.mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		s.deviation += (x[i] - s.mean) * (x[i] - s.mean);
	s.deviation = n > 1 ? sqrt(s.deviation / (double)(n - 1)) : 0;
	return s;
}

/* --- Reading -------------------------------------------------------------- */

static int report_read(struct report *r, char **arguments, size_t count,
		       struct sp_error *err)
{
	for (size_t i = 0; i + 2 < count; i += 3) {
		struct result *result = &r->of[r->count];

		if (rehearse_jobs_load(arguments[i + 1], &result->jobs, err))
			return -1;
		result->policy = arguments[i];
		result->speed = strtod(arguments[i + 2], NULL);
		r->count++;
		if (strcmp(result->policy, r->of[0].policy) == 0)
			r->seeds++;
	}
	if (r->count % r->seeds)
		return sp_error_set(err, "policies differ in their seeds");
	for (size_t s = 0; s < r->seeds; s++) {
		struct result *result = &r->of[r->count];

		if (figures_simulate(&r->of[s].jobs, &result->jobs, err))
			return -1;
		result->policy = SIMULATED;
		result->speed = NAN;
		r->count++;
	}
	return 0;
}

/* --- Tables --------------------------------------------------------------- */

/* Return the figures of one policy, over seeds; with `base`, the difference
 * from the policy whose first result that is.  Returns the jobs of a seed. */
static size_t policy_spread(const struct report *r, size_t first,
			    const struct result *base,
			    const struct figures_filter *filter,
			    struct spread ret[FIGURES])
{
	double *values = calloc(FIGURES * r->seeds, sizeof *values);
	double of[FIGURES], of_base[FIGURES] = { 0 };
	size_t n = 0;

	for (size_t s = 0; values && s < r->seeds; s++) {
		n = figures_of(&r->of[first + s].jobs, filter, of);
		if (base)
			figures_of(&base[s].jobs, filter, of_base);
		for (size_t f = 0; f < FIGURES; f++)
			values[f * r->seeds + s] = of[f] - of_base[f];
	}
	for (size_t f = 0; f < FIGURES; f++)
		ret[f] = values ? spread_of(values + f * r->seeds, r->seeds)
				: (struct spread){ NAN, NAN };
	free(values);
	return n;
}

static void header_print(const char *title)
{
	printf("%-22s", title);
	for (size_t f = 0; f < FIGURES; f++)
		printf(" %13s", figure_names[f]);
	printf("\n");
}

static void row_print(const char *name, const struct spread row[FIGURES],
		      bool with_spread, const char *format)
{
	printf("%-22s", name);
	for (size_t f = 0; f < FIGURES; f++) {
		char text[64];
		int n = snprintf(text, sizeof text, format, row[f].mean);

		if (with_spread && n > 0 && (size_t)n < sizeof text)
			snprintf(text + n, sizeof text - (size_t)n, "+-%.1f",
				 row[f].deviation);
		printf(" %13s", text);
	}
	printf("\n");
}

static void policies_print(const struct report *r, const char *title,
			   const struct figures_filter *filter)
{
	struct spread row[FIGURES];

	header_print(title);
	for (size_t i = 0; i < r->count; i += r->seeds) {
		policy_spread(r, i, NULL, filter, row);
		row_print(r->of[i].policy, row, r->seeds > 1, "%.1f");
	}
	printf("\n");
}

static void differences_print(const struct report *r)
{
	struct figures_filter all = FIGURES_OF_ALL;
	struct spread row[FIGURES];
	char title[64];

	if (r->count <= 2 * r->seeds)
		return;
	snprintf(title, sizeof title, "minus %.14s", r->of[0].policy);
	header_print(title);
	for (size_t i = r->seeds; i + r->seeds < r->count; i += r->seeds) {
		policy_spread(r, i, r->of, &all, row);
		row_print(r->of[i].policy, row, r->seeds > 1, "%+.1f");
	}
	printf("\n");
}

/* Sizes double from row to row, up to the machine. */
static void sizes_print(const struct report *r)
{
	for (uint32_t low = 1; low <= r->of[0].jobs.cpus; low *= 4) {
		struct figures_filter part = FIGURES_OF_ALL;
		double unused[FIGURES];
		char title[64];

		part.cpus_min = low;
		part.cpus_max = 4 * low - 1;
		if (figures_of(&r->of[0].jobs, &part, unused) == 0)
			continue;
		snprintf(title, sizeof title, "%u to %u CPUs", part.cpus_min,
			 part.cpus_max);
		policies_print(r, title, &part);
	}
}

/* The first partitions of the log, if it has several. */
static void partitions_print(const struct report *r)
{
	const struct rehearse_jobs *jobs = &r->of[0].jobs;
	const char *of[PARTITIONS_SHOWN];
	size_t count = 0;

	for (size_t i = 0; i < jobs->count && count < PARTITIONS_SHOWN; i++) {
		size_t k = 0;

		while (k < count && strcmp(of[k], jobs->of[i].partition) != 0)
			k++;
		if (k == count)
			of[count++] = jobs->of[i].partition;
	}
	for (size_t k = 0; count > 1 && k < count; k++) {
		struct figures_filter part = FIGURES_OF_ALL;
		double unused[FIGURES];
		char title[64];

		part.partition = of[k];
		snprintf(title, sizeof title, "%.10s, %zu jobs", of[k],
			 figures_of(jobs, &part, unused));
		policies_print(r, title, &part);
	}
}

/* The users of most CPU time. */
static void users_print(const struct report *r)
{
	const struct rehearse_jobs *jobs = &r->of[0].jobs;
	uint32_t shown[USERS_SHOWN] = { 0 };

	for (size_t n = 0; n < USERS_SHOWN; n++) {
		struct figures_filter part = FIGURES_OF_ALL;
		double most = 0, unused[FIGURES];
		char title[64];

		for (size_t i = 0; i < jobs->count; i++) {
			uint32_t user = jobs->of[i].user;
			double area = 0;
			bool known = false;

			for (size_t k = 0; k < n; k++)
				known |= shown[k] == user;
			for (size_t k = i; !known && k < jobs->count; k++)
				if (jobs->of[k].user == user)
					area += jobs->of[k].runtime_s *
						jobs->of[k].cpus;
			if (area > most) {
				most = area;
				shown[n] = user;
			}
		}
		if (most <= 0)
			return;
		part.user = shown[n];
		snprintf(title, sizeof title, "user %u, %zu jobs", part.user,
			 figures_of(jobs, &part, unused));
		policies_print(r, title, &part);
	}
}

static int svg_write(const struct report *r, const char *path,
		     struct sp_error *err)
{
	struct rehearse_curve curves[REHEARSE_PLOT_MAX];
	size_t n = 0;
	FILE *file = fopen(path, "w");

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	for (size_t i = 0; i + r->seeds < r->count && n < REHEARSE_PLOT_MAX;
	     i += r->seeds)
		curves[n++] = (struct rehearse_curve){ r->of[i].policy,
						       &r->of[i].jobs };

	int rc = rehearse_plot(file, curves, n, err);
	bool failed = ferror(file);

	if (fclose(file) || failed)
		return sp_error_set(err, "%s: cannot be written", path);
	return rc;
}

static void summary_print(const struct report *r)
{
	struct figures_filter all = FIGURES_OF_ALL;
	double speed = HUGE_VAL;

	for (size_t i = 0; i + r->seeds < r->count; i++)
		speed = fmin(speed, r->of[i].speed);
	printf("%zu jobs, %u CPUs, %zu seed%s, at least %.0f times as fast as "
	       "real time\n\n",
	       r->of[0].jobs.count, r->of[0].jobs.cpus, r->seeds,
	       r->seeds > 1 ? "s" : "", speed);
	policies_print(r, "policy", &all);
	differences_print(r);
	sizes_print(r);
	partitions_print(r);
	users_print(r);
}

int main(int argc, char **argv)
{
	struct report report = { 0 };
	struct sp_error err = { "" };
	const char *svg = NULL;
	int rc = 2;

	argc--, argv++;
	if (argc && strncmp(*argv, SVG_OPTION, strlen(SVG_OPTION)) == 0) {
		svg = *argv + strlen(SVG_OPTION);
		argc--, argv++;
	}
	if (argc < 3 || argc % 3 || argc / 3 > RESULTS_MAX) {
		fprintf(stderr, "usage: rehearse-report [--svg=FILE] "
				"{POLICY RESULT SPEED}...\n");
		return 2;
	}
	report.of = calloc(2 * (size_t)argc / 3, sizeof *report.of);
	if (!report.of || report_read(&report, argv, (size_t)argc, &err) ||
	    (svg && svg_write(&report, svg, &err))) {
		fprintf(stderr, "rehearse-report: %s\n",
			report.of ? err.text : "out of memory");
		rc = 1;
		goto out;
	}
	summary_print(&report);
	rc = 0;
out:
	for (size_t i = 0; i < report.count; i++)
		rehearse_jobs_clear(&report.of[i].jobs);
	free(report.of);
	return rc;
}
