/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_jobs.c - reads the jobs of a log, and keeps results
 *
 * Plan: joblog.h reads, whatever the format.  The window is cut by the time of
 * submission in the log, before the jitter, so that all seeds have the same
 * jobs.  The jitter of a job depends on the seed and its place in the
 * log only, so that all policies of a seed have the same submissions; jobs that
 * were submitted as one share it.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/small_file.h"
#include "predictor/logs/joblog.h"
#include "predictor/stats/splitmix.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"

#define MINUTE_S 60.0

/* 0 to 1 */
static double noise(uint64_t seed, uint64_t i)
{
	uint64_t state =
		(seed - 1) * 0x9e3779b97f4a7c15ULL + i * 0xd1b54a32d192ed03ULL;

	return splitmix_unit(&state);
}

/* What an array's tasks or a heterogeneous job's components have in common; 0:
 * they have it all. */
static int group_compare(const struct rehearse_job *x,
			 const struct rehearse_job *y)
{
	int rc = COMPARE(x->submit_s, y->submit_s)
			 ?: COMPARE(x->group, y->group)
			 ?: COMPARE(x->group_log_id, y->group_log_id);

	if (rc || x->group != GROUP_ARRAY)
		return rc;
	return COMPARE(x->cpus, y->cpus) ?: COMPARE(x->limit_s, y->limit_s)
		       ?: strcmp(x->partition, y->partition);
}

static int by_submission(const void *a, const void *b)
{
	const struct rehearse_job *x = a, *y = b;

	return group_compare(x, y) ?: COMPARE(x->member, y->member)
			   ?: COMPARE(x->log_id, y->log_id)
			   ?: COMPARE(x->began_s, y->began_s);
}

static bool same_group(const struct rehearse_job *x,
		       const struct rehearse_job *y)
{
	return x->group != GROUP_NONE && group_compare(x, y) == 0;
}

static int job_add(struct rehearse_jobs *jobs, const struct rehearse_job *job,
		   struct sp_error *err)
{
	if (jobs->count % 1024 == 0) {
		struct rehearse_job *more =
			realloc(jobs->of, (jobs->count + 1024) * sizeof *more);

		if (!more)
			return sp_error_set(err, "out of memory");
		jobs->of = more;
	}
	jobs->of[jobs->count++] = *job;
	return 0;
}

/* One word, as in the file of results. */
static void partition_copy(const char *name, char ret[RUN_NAME_SIZE])
{
	snprintf(ret, RUN_NAME_SIZE, "%s", *name ? name : "-");
	for (char *c = ret; *c; c++)
		if (isspace((unsigned char)*c))
			*c = '_';
}

static double whole_minutes(double seconds)
{
	return ceil(seconds / MINUTE_S) * MINUTE_S;
}

static struct rehearse_job job_of_run(const struct run *run)
{
	double runtime_s = run_runtime_s(run);
	bool no_limit = !isfinite(run->limit_s) || run->limit_s <= 0;

	struct rehearse_job job = {
		.submit_s = run->submitted_at_s,
		.runtime_s = fmax(1, ceil(runtime_s)),
		.limit_s = no_limit ? 0 : whole_minutes(run->limit_s),
		.no_limit = no_limit,
		.instant = !(runtime_s > 0),
		.cpus = run->cpus,
		.user = run->user_id == UINT32_MAX ? 0 : run->user_id,
		.log_id = run->job_id,
		.logged_at_s = run->submitted_at_s,
		.began_s = run->started_at_s,
		.predicted_s = NAN,
		.components = 1,
		.group_size = 1,
		.array_most = run->array_most,
		.think_s = run->think_s,
		.start_s = NAN,
		.end_s = NAN,
	};

	if (run->array_job_id) {
		job.group = GROUP_ARRAY;
		job.group_log_id = run->array_job_id;
		job.member = run->array_task_id;
	} else if (run->het_job_id) {
		job.group = GROUP_HET;
		job.group_log_id = run->het_job_id;
		job.member = run->het_offset;
	}
	partition_copy(run->partition, job.partition);
	memcpy(job.user_name, run->user, sizeof job.user_name);
	memcpy(job.account, run->account, sizeof job.account);
	memcpy(job.qos, run->qos, sizeof job.qos);
	memcpy(job.dependency, run->dependency, sizeof job.dependency);
	return job;
}

/* Give jobs without a limit the longest requested, as whatif.h does; if none
 * was: the longest run time. */
static void limits_fill(struct rehearse_jobs *jobs)
{
	double longest_s = 0, run_s = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		longest_s = fmax(longest_s, jobs->of[i].limit_s);
		run_s = fmax(run_s, jobs->of[i].runtime_s);
	}
	for (size_t i = 0; i < jobs->count; i++) {
		struct rehearse_job *j = &jobs->of[i];

		if (j->no_limit)
			j->limit_s = longest_s > 0 ? longest_s
						   : whole_minutes(run_s);
		j->runtime_s = fmin(j->runtime_s, j->limit_s);
	}
}

/* Components end with the first one. */
static void components_end(struct rehearse_job *of, size_t count)
{
	for (size_t k = 1; k < count; k++) {
		of[k].runtime_s = of->runtime_s;
		of[k].limit_s =
			fmax(of[k].limit_s, whole_minutes(of->runtime_s));
	}
}

/* The sizes of groups, whose members follow each other. */
static void groups_count(struct rehearse_jobs *jobs)
{
	for (size_t i = 0, n; i < jobs->count; i += n) {
		for (n = 1; i + n < jobs->count &&
			    same_group(&jobs->of[i], &jobs->of[i + n]);
		     n++)
			jobs->of[i + n].group_size = 0;
		jobs->of[i].group_size = (uint32_t)n;
		if (jobs->of[i].group == GROUP_HET)
			components_end(&jobs->of[i], n);
	}
}

/* Return whether the job that begins there, with all of its components, has
 * more CPUs than the machine. */
static bool is_wide(const struct rehearse_jobs *jobs, size_t first)
{
	const struct rehearse_job *of = &jobs->of[first];
	uint64_t cpus = of->cpus;

	for (size_t k = 1; of->group == GROUP_HET && k < of->group_size; k++)
		cpus += of[k].cpus;
	return jobs->cpus && cpus > jobs->cpus;
}

/* Leave out jobs that are there already; they follow each other. */
static void twins_drop(struct rehearse_jobs *jobs)
{
	size_t kept = 0;

	for (size_t i = 0; i < jobs->count; i++)
		if (!kept || !jobs->of[i].log_id ||
		    by_submission(&jobs->of[kept - 1], &jobs->of[i]) != 0)
			jobs->of[kept++] = jobs->of[i];
	jobs->twice = jobs->count - kept;
	jobs->count = kept;
}

/* Cut the window, and put its jobs in their jittered order. */
static void window_cut(struct rehearse_jobs *jobs,
		       const struct rehearse_window *window)
{
	size_t kept = 0, first = 0; /* of a group */
	bool wide = false;

	if (!jobs->count)
		return;
	qsort(jobs->of, jobs->count, sizeof *jobs->of, by_submission);
	twins_drop(jobs);
	groups_count(jobs);

	double first_s = jobs->of[0].submit_s;

	for (size_t i = 0; i < jobs->count; i++) {
		struct rehearse_job job = jobs->of[i];

		if (job.group_size) {
			first = i;
			wide = is_wide(jobs, i);
		}
		job.submit_s -= first_s + window->from_s;
		if (job.submit_s < 0 || job.submit_s >= window->length_s)
			continue;
		if (wide) {
			jobs->wide++;
			continue;
		}
		jobs->no_limit += job.no_limit;
		jobs->instant += job.instant;
		if (window->seed)
			job.submit_s += floor(window->jitter_s *
					      noise(window->seed, first));
		jobs->of[kept++] = job;
	}
	jobs->count = kept;
	qsort(jobs->of, jobs->count, sizeof *jobs->of, by_submission);
}

/* Return whether a name is another one than the first that there was. */
static bool is_another(const char *name, char first[RUN_NAME_SIZE])
{
	if (!*first)
		snprintf(first, RUN_NAME_SIZE, "%s", name);
	return *name && strcmp(name, first) != 0;
}

static int runs_read(struct joblog *log, struct rehearse_jobs *ret,
		     struct sp_error *err)
{
	char qos[RUN_NAME_SIZE] = "", account[RUN_NAME_SIZE] = "";
	struct run run;
	int rc;

	while ((rc = joblog_next(log, &run, err)) > 0) {
		struct rehearse_job job = job_of_run(&run);

		if (job_add(ret, &job, err))
			return -1;
		ret->several_qos |= is_another(run.qos, qos);
		/* In the Standard Workload Format they are Unix groups. */
		ret->several_accounts |=
			*run.qos && is_another(run.account, account);
	}
	return rc;
}

int rehearse_jobs_read(const char *format, const char *path,
		       const struct rehearse_window *window,
		       struct rehearse_jobs *ret, struct sp_error *err)
{
	const struct joblog_format *f = joblog_format_find(format);
	struct joblog_config config = { 0 };
	struct rehearse_jobs jobs = { 0 };
	struct joblog *log = NULL;

	if (!f)
		return sp_error_set(err, "%s: no such format of logs", format);

	struct log_stream *stream = log_stream_open(path, err);

	if (!stream)
		return -1;
	log = joblog_create(f, &config, stream, err);
	if (!log || runs_read(log, &jobs, err))
		goto failed;

	jobs.cpus =
		window->cpus ? window->cpus : joblog_machine(log)->processors;
	jobs.no_runs = joblog_counts(log)->no_runs;
	jobs.bad_lines = joblog_counts(log)->bad;
	limits_fill(&jobs);
	window_cut(&jobs, window);
	if (jobs.count == 0) {
		sp_error_set(err, "%s: no jobs in this window", path);
		goto failed;
	}
	joblog_destroy(log);
	*ret = jobs;
	return 0;
failed:
	joblog_destroy(log);
	rehearse_jobs_clear(&jobs);
	return -1;
}

int rehearse_jobs_save(const char *path, const struct rehearse_jobs *jobs,
		       struct sp_error *err)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	fprintf(file, "cpus %" PRIu32 "\n", jobs->cpus);
	for (size_t i = 0; i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];

		if (j->components == 0)
			continue;
		fprintf(file,
			"%.3f %.3f %.3f %.0f %.0f %" PRIu32 " %" PRIu32
			" %d %s\n",
			j->submit_s, j->start_s, j->end_s, j->runtime_s,
			j->limit_s, j->cpus, j->user, j->completed,
			j->partition);
	}

	return small_file_finish(file, path, 0, err);
}

int rehearse_jobs_load(const char *path, struct rehearse_jobs *ret,
		       struct sp_error *err)
{
	FILE *file = fopen(path, "r");
	struct rehearse_jobs jobs = { 0 };
	struct rehearse_job j = { 0 };
	int completed, fields;

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (fscanf(file, "cpus %" SCNu32, &jobs.cpus) != 1)
		goto bad;
	while ((fields = fscanf(file,
				"%lf %lf %lf %lf %lf %" SCNu32 " %" SCNu32
				" %d %63s",
				&j.submit_s, &j.start_s, &j.end_s, &j.runtime_s,
				&j.limit_s, &j.cpus, &j.user, &completed,
				j.partition)) == 9) {
		j.completed = completed;
		if (job_add(&jobs, &j, err))
			goto failed;
	}
	if (fields != EOF || jobs.count == 0)
		goto bad;
	fclose(file);
	*ret = jobs;
	return 0;
bad:
	sp_error_set(err, "%s: no result of a rehearsal", path);
failed:
	fclose(file);
	rehearse_jobs_clear(&jobs);
	return -1;
}

void rehearse_jobs_clear(struct rehearse_jobs *jobs)
{
	free(jobs->of);
	*jobs = (struct rehearse_jobs){ 0 };
}
