/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_history.c - run-time prediction from history, on whole job logs
 *
 * usage: bench-history FOLDER [OUT]
 *
 * Replays each log of the folder (*.swf, *.swf.gz, *.swf.xz) by itself, and
 * prints what the limit, AVG2, templates and the engine get, over jobs that
 * were submitted after 1,000 had ended.  AVG2 is the mean of the user's last
 * two, as [1]; of a user without any it is the limit, or nothing.
 *
 * First all logs are replayed from start values set by hand, under several
 * names of the cluster; then each is replayed again, begun with what the others
 * have taught (mixture_start.h), and judged.  How far quantiles reach is
 * measured on generated logs, too (extreme_logs.h), and how far one user's
 * batches widen those of others.  With OUT nothing is judged: what all logs
 * have taught together is written there.
 *
 * What is predicted of a log's first jobs is compared with the limit and AVG2
 * (first_jobs.h).  The last columns: coverage where each user weighs the same,
 * and the share of jobs in large batches (user_coverage.h).
 *
 * [1] D. Tsafrir, Y. Etsion, D. G. Feitelson: Backfilling Using
 *     System-Generated Predictions Rather than User Runtime Estimates, IEEE
 *     TPDS 18 (2007) 789-803.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/backtest.h"
#include "predictor/logs/joblog.h"
#include "predictor/models/mixture/mixture_start.h"
#include "predictor/models/model.h"
#include "tests/bench/extreme_logs.h"
#include "tests/bench/first_jobs.h"
#include "tests/bench/lessons.h"
#include "tests/bench/limit_told.h"
#include "tests/bench/logs.h"
#include "tests/bench/user_coverage.h"

#define SKIP     1000
#define WAITED_S 600

/* Nothing that is predicted may depend on what the cluster is called. */
static const char *const cluster_names[] = { "bench", "alpha", "hal9000",
					     "the-third-cluster" };
#define NAMES (sizeof(cluster_names) / sizeof(cluster_names[0]))

/* What the logs say together. */
struct sums {
	size_t logs, jobs, in_run_logs;
	double cpu_s;
	double ln_vs_avg2, worst, accuracy;
	double coverage_min, coverage_max;
	double user_coverage_min, user_coverage_max;
	struct user_coverage classes;
	double ln_in_run;
	size_t waited_logs;
	double ln_again, ln_again_waited; /* at the start, to at submission */
	double ln_pinball, width_worst, reach_worst;
	double name_spread; /* of the error, worst log */
	double others_width;
	struct limit_told limit_told;
	struct first_jobs first_jobs;
	struct lessons lessons;
};

static size_t row_named(const struct backtest *b, const char *name)
{
	for (size_t row = 1; row < b->rows; row++)
		if (strcmp(backtest_row_name(row), name) == 0)
			return row;
	return b->rows;
}

/* Where a model says nothing the limit stands, as it did for the authors. */
static void fall_back_to_limit(struct backtest *b, size_t row)
{
	for (size_t i = 0; i < b->count; i++) {
		double limit_s = b->jobs[i].subject.limit_s;
		double predicted_s = (double)b->predicted_s[row][i];

		if (isfinite(limit_s) && limit_s > 0)
			b->predicted_s[row][i] =
				(float)fmin(predicted_s, limit_s);
	}
}

static struct measures measure(struct backtest *b, const char *model)
{
	size_t row = model ? row_named(b, model) : BACKTEST_CHOSEN;
	struct measures m = { .mae = NAN };
	struct sp_error err;

	if (row == b->rows)
		return m;
	if (model)
		fall_back_to_limit(b, row);
	if (backtest_measure(b, row, NULL, 0, &m, &err)) {
		fprintf(stderr, "bench-history: %s\n", err.text);
		exit(1);
	}
	return m;
}

static void print_header(void)
{
	printf("%-34s %7s %7s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s "
	       "%5s %5s %5s\n",
	       "log", "jobs", "mean_s", "limit", "AVG2", "templ", "engine",
	       "/AVG2", "acc2", "acc", "p90", "width", "pinb90", "run2",
	       "inrun", "reach", "users", "batch");
}

static int compare_ends(const void *a, const void *b, void *context)
{
	const struct backtest *backtest = context;
	double x = backtest->jobs[*(const size_t *)a].outcome.ended_at_s;
	double y = backtest->jobs[*(const size_t *)b].outcome.ended_at_s;

	return (x > y) - (x < y);
}

/* Return the positions of all jobs in the order of their ends. */
static size_t *sort_by_end(const struct backtest *b)
{
	size_t *positions = malloc((b->count + 1) * sizeof(*positions));

	for (size_t i = 0; positions && i < b->count; i++)
		positions[i] = i;
	if (positions)
		qsort_r(positions, b->count, sizeof(*positions), compare_ends,
			(void *)b);
	return positions;
}

/* The largest 0.9-quantile as a multiple of the longest run that had ended, or
 * limit known, when it was predicted. */
static double reach_of(const struct backtest *b)
{
	size_t *by_end = sort_by_end(b);
	double worst = 0, longest_s = 0;
	size_t ended = 0;

	for (size_t i = 0; by_end && i < b->count; i++) {
		const struct past_job *job = &b->jobs[i];
		double known_s;

		for (; ended < b->count; ended++) {
			const struct past_job *done = &b->jobs[by_end[ended]];

			if (done->outcome.ended_at_s >
			    job->subject.submitted_at_s)
				break;
			longest_s = fmax(longest_s, backtest_runtime_s(done));
			if (isfinite(done->subject.limit_s))
				longest_s =
					fmax(longest_s, done->subject.limit_s);
		}
		known_s = isfinite(job->subject.limit_s)
				  ? fmax(longest_s, job->subject.limit_s)
				  : longest_s;
		if (known_s > 0 && isfinite(b->high_s[i]))
			worst = fmax(worst, (double)b->high_s[i] / known_s);
	}
	free(by_end);
	return worst;
}

/* Find the mean absolute error of the time left after BACKTEST_IN_RUN_S, over
 * its mean, of the measured jobs that ran longer: as answered, and by `row`
 * less the time gone.  NAN: no such job. */
static void measure_in_run(const struct backtest *b, size_t row,
			   double *ret_chosen, double *ret_row)
{
	double sum_s = 0, chosen_s = 0, row_s = 0;

	for (size_t i = 0; i < b->count; i++) {
		double left_s =
			backtest_runtime_s(&b->jobs[i]) - BACKTEST_IN_RUN_S;
		double predicted_s = (double)b->predicted_s[row][i];

		if (!b->measured[i] || left_s <= 0 || isnan(b->left_s[i]) ||
		    !isfinite(predicted_s))
			continue;
		sum_s += left_s;
		chosen_s += fabs(left_s - (double)b->left_s[i]);
		row_s +=
			fabs(left_s - fmax(0, predicted_s - BACKTEST_IN_RUN_S));
	}
	*ret_chosen = sum_s > 0 ? chosen_s / sum_s : NAN;
	*ret_row = sum_s > 0 ? row_s / sum_s : NAN;
}

/* Compare the error at the start with that at submission, of the same jobs: of
 * all, and of those that waited for WAITED_S.  False: fewer than a tenth
 * did. */
static bool measure_again(const struct backtest *b, double *ret_all,
			  double *ret_waited)
{
	double first_s[2] = { 0, 0 }, again_s[2] = { 0, 0 };
	size_t jobs[2] = { 0, 0 };

	for (size_t i = 0; i < b->count; i++) {
		const struct past_job *job = &b->jobs[i];
		double runtime_s = backtest_runtime_s(job);
		double told_s = (double)b->predicted_s[BACKTEST_CHOSEN][i];
		double again = (double)b->again_s[i];

		if (!b->measured[i] || !isfinite(told_s) || !isfinite(again))
			continue;

		bool waited = job->outcome.started_at_s -
				      job->subject.submitted_at_s >
			      WAITED_S;

		for (int of = 0; of <= waited; of++) {
			jobs[of]++;
			first_s[of] += fabs(runtime_s - told_s);
			again_s[of] += fabs(runtime_s - again);
		}
	}
	*ret_all = again_s[0] / first_s[0];
	*ret_waited = again_s[1] / first_s[1];
	return jobs[1] > 0 && 10 * jobs[1] >= jobs[0];
}

/* Print that of one log, and add it up. */
static void judge_again(const struct backtest *b, struct sums *sums)
{
	double all, waited;
	bool counts = measure_again(b, &all, &waited);

	printf("%-34s at the start, to at submission %.3f, of jobs that waited "
	       "%.3f%s\n",
	       "", all, waited, counts ? "" : " (few did)");
	if (!counts)
		return;
	sums->waited_logs++;
	sums->ln_again += log(all);
	sums->ln_again_waited += log(waited);
}

/* Print for which jobs of one log the 90 % holds, and add it up. */
static void judge_classes(const struct user_coverage *log,
			  struct user_coverage *sum)
{
	printf("%-34s 90 %% holds for %.3f of %.0f predictions below %d s (p90 "
	       "/ p50 %.1f), for %.3f of an application's first runs (%.0f)\n",
	       "", log->short_covered / log->short_jobs, log->short_jobs,
	       SHORT_S, exp(log->short_ln_width / log->short_jobs),
	       log->first_covered / fmax(1, log->first), log->first);
	sum->short_jobs += log->short_jobs;
	sum->short_covered += log->short_covered;
	sum->short_ln_width += log->short_ln_width;
	sum->first += log->first;
	sum->first_covered += log->first_covered;
}

static void judge(const char *name, struct backtest *b, struct sums *sums)
{
	struct measures limit = measure(b, "limit"), avg2 = measure(b, "avg2");
	struct measures templates = measure(b, "templates");
	struct measures predicted = measure(b, NULL);
	double in_run_avg2 = NAN, in_run = NAN,
	       ratio = predicted.mae / avg2.mae;
	double reach = reach_of(b);
	struct user_coverage users;

	user_coverage(b, &users);
	if (row_named(b, "avg2") < b->rows)
		measure_in_run(b, row_named(b, "avg2"), &in_run, &in_run_avg2);
	printf("%-34.34s %7zu %7.0f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f "
	       "%6.3f %6.2f %6.3f %6.3f %6.3f %5.2f %5.3f %5.2f\n",
	       name, predicted.asked, predicted.runtime_s, limit.mae, avg2.mae,
	       templates.mae, predicted.mae, ratio, avg2.accuracy,
	       predicted.accuracy, predicted.coverage, predicted.width,
	       predicted.pinball, in_run_avg2, in_run, reach, users.by_users,
	       users.batches);
	judge_again(b, sums);
	judge_classes(&users, &sums->classes);
	fflush(stdout);
	sums->logs++;
	sums->ln_vs_avg2 += log(ratio);
	sums->worst = fmax(sums->worst, ratio);
	sums->accuracy += predicted.accuracy;
	sums->coverage_min = fmin(sums->coverage_min, predicted.coverage);
	sums->coverage_max = fmax(sums->coverage_max, predicted.coverage);
	sums->user_coverage_min = fmin(sums->user_coverage_min, users.by_users);
	sums->user_coverage_max = fmax(sums->user_coverage_max, users.by_users);
	sums->ln_pinball += log(predicted.pinball);
	sums->width_worst = fmax(sums->width_worst, predicted.width);
	sums->reach_worst = fmax(sums->reach_worst, reach);
	if (in_run_avg2 > 0) {
		sums->ln_in_run += log(in_run / in_run_avg2);
		sums->in_run_logs++;
	}
}

static int log_read(const char *path, const char *cluster,
		    struct past_jobs *ret, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = cluster };

	return joblog_read(path, &joblog_swf, &config, ret, NULL, NULL, err);
}

/* --- From start values set by hand ---------------------------------------- */

/* Replay under one name of the cluster; the error goes to *ret_mae.  What
 * submissions and ends cost is measured here, where nothing else is asked. */
static int replay_named(const char *path, const char *cluster, bool teaches,
			struct sums *sums, double *ret_mae,
			struct sp_error *err)
{
	struct backtest_options options = {
		.skip = SKIP,
		.start = MIXTURE_START_BY_HAND,
		.context = (void *)logs_name(path),
		.show_progress = logs_progress,
	};
	struct past_jobs jobs;
	struct backtest b;
	int rc;

	if (log_read(path, cluster, &jobs, err))
		return -1;
	rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
	if (!rc) {
		logs_progress_end();
		*ret_mae = measure(&b, NULL).mae;
		if (teaches) {
			sums->cpu_s += b.cpu_s;
			sums->jobs += jobs.count;
			rc = lessons_keep(&sums->lessons, logs_name(path),
					  b.learned, err);
		}
		backtest_clear(&b);
	}
	past_jobs_clear(&jobs);
	return rc;
}

static int learn(const char *path, void *context, struct sp_error *err)
{
	struct sums *sums = context;
	double low = HUGE_VAL, high = 0;

	for (size_t i = 0; i < NAMES; i++) {
		double mae;

		if (replay_named(path, cluster_names[i], i == 0, sums, &mae,
				 err))
			return -1;
		low = fmin(low, mae);
		high = fmax(high, mae);
	}
	sums->name_spread = fmax(sums->name_spread, high / low - 1);
	return 0;
}

/* --- From what the others taught ------------------------------------------ */

static int bench(const char *path, void *context, struct sp_error *err)
{
	struct sums *sums = context;
	char *start = lessons_of_others(&sums->lessons, logs_name(path));
	struct backtest_options options = {
		.skip = SKIP,
		.in_run = true,
		.start = start ? start : MIXTURE_START_BY_HAND,
		.context = (void *)logs_name(path),
		.show_progress = logs_progress,
	};
	struct past_jobs jobs;
	struct backtest b;
	int rc = log_read(path, cluster_names[0], &jobs, err);

	if (!rc) {
		rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
		if (!rc) {
			logs_progress_end();
			judge(logs_name(path), &b, sums);
			limit_told_add(&b, &sums->limit_told);
			first_jobs_add(&b, row_named(&b, "limit"),
				       row_named(&b, "avg2"),
				       &sums->first_jobs);
			backtest_clear(&b);
		}
		past_jobs_clear(&jobs);
	}
	free(start);
	return rc;
}

/* --- Generated logs ------------------------------------------------------- */

static int reach_extreme(const struct extreme_log *log, struct sums *sums,
			 struct sp_error *err)
{
	const struct backtest_options options = {
		.skip = SKIP,
		.start = MIXTURE_START_BY_HAND,
	};
	struct past_jobs jobs;
	struct backtest b;
	int rc;

	if (log->make(&jobs, err))
		return -1;
	rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
	if (!rc) {
		double reach = reach_of(&b);
		struct measures predicted = measure(&b, NULL);

		printf("%-34s %7zu p90 %.3f width %.2f reach %.2f\n", log->name,
		       predicted.asked, predicted.coverage, predicted.width,
		       reach);
		sums->reach_worst = fmax(sums->reach_worst, reach);
		backtest_clear(&b);
	}
	past_jobs_clear(&jobs);
	return rc;
}

static void print_bars(struct sums *sums)
{
	double logs = (double)sums->logs;

	printf("bar history_vs_avg2 %.4f\n", exp(sums->ln_vs_avg2 / logs));
	printf("bar history_worst %.4f\n", sums->worst);
	printf("bar history_accuracy %.4f\n", sums->accuracy / logs);
	printf("bar p90_coverage_min %.4f\n", sums->coverage_min);
	printf("bar p90_coverage_max %.4f\n", sums->coverage_max);
	printf("bar p90_user_coverage_min %.4f\n", sums->user_coverage_min);
	printf("bar p90_user_coverage_max %.4f\n", sums->user_coverage_max);
	printf("bar p90_short_coverage %.4f\nbar p90_short_width %.2f\n",
	       sums->classes.short_covered / sums->classes.short_jobs,
	       exp(sums->classes.short_ln_width / sums->classes.short_jobs));
	printf("bar p90_first_runs_coverage %.4f\n",
	       sums->classes.first_covered / sums->classes.first);
	printf("bar pinball90_mean %.4f\n", exp(sums->ln_pinball / logs));
	printf("bar p90_width_worst %.3f\n", sums->width_worst);
	printf("bar p90_max_ratio %.3f\n", sums->reach_worst);
	printf("bar batch_others_width %.3f\n", sums->others_width);
	printf("bar name_spread_pct %.3f\n", 100 * sums->name_spread);
	limit_told_print(&sums->limit_told);
	first_jobs_print(&sums->first_jobs);
	if (sums->in_run_logs > 0)
		printf("bar inrun_vs_avg2 %.4f\n",
		       exp(sums->ln_in_run / (double)sums->in_run_logs));
	if (sums->waited_logs > 0)
		printf("bar atstart_vs_submission %.4f\n"
		       "bar atstart_vs_submission_waited %.4f\n",
		       exp(sums->ln_again / (double)sums->waited_logs),
		       exp(sums->ln_again_waited / (double)sums->waited_logs));
	printf("bar history_us_per_job %.2f\n",
	       1e6 * sums->cpu_s / (double)sums->jobs);
}

static int bench_folder(const char *folder, const char *out, struct sums *sums,
			struct sp_error *err)
{
	if (logs_visit(folder, NULL, learn, sums, err))
		return -1;
	if (out)
		return lessons_write(&sums->lessons, out, err);
	print_header();
	if (logs_visit(folder, NULL, bench, sums, err))
		return -1;
	for (int i = 0; extreme_logs[i].name; i++)
		if (reach_extreme(&extreme_logs[i], sums, err) ||
		    (extreme_logs[i].make_others &&
		     extreme_log_widening(&extreme_logs[i], SKIP,
					  &sums->others_width, err)))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct sums sums = { .coverage_min = 1, .user_coverage_min = 1 };
	struct sp_error err;
	int rc;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: bench-history FOLDER [OUT]\n");
		return 2;
	}
	rc = bench_folder(argv[1], argv[2], &sums, &err);
	if (rc)
		fprintf(stderr, "bench-history: %s\n", err.text);
	else if (!argv[2])
		print_bars(&sums);
	lessons_clear(&sums.lessons);
	return rc ? 1 : 0;
}
