/* bench_history.c - run-time prediction from history, on whole job logs
 *
 * usage: bench-history FOLDER
 *
 * Replays each log of the folder (*.swf, *.swf.gz, *.swf.xz) by itself, and
 * prints what the limit, AVG2, templates and the engine get, over jobs that
 * were submitted after 1,000 had ended.  AVG2 is the mean of the user's last
 * two, as [1]; of a user without any it is the limit, or nothing.
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
#include "predictor/models/model.h"
#include "tests/bench/logs.h"

#define SKIP 1000

/* What the logs say together. */
struct sums {
	size_t logs, jobs, in_run_logs;
	double cpu_s;
	double ln_vs_avg2, worst, accuracy;
	double coverage_min, coverage_max;
	double ln_in_run;
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
		double said_s = (double)b->said_s[row][i];

		if (isfinite(limit_s) && limit_s > 0)
			b->said_s[row][i] = (float)fmin(said_s, limit_s);
	}
}

static struct measures measure(struct backtest *b, const char *model)
{
	size_t row = model ? row_named(b, model) : BACKTEST_TOLD;
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
	printf("%-34s %7s %7s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s "
	       "%5s\n",
	       "log", "jobs", "mean_s", "limit", "AVG2", "templ", "engine",
	       "/AVG2", "acc2", "acc", "p90", "width", "run2", "inrun", "us");
}

static void judge(const char *name, struct backtest *b, double us_per_job,
		  struct sums *sums)
{
	struct measures limit = measure(b, "limit"), avg2 = measure(b, "avg2");
	struct measures templates = measure(b, "templates");
	struct measures predicted = measure(b, NULL);
	double in_run_avg2 = NAN, in_run = NAN,
	       ratio = predicted.mae / avg2.mae;

	if (row_named(b, "avg2") < b->rows)
		backtest_in_run(b, row_named(b, "avg2"), &in_run, &in_run_avg2);
	printf("%-34.34s %7zu %7.0f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f "
	       "%6.3f %6.2f %6.3f %6.3f %5.1f\n",
	       name, predicted.asked, predicted.runtime_s, limit.mae, avg2.mae,
	       templates.mae, predicted.mae, ratio, avg2.accuracy,
	       predicted.accuracy, predicted.coverage, predicted.width,
	       in_run_avg2, in_run, us_per_job);
	fflush(stdout);
	sums->logs++;
	sums->ln_vs_avg2 += log(ratio);
	sums->worst = fmax(sums->worst, ratio);
	sums->accuracy += predicted.accuracy;
	sums->coverage_min = fmin(sums->coverage_min, predicted.coverage);
	sums->coverage_max = fmax(sums->coverage_max, predicted.coverage);
	if (in_run_avg2 > 0) {
		sums->ln_in_run += log(in_run / in_run_avg2);
		sums->in_run_logs++;
	}
}

/* What submissions and ends cost is measured on a replay of its own, which
 * asks about nothing else. */
static int bench(const char *path, void *context, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = "bench" };
	struct backtest_options options = {
		.skip = SKIP,
		.context = (void *)logs_name(path),
		.progress = logs_progress,
	};
	struct sums *sums = context;
	struct past_jobs jobs;
	struct backtest b;

	if (joblog_read(path, &joblog_swf, &config, &jobs, NULL, NULL, err))
		return -1;

	int rc = backtest_run(jobs.of, jobs.count, &options, &b, err);

	if (!rc) {
		double cpu_s = b.cpu_s;

		backtest_clear(&b);
		options.in_run = true;
		rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
		if (!rc) {
			logs_progress_end();
			sums->cpu_s += cpu_s;
			sums->jobs += jobs.count;
			judge(logs_name(path), &b,
			      1e6 * cpu_s / (double)jobs.count, sums);
			backtest_clear(&b);
		}
	}
	past_jobs_clear(&jobs);
	return rc;
}

static void print_bars(const struct sums *sums)
{
	double logs = (double)sums->logs;

	printf("bar history_vs_avg2 %.4f\n", exp(sums->ln_vs_avg2 / logs));
	printf("bar history_worst %.4f\n", sums->worst);
	printf("bar history_accuracy %.4f\n", sums->accuracy / logs);
	printf("bar p90_coverage_min %.4f\n", sums->coverage_min);
	printf("bar p90_coverage_max %.4f\n", sums->coverage_max);
	if (sums->in_run_logs > 0)
		printf("bar inrun_vs_avg2 %.4f\n",
		       exp(sums->ln_in_run / (double)sums->in_run_logs));
	printf("bar history_us_per_job %.2f\n",
	       1e6 * sums->cpu_s / (double)sums->jobs);
}

int main(int argc, char **argv)
{
	struct sums sums = { .coverage_min = 1 };
	struct sp_error err;

	if (argc != 2) {
		fprintf(stderr, "usage: bench-history FOLDER\n");
		return 2;
	}
	print_header();
	if (logs_visit(argv[1], NULL, bench, &sums, &err)) {
		fprintf(stderr, "bench-history: %s\n", err.text);
		return 1;
	}
	print_bars(&sums);
	return 0;
}
