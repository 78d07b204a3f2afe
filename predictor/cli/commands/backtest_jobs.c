/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_jobs.c - the jobs of a backtest, from a file or the history */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/cli/commands/backtest_jobs.h"
#include "predictor/cli/history_pages.h"
#include "predictor/cli/progress.h"
#include "predictor/logs/joblog.h"

#define REASONS_SHOWN 3 /* all that were kept with -v */

static void print_left_out(const struct cli *cli, const char *path,
			   const struct joblog_counts *counts)
{
	if (counts->no_runs)
		fprintf(stderr,
			"spredict: %llu jobs are left out: they never ran, or "
			"have not ended\n",
			(unsigned long long)counts->no_runs);
	if (counts->bad == 0)
		return;
	fprintf(stderr, "spredict: %llu of %llu lines could not be read\n",
		(unsigned long long)counts->bad,
		(unsigned long long)counts->lines);
	for (size_t i = 0; i < counts->bad_kept; i++)
		if (i < REASONS_SHOWN || cli->verbose)
			fprintf(stderr, "%s:%llu: %s\n", path,
				(unsigned long long)counts->bad_lines[i].line,
				counts->bad_lines[i].why.text);
}

static int read_file(const struct cli *cli, const char *path,
		     const struct joblog_format *format, struct past_jobs *ret,
		     uint32_t *ret_cpus, struct sp_error *err)
{
	const struct joblog_config config = {
		.cluster = cli->cluster ? cli->cluster : "backtest",
		.look_up_users = true,
	};
	struct joblog_counts counts;
	struct joblog_machine machine;

	if (joblog_read(path, format, &config, ret, &counts, &machine, err))
		return -1;
	print_left_out(cli, path, &counts);
	*ret_cpus = machine.processors;
	return 0;
}

struct history_reader {
	struct past_jobs *jobs;
	struct joblog_counts counts;
	struct progress progress;
};

static int keep_run(void *context, const struct run *run, struct sp_error *err)
{
	struct history_reader *reader = context;
	struct past_job job;

	past_job_of_run(run, &job);
	/* A run without a known end has no run time. */
	if (!(job.outcome.ended_at_s >= job.outcome.started_at_s)) {
		reader->counts.no_runs++;
		return 0;
	}
	progress_show(&reader->progress, reader->jobs->count, 0);
	return past_jobs_add(reader->jobs, &job, err);
}

static int read_history(struct cli *cli, struct past_jobs *ret,
			struct sp_error *err)
{
	const struct history_query query = { .cluster = cli->cluster,
					     .since_s = NAN,
					     .until_s = NAN };
	struct history_reader reader = { .jobs = ret };

	past_jobs_init(ret);
	progress_begin(&reader.progress, "reading", "runs");

	int rc = history_visit(cli, &query, keep_run, &reader, err);

	progress_end(&reader.progress);
	print_left_out(cli, "history", &reader.counts);
	if (rc)
		past_jobs_clear(ret);
	return rc;
}

/* By submission, job id and start, so that a log and the history give the same
 * order also for jobs submitted at the same time. */
static int compare_submission(const void *a, const void *b)
{
	const struct past_job *x = a, *y = b;

	/* Attempts of a job that was requeued differ in the last. */
	return COMPARE(x->subject.submitted_at_s, y->subject.submitted_at_s)
		       ?: COMPARE(x->outcome.job_id, y->outcome.job_id)
		       ?: COMPARE(x->outcome.started_at_s,
				  y->outcome.started_at_s);
}

/* Exports that overlap have a job twice, one after the other in this order. */
static void drop_repeated(struct past_jobs *jobs)
{
	size_t kept = 0;

	for (size_t i = 0; i < jobs->count; i++)
		if (!kept ||
		    compare_submission(&jobs->of[kept - 1], &jobs->of[i]) ||
		    strcmp(jobs->of[kept - 1].subject.cluster,
			   jobs->of[i].subject.cluster))
			jobs->of[kept++] = jobs->of[i];
	jobs->count = kept;
}

const char *backtest_source_name(const struct backtest_source *source)
{
	return source->swf     ? source->swf
	       : source->sacct ? source->sacct
			       : "history";
}

int backtest_read(struct cli *cli, const struct backtest_source *source,
		  struct past_jobs *ret, uint32_t *ret_cpus,
		  struct sp_error *err)
{
	int rc;

	*ret_cpus = 0;
	if (source->swf)
		rc = read_file(cli, source->swf, &joblog_swf, ret, ret_cpus,
			       err);
	else if (source->sacct)
		rc = read_file(cli, source->sacct, &joblog_sacct, ret, ret_cpus,
			       err);
	else
		rc = read_history(cli, ret, err);
	if (rc)
		return -1;
	if (ret->count > 0) {
		qsort(ret->of, ret->count, sizeof(*ret->of),
		      compare_submission);
		if (source->sacct)
			drop_repeated(ret);
		return 0;
	}
	past_jobs_clear(ret);
	return sp_error_set(err, "%s: no job that has run",
			    backtest_source_name(source));
}
