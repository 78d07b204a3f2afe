/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_starts.c - how good predicted starts are, judged by a rehearsal
 *
 * usage: rehearse-starts --swf=LOG|--sacct=LOG [--from=DAYS] [--days=DAYS]
 *                        [--seed=N] [--reservations=N] [--table=FILE]
 *                        [--prior=FILE] JOBS STARTS
 *
 * JOBS and STARTS are what rehearse-driver wrote of the same window.  Plan: the
 * log's jobs before the window, then those of the window at the times of the
 * rehearsal, go through the ensemble, which gives each job's prediction at its
 * submission and its start.  At each moment of STARTS the queue is simulated
 * from that, and the predicted interval is judged by the job's start, as is
 * what squeue --start said then.  Each job counts once, at its first moment in
 * the queue.  The table has all that and the misses of start_record.h, of which
 * tests/bench/fit_starts.py makes a prior.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/ensemble/past_events.h"
#include "predictor/logs/joblog.h"
#include "predictor/backtest/rehearse/log_options.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"
#include "predictor/scheduler/start_record.h"

#define DRAWS    200
#define BUDGET_S HUGE_VAL /* whatever the load: the same result */

struct options {
	struct log_options log;
	const char *jobs, *starts, *table, *prior;
	uint32_t reservations;
};

/* What is predicted of a job of the window. */
struct watched {
	float submission_s[PREDICTION_KNOTS], start_s[PREDICTION_KNOTS];
	bool seen;                     /* in the queue */
	bool judged;                   /* and its start given to the record */
	double at_s;                   /* first seen then */
	struct start_time first, told; /* simulated then */
};

struct judge {
	uint32_t reservations;
	struct rehearse_jobs jobs; /* results */
	struct watched *watched;
	uint32_t *of; /* past job to job of the window; UINT32_MAX: none */
	struct past_jobs past;
	struct start_record record;
	struct start_job *queue;
	size_t *queued; /* jobs of the window */
	FILE *table;

	size_t told, within, compared;
	double error_s, squeue_error_s;
};

/* A moment of STARTS: the jobs that wait, and when squeue expects them
 * to start. */
struct moment {
	double now_s;
	size_t count;
	size_t *jobs;
	double *expected_s;
};

/* --- Predictions ---------------------------------------------------------- */

static void knots_keep(const struct verdict *verdict, float *to)
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		to[i] = (float)verdict->knots_s[i];
}

static void submitted(void *context, size_t past, const struct verdict *verdict)
{
	struct judge *judge = context;

	if (judge->of[past] != UINT32_MAX)
		knots_keep(verdict,
			   judge->watched[judge->of[past]].submission_s);
}

static void started(void *context, size_t past, const struct verdict *verdict)
{
	struct judge *judge = context;

	if (judge->of[past] != UINT32_MAX)
		knots_keep(verdict, judge->watched[judge->of[past]].start_s);
}

/* The log's jobs with the times of the rehearsal; those after the window are as
 * if they had not come. */
static int past_place(struct judge *judge, const struct rehearse_jobs *window,
		      struct sp_error *err)
{
	struct past_jobs *past = &judge->past;
	double end_s = window->of[window->count - 1].submit_s;
	double offset_s = NAN;

	judge->of = malloc((past->count + 1) * sizeof(*judge->of));
	if (!judge->of)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < past->count; i++) {
		struct past_job *p = &past->of[i];

		judge->of[i] = UINT32_MAX;
		for (size_t j = 0; j < window->count; j++)
			if (window->of[j].log_id == p->outcome.job_id)
				judge->of[i] = (uint32_t)j;
		if (judge->of[i] == 0)
			offset_s = p->subject.submitted_at_s -
				   window->of[0].submit_s;
	}
	if (isnan(offset_s))
		return sp_error_set(err, "the log has other jobs");
	for (size_t i = 0; i < past->count; i++) {
		struct past_job *p = &past->of[i];

		if (judge->of[i] != UINT32_MAX) {
			const struct rehearse_job *j =
				&judge->jobs.of[judge->of[i]];

			p->subject.submitted_at_s = offset_s + j->submit_s;
			p->outcome.started_at_s = offset_s + j->start_s;
			p->outcome.ended_at_s = offset_s + j->end_s;
		} else if (p->subject.submitted_at_s > offset_s + end_s) {
			p->outcome.started_at_s = NAN;
			p->outcome.ended_at_s = NAN;
		}
	}
	return 0;
}

static int predict_all(struct judge *judge, struct sp_error *err)
{
	const struct replay_visitor visitor = {
		.context = judge,
		.submitted = submitted,
		.started = started,
	};
	struct ensemble *ensemble = ensemble_create();

	if (!ensemble)
		return sp_error_set(err, "out of memory");

	int rc = replay(ensemble, judge->past.of, judge->past.count, 0,
			&visitor, err);

	ensemble_destroy(ensemble);
	return rc;
}

/* --- A moment ------------------------------------------------------------- */

static void left_of(const float *knots, double elapsed_s, double *left_s)
{
	double knots_s[PREDICTION_KNOTS];

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = (double)knots[i];
	for (int i = 0; i < START_LEVELS; i++)
		left_s[i] =
			isnan(knots_s[0])
				? NAN
				: verdict_remaining(knots_s, NULL, elapsed_s,
						    (i + 0.5) / START_LEVELS);
}

/* Running jobs, then those that wait, in the order of submission. */
static size_t queue_make(struct judge *judge, const struct moment *m)
{
	size_t count = 0;

	for (size_t i = 0; i < judge->jobs.count; i++) {
		const struct rehearse_job *j = &judge->jobs.of[i];
		struct start_job *s = &judge->queue[count];

		if (!(j->start_s <= m->now_s && j->end_s > m->now_s))
			continue;
		*s = (struct start_job){
			.cpus = j->cpus,
			.running = true,
			.limit_s = j->start_s + j->limit_s - m->now_s,
		};
		left_of(judge->watched[i].start_s, m->now_s - j->start_s,
			s->left_s);
		judge->queued[count++] = i;
	}
	for (size_t k = 0; k < m->count; k++) {
		const struct rehearse_job *j = &judge->jobs.of[m->jobs[k]];
		struct start_job *s = &judge->queue[count];

		*s = (struct start_job){ .cpus = j->cpus,
					 .limit_s = j->limit_s };
		left_of(judge->watched[m->jobs[k]].submission_s, 0, s->left_s);
		judge->queued[count++] = m->jobs[k];
	}
	return count;
}

static void job_judge(struct judge *judge, const struct moment *m, size_t job,
		      double expected_s, const struct start_time *simulated)
{
	struct start_time told = start_record_apply(&judge->record, simulated);
	double actual_s = judge->jobs.of[job].start_s - m->now_s;
	struct watched *w = &judge->watched[job];
	double high, low;
	int class = start_record_miss(simulated, actual_s, &high, &low);

	if (judge->table)
		fprintf(judge->table,
			"%.0f %zu %d %.0f %.0f  %.0f %.0f %.0f  %.0f %.0f "
			"%.0f  %d %.3f %.3f\n",
			m->now_s, job, w->seen, actual_s, expected_s - m->now_s,
			simulated->low_s, simulated->median_s,
			simulated->high_s, told.low_s, told.median_s,
			told.high_s, class, high, low);
	if (w->seen)
		return;
	w->seen = true;
	w->at_s = m->now_s;
	w->first = *simulated;
	w->told = told;
	/* Times of Slurm are whole seconds. */
	judge->told++;
	judge->within +=
		actual_s >= told.low_s - 1 && actual_s <= told.high_s + 1;
	if (isnan(expected_s))
		return;
	judge->compared++;
	judge->error_s += fabs(told.median_s - actual_s);
	judge->squeue_error_s +=
		fabs(fmax(0, expected_s - m->now_s) - actual_s);
}

/* The starts that have happened by now are known. */
static void record_update(struct judge *judge, double now_s)
{
	for (size_t i = 0; i < judge->jobs.count; i++) {
		struct watched *w = &judge->watched[i];

		if (!w->seen || w->judged || judge->jobs.of[i].start_s > now_s)
			continue;
		w->judged = true;
		start_record_add(&judge->record, &w->first, &w->told,
				 judge->jobs.of[i].start_s - w->at_s);
	}
}

static int moment_judge(struct judge *judge, const struct moment *m,
			struct sp_error *err)
{
	size_t count = queue_make(judge, m);
	struct start_time *times = calloc(count + 1, sizeof(*times));
	const struct start_rules rules = { judge->jobs.cpus,
					   judge->reservations };
	int draws = DRAWS, rc = -1;

	record_update(judge, m->now_s);
	if (times)
		rc = start_times(&rules, judge->queue, count, BUDGET_S,
				 (uint64_t)m->now_s, &draws, times, NULL, err);
	else
		sp_error_set(err, "out of memory");
	for (size_t k = 0; rc == 0 && k < m->count; k++)
		job_judge(judge, m, m->jobs[k], m->expected_s[k],
			  &times[count - m->count + k]);
	free(times);
	return rc;
}

static int moments_judge(struct judge *judge, FILE *starts, struct moment *m,
			 struct sp_error *err)
{
	double now_s, expected_s;
	size_t job;

	while (fscanf(starts, "%lf %zu %lf", &now_s, &job, &expected_s) == 3) {
		if (job >= judge->jobs.count)
			return sp_error_set(err, "the results are of others");
		if (m->count && now_s != m->now_s) {
			if (moment_judge(judge, m, err))
				return -1;
			m->count = 0;
		}
		m->now_s = now_s;
		m->jobs[m->count] = job;
		m->expected_s[m->count++] = expected_s;
	}
	return feof(starts) ? (m->count ? moment_judge(judge, m, err) : 0)
			    : sp_error_set(err, "no moments of a rehearsal");
}

/* --- The program ---------------------------------------------------------- */

static int judge_files(struct judge *judge, const struct options *o,
		       struct sp_error *err)
{
	size_t count = judge->jobs.count + 1;
	struct moment m = {
		.jobs = calloc(count, sizeof(*m.jobs)),
		.expected_s = calloc(count, sizeof(*m.expected_s)),
	};
	FILE *starts = fopen(o->starts, "r");
	int rc = -1;

	judge->watched = calloc(count, sizeof(*judge->watched));
	judge->queue = calloc(count, sizeof(*judge->queue));
	judge->queued = calloc(count, sizeof(*judge->queued));
	if (!starts)
		sp_error_set(err, "%s cannot be read", o->starts);
	else if (!m.jobs || !m.expected_s || !judge->watched || !judge->queue ||
		 !judge->queued)
		sp_error_set(err, "out of memory");
	else if (predict_all(judge, err) == 0)
		rc = moments_judge(judge, starts, &m, err);
	if (starts)
		fclose(starts);
	free(m.jobs);
	free(m.expected_s);
	return rc;
}

static int judge_load(struct judge *judge, const struct options *o,
		      struct sp_error *err)
{
	const struct joblog_config config = { .cluster = "rehearsal" };
	struct rehearse_jobs window;

	if (rehearse_jobs_load(o->jobs, &judge->jobs, err) ||
	    rehearse_jobs_read(o->log.format, o->log.path, &o->log.window,
			       &window, err))
		return -1;

	int rc = window.count == judge->jobs.count
			 ? 0
			 : sp_error_set(err, "%s: of another window", o->jobs);

	if (rc == 0)
		rc = joblog_read(o->log.path, joblog_format_find(o->log.format),
				 &config, &judge->past, NULL, NULL, err);
	if (rc == 0)
		rc = past_place(judge, &window, err);
	rehearse_jobs_clear(&window);
	return rc;
}

static void judge_print(const struct judge *judge)
{
	printf("%zu starts were predicted, %zu by squeue --start, too\n",
	       judge->told, judge->compared);
	printf("mean error: predicted %.0f s, squeue --start %.0f s\n",
	       judge->error_s / (double)judge->compared,
	       judge->squeue_error_s / (double)judge->compared);
	printf("start_within_pct %.1f\n",
	       100. * (double)judge->within / (double)judge->told);
	printf("start_vs_squeue %.3f\n",
	       judge->error_s / judge->squeue_error_s);
}

/* The numbers of a struct start_prior, one after the other. */
static int prior_read(struct judge *judge, const char *path,
		      struct sp_error *err)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	struct start_prior prior = { .high = { { 0 } } };
	double *to = &prior.high[0][0];
	size_t count = sizeof(prior) / sizeof(*to), i = 0;

	while (file && i < count && fscanf(file, "%lf", &to[i]) == 1)
		i++;
	if (file)
		fclose(file);
	if (path && i < count)
		return sp_error_set(err, "%s: no prior", path);
	start_record_init(&judge->record, path ? &prior : NULL);
	return 0;
}

static const struct option_row rows[] = {
	LOG_OPTIONS(options),
	OPTION_ROW(options, "table", TEXT, table, 0),
	OPTION_ROW(options, "prior", TEXT, prior, 0),
	OPTION_ROW(options, "reservations", COUNT, reservations, 0),
	{ .name = NULL },
};

int main(int argc, char **argv)
{
	struct options options = { .log = LOG_OPTIONS_DEFAULT };
	struct sp_error err = { "" };
	static struct judge judge;

	if (!options_read(rows, argc, argv, &options) || !options.log.path ||
	    optind + 2 != argc) {
		fprintf(stderr, "usage: rehearse-starts --swf=LOG|--sacct=LOG "
				"[--from=DAYS] [--days=DAYS] [--seed=N] "
				"[--reservations=N] [--table=FILE] "
				"[--prior=FILE] JOBS STARTS\n");
		return 2;
	}
	options.jobs = argv[optind];
	options.starts = argv[optind + 1];
	judge.reservations = options.reservations;
	past_jobs_init(&judge.past);
	if (options.table)
		judge.table = fopen(options.table, "w");

	int rc = prior_read(&judge, options.prior, &err);

	if (rc == 0)
		rc = judge_load(&judge, &options, &err);
	if (rc == 0)
		rc = judge_files(&judge, &options, &err);
	if (rc == 0)
		judge_print(&judge);
	else
		fprintf(stderr, "rehearse-starts: %s\n", err.text);
	if (judge.table)
		fclose(judge.table);
	past_jobs_clear(&judge.past);
	rehearse_jobs_clear(&judge.jobs);
	free(judge.watched);
	free(judge.of);
	free(judge.queue);
	free(judge.queued);
	return rc != 0;
}
