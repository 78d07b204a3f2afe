/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_memory.c - how well the memory of jobs is advised, on a job log
 *
 * usage: bench-memory FOLDER
 *
 * Replays LANL-CM5 of the folder: each job of a minute or more, whatever its
 * status, gets what next_request_find() advises from the runs that had ended
 * when it was submitted.  The factors of next_request.c were read from the
 * first half; the second judges them, beside a plain rule: the greatest peak of
 * the last 20 runs (of its size, if there are any) times the factor with which
 * the rule covers as many of the same jobs.  Who gets no advice has the request
 * in both, or the most that the machine has if there is none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/logs/joblog.h"
#include "predictor/models/next_request.h"
#include "tests/bench/logs.h"

#define SHORTEST_S 60
#define RULE_RUNS  20

/* Advice is in steps of some MiB, this log's use in KiB. */
#define SCALE 1024

struct job {
	struct used_run run;
	uint32_t user;
	char application[APPLICATION_NAME_SIZE];
	double submitted_at_s, ended_at_s;
	double advised_mb, rule_mb; /* of a node; NAN: none */
	struct job *before;         /* of its group, the one that ended last */
};

struct log {
	struct job *jobs;
	size_t count, room;
	double most_mb;
};

/* --- The log -------------------------------------------------------------- */

static int jobs_add(struct log *log, const struct run *run,
		    struct sp_error *err)
{
	double runtime_s = run_runtime_s(run);

	if (log->count == log->room) {
		size_t room = log->room ? 2 * log->room : 1024;
		struct job *jobs = realloc(log->jobs, room * sizeof(*jobs));

		if (!jobs)
			return sp_error_set(err, "out of memory");
		log->jobs = jobs;
		log->room = room;
	}
	if (!(runtime_s >= SHORTEST_S) || !(run->peak_memory_mb > 0))
		return 0;

	struct job *job = &log->jobs[log->count++];

	*job = (struct job){
		.run = { .job_id = run->job_id,
			 .nodes = run->nodes,
			 .tasks = run->tasks,
			 .cpus = run->cpus,
			 .memory_mb = run->memory_mb * SCALE,
			 .limit_s = run->limit_s,
			 .runtime_s = runtime_s,
			 .cpu_s = NAN,
			 .peak_memory_mb = run->peak_memory_mb * SCALE,
			 .quantile_s = NAN,
			 .state = RUN_COMPLETED },
		.user = run->user_id,
		.submitted_at_s = run->submitted_at_s,
		.ended_at_s = run->ended_at_s,
	};
	strcpy(job->application, run->application.name);
	log->most_mb = fmax(log->most_mb, fmax(job->run.peak_memory_mb,
					       used_run_node_mb(&job->run)));
	return 0;
}

static int by_submission(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	return x->submitted_at_s != y->submitted_at_s
		       ? (x->submitted_at_s > y->submitted_at_s ? 1 : -1)
		       : (x->run.job_id > y->run.job_id) -
				 (x->run.job_id < y->run.job_id);
}

static int by_end(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a;
	const struct job *y = *(struct job *const *)b;

	return x->ended_at_s != y->ended_at_s
		       ? (x->ended_at_s > y->ended_at_s ? 1 : -1)
		       : (x > y) - (x < y);
}

static int log_read(const char *path, struct log *ret, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = "bench" };
	struct log_stream *stream = log_stream_open(path, err);
	struct joblog *log =
		stream ? joblog_create(&joblog_swf, &config, stream, err)
		       : NULL;
	struct run run;
	int rc = log ? 1 : -1;

	*ret = (struct log){ .jobs = NULL };
	while (rc > 0) {
		rc = joblog_next(log, &run, err);
		if (rc > 0 && jobs_add(ret, &run, err))
			rc = -1;
	}
	joblog_destroy(log);
	if (rc == 0)
		qsort(ret->jobs, ret->count, sizeof(*ret->jobs), by_submission);
	return rc;
}

/* --- Advice --------------------------------------------------------------- */

#define GROUPS 65536

/* The newest run of each user and application. */
static struct job *groups[GROUPS];

static struct job **group_find(const struct job *job)
{
	uint32_t hash = job->user * 2654435761u;

	for (const char *c = job->application; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	for (;; hash++) {
		struct job **at = &groups[hash % GROUPS];

		if (!*at || ((*at)->user == job->user &&
			     !strcmp((*at)->application, job->application)))
			return at;
	}
}

static double rule_mb(const struct job *job, const struct used_run runs[],
		      size_t count)
{
	double any = NAN, same = NAN;

	for (size_t i = 0; i < count; i++) {
		any = fmax(any, runs[i].peak_memory_mb);
		if (runs[i].nodes == job->run.nodes)
			same = fmax(same, runs[i].peak_memory_mb);
	}
	return isnan(same) ? any : same;
}

static void job_advise(struct job *job)
{
	struct used_run runs[RULE_RUNS];
	struct next_request next;
	size_t count = 0;

	for (struct job *j = *group_find(job); j && count < RULE_RUNS;
	     j = j->before)
		runs[count++] = j->run;
	next_request_find(&job->run, runs, count, &next);
	job->advised_mb = next.memory_mb;
	job->rule_mb = rule_mb(job, runs, count);
}

static int log_advise(struct log *log, struct sp_error *err)
{
	struct job **ends = calloc(log->count, sizeof(struct job *));
	size_t ended = 0;

	if (!ends)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < log->count; i++)
		ends[i] = &log->jobs[i];
	qsort(ends, log->count, sizeof(struct job *), by_end);
	for (size_t i = 0; i < log->count; i++) {
		struct job *job = &log->jobs[i];

		while (ends[ended]->ended_at_s <= job->submitted_at_s) {
			struct job **group = group_find(ends[ended]);

			ends[ended]->before = *group;
			*group = ends[ended++];
		}
		job_advise(job);
	}
	free(ends);
	return 0;
}

/* --- What it was worth ---------------------------------------------------- */

struct tally {
	size_t jobs, refused, covered, advised_covered, users;
	double user_shares; /* covered, a sum over users */
	double mb_s, used_mb_s;
};

/* By the rule and this factor; 0: as advised. */
static double given_mb(const struct log *log, const struct job *job,
		       double factor)
{
	double request_mb = used_run_node_mb(&job->run);

	if (isnan(job->advised_mb))
		return isnan(request_mb) ? log->most_mb : request_mb;
	return factor > 0 ? job->rule_mb * factor : job->advised_mb;
}

static void log_judge(const struct log *log, size_t from, size_t to,
		      double factor, struct tally *ret)
{
	static struct {
		size_t jobs, covered;
	} of_user[65536];

	memset(of_user, 0, sizeof(of_user));
	*ret = (struct tally){ .jobs = to - from };
	for (size_t i = from; i < to; i++) {
		const struct job *job = &log->jobs[i];
		double mb = given_mb(log, job, factor);
		double weight = job->run.runtime_s * job->run.nodes;
		bool covered = mb >= job->run.peak_memory_mb;

		ret->covered += covered;
		ret->refused += isnan(job->advised_mb);
		ret->advised_covered += covered && !isnan(job->advised_mb);
		ret->mb_s += mb * weight;
		ret->used_mb_s += job->run.peak_memory_mb * weight;
		of_user[job->user & 65535].jobs++;
		of_user[job->user & 65535].covered += covered;
	}
	for (size_t i = 0; i < 65536; i++) {
		ret->users += of_user[i].jobs > 0;
		if (of_user[i].jobs)
			ret->user_shares += (double)of_user[i].covered /
					    (double)of_user[i].jobs;
	}
}

/* Find the least factor with which the rule covers as many. */
static double sweep(const struct log *log, size_t from, size_t to,
		    size_t covered, struct tally *ret)
{
	double low = 0.1, high = 1000;

	for (int i = 0; i < 40; i++) {
		double middle = sqrt(low * high);

		log_judge(log, from, to, middle, ret);
		if (ret->covered >= covered)
			high = middle;
		else
			low = middle;
	}
	log_judge(log, from, to, high, ret);
	return high;
}

static double pct(size_t part, size_t of)
{
	return 100.0 * (double)part / (double)of;
}

static void tally_print(const char *name, double factor, const struct tally *t)
{
	printf("%-22s %6zu jobs %5.2f %% covered, %5.2f %% of those advised, "
	       "%5.2f %% of %zu users, allocated / used %.3f",
	       name, t->jobs, pct(t->covered, t->jobs),
	       pct(t->advised_covered, t->jobs - t->refused),
	       100 * t->user_shares / (double)t->users, t->users,
	       t->mb_s / t->used_mb_s);
	if (factor > 0)
		printf(", factor %.3f", factor);
	printf("\n");
}

static int bench(const char *path, void *context, struct sp_error *err)
{
	struct log log;
	struct tally ours, rule;

	(void)context;
	if (log_read(path, &log, err) || log_advise(&log, err))
		return -1;

	size_t half = log.count / 2, end = log.count;

	log_judge(&log, 0, half, 0, &ours);
	tally_print("first half, advised", 0, &ours);
	log_judge(&log, half, end, 0, &ours);
	tally_print("second half, advised", 0, &ours);

	double factor = sweep(&log, half, end, ours.covered, &rule);

	tally_print("second half, rule", factor, &rule);
	printf("bar memory_covered_pct %.2f\n", pct(ours.covered, ours.jobs));
	printf("bar memory_vs_rule %.3f\n", ours.mb_s / rule.mb_s);
	printf("bar memory_refused_pct %.2f\n", pct(ours.refused, ours.jobs));
	printf("bar memory_covered_users_pct %.2f\n",
	       100 * ours.user_shares / (double)ours.users);
	free(log.jobs);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const wanted[] = { "LANL-CM5", NULL };
	struct sp_error err;

	if (argc != 2) {
		fprintf(stderr, "usage: bench-memory FOLDER\n");
		return 2;
	}
	if (logs_visit(argv[1], wanted, bench, NULL, &err)) {
		fprintf(stderr, "bench-memory: %s\n", err.text);
		return 1;
	}
	return 0;
}
