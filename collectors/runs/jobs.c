/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - follows the jobs of this node until their runs are in the spool
 *
 * A job is opened by an event of its start and closed when its run is in the
 * spool, or is another node's to report.  In between, squeue shows it at the
 * times of schedule_first() and schedule_again(): soon after its start and end,
 * then less and less often.  The state is kept on disk (open_job.h).  One
 * thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/job_reports.h"
#include "collectors/runs/jobs.h"
#include "collectors/runs/late_application.h"
#include "collectors/runs/open_job.h"
#include "collectors/runs/outcome.h"
#include "collectors/runs/steps.h"
#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"

#define OPEN_JOBS_MAX 4096

/* When to send a request to slurmctld, in seconds. */
#define AFTER_START_HEAD_S    0.3 /* the job's state has settled */
#define AFTER_START_DEPUTY_S  2.0
#define AFTER_END_HEAD_S      0.12 /* COMPLETING lasts about 0.1 s */
#define AFTER_END_DEPUTY_S    60.0
#define STILL_RUNNING_S       300.0
#define STILL_RUNNING_OTHER_S 3600.0
#define SPOOL_AGAIN_S         30.0
#define SPOOL_TRIES           120
#define GIVE_UP_S             86400.0 /* after the end, without a reply */

/* Between requests after the end. */
static const double again_s[] = { 0.25, 1, 1, 2, 4, 8, 16, 30 };

struct jobs {
	struct spool *spool;
	const struct spool_folders *folders;
	char cluster[RUN_NAME_SIZE];
	char node[HOSTLIST_NAME_SIZE];
	size_t count;
	struct open_job *open[OPEN_JOBS_MAX];
};

struct jobs *jobs_create(struct spool *spool, const char *cluster,
			 const char *node)
{
	struct jobs *jobs = calloc(1, sizeof(*jobs));

	if (!jobs)
		return NULL;
	jobs->spool = spool;
	jobs->folders = spool_folders(spool);
	snprintf(jobs->cluster, sizeof(jobs->cluster), "%s", cluster);
	snprintf(jobs->node, sizeof(jobs->node), "%s", node);
	return jobs;
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	for (size_t i = 0; i < jobs->count; i++) {
		free(jobs->open[i]->missed);
		free(jobs->open[i]);
	}
	free(jobs);
}

size_t jobs_count(const struct jobs *jobs)
{
	return jobs->count;
}

bool jobs_has(const struct jobs *jobs, uint32_t job_id)
{
	size_t i = 0;

	while (i < jobs->count && jobs->open[i]->job_id != job_id)
		i++;
	return i < jobs->count;
}

static bool has_ended(const struct open_job *job)
{
	return !isnan(job->node_ended_s) || job->superseded;
}

static struct open_job *job_add(struct jobs *jobs)
{
	struct open_job *job = NULL;

	if (jobs->count < OPEN_JOBS_MAX)
		job = malloc(sizeof(*job));
	if (!job)
		return NULL;
	open_job_init(job);
	jobs->open[jobs->count++] = job;
	return job;
}

/* The one at `index` is recorded, or nothing to record. */
static void job_close(struct jobs *jobs, size_t index)
{
	open_job_remove(jobs->open[index], jobs->folders->jobs);
	free(jobs->open[index]->missed);
	free(jobs->open[index]);
	jobs->open[index] = jobs->open[--jobs->count];
}

static struct open_job *job_without_script(const struct jobs *jobs,
					   uint32_t job_id)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->open[i]->job_id == job_id && jobs->open[i]->missed)
			return jobs->open[i];
	return NULL;
}

static size_t job_index(const struct jobs *jobs, const struct open_job *job)
{
	size_t index = 0;

	while (jobs->open[index] != job)
		index++;
	return index;
}

/* Memory is ahead of the disk if this fails; the next change tries again. */
static void job_save(struct jobs *jobs, struct open_job *job)
{
	struct sp_error err;

	spool_note_write(jobs->spool,
			 open_job_save(job, jobs->folders->jobs, &err), &err);
}

/* --- What waits for slurmctld --------------------------------------------- */

static double first_request_s(const struct open_job *job)
{
	if (has_ended(job))
		return job->position == POSITION_DEPUTY ? AFTER_END_DEPUTY_S
							: AFTER_END_HEAD_S;
	switch (job->position) {
	case POSITION_HEAD:
	case POSITION_UNKNOWN:
		return AFTER_START_HEAD_S;
	case POSITION_DEPUTY:
		return AFTER_START_DEPUTY_S;
	default:
		return STILL_RUNNING_OTHER_S;
	}
}

static void schedule_first(struct open_job *job, double now_s)
{
	job->asked = 0;
	job->ask_at_s = now_s + first_request_s(job);
}

static void schedule_again(struct open_job *job, double now_s)
{
	int last = (int)(sizeof(again_s) / sizeof(*again_s)) - 1;

	if (has_ended(job) || !job->has_run)
		job->ask_at_s =
			now_s + again_s[job->asked < last ? job->asked : last];
	else
		job->ask_at_s = now_s + (job->position == POSITION_OTHER
						 ? STILL_RUNNING_OTHER_S
						 : STILL_RUNNING_S);
	job->asked++;
}

double jobs_ask_at_s(const struct jobs *jobs, uint32_t *ret_job_id)
{
	double at_s = HUGE_VAL;

	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->open[i]->ask_at_s < at_s) {
			at_s = jobs->open[i]->ask_at_s;
			*ret_job_id = jobs->open[i]->job_id;
		}
	return at_s;
}

void jobs_load(struct jobs *jobs, double now_s)
{
	char **names;
	size_t count;
	struct sp_error err;

	if (durable_names(jobs->folders->jobs, OPEN_JOBS_MAX, &names, &count,
			  &err)) {
		log_error("open jobs: %s", err.text);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct open_job *job = job_add(jobs);

		if (!job)
			break;
		if (open_job_load(names[i], jobs->folders->jobs, job, &err)) {
			log_error("open job %s is dropped: %s", names[i],
				  err.text);
			snprintf(job->name, sizeof(job->name), "%s", names[i]);
			job_close(jobs, jobs->count - 1);
			continue;
		}
		/* The node may have been without power: slurmctld soon sees
		 * that the job is gone. */
		schedule_first(job, now_s);
		if (!has_ended(job))
			job->ask_at_s = now_s + AFTER_START_DEPUTY_S;
	}
	durable_names_free(names, count);
	if (jobs->count)
		log_info("%zu open jobs from before", jobs->count);
}

/* --- Events --------------------------------------------------------------- */

static void event_copy(const struct jobs *jobs, const struct job_event *event,
		       struct open_job *job)
{
	job->job_id = event->job_id;
	job->user_id = event->user_id;
	job->restarts = event->restarts;
	strcpy(job->nodes, event->nodes);
	strcpy(job->partition, event->partition);
	job->submission = event->submission;
	strcpy(job->prediction_id, event->prediction_id);
	strcpy(job->cluster, *event->cluster ? event->cluster : jobs->cluster);
	strcpy(job->node, *event->node ? event->node : jobs->node);
	job->position = position_find(job->nodes, job->node);
}

static int job_started(struct jobs *jobs, const struct job_event *event,
		       double now_s, struct sp_error *err)
{
	struct open_job *job;

	for (size_t i = 0; i < jobs->count; i++) {
		job = jobs->open[i];
		if (job->job_id != event->job_id)
			continue;
		if (job->node_started_s == event->time_s)
			return 0; /* seen before */
		if (!has_ended(job)) {
			job->superseded = true;
			job_save(jobs, job);
			schedule_first(job, now_s);
		}
	}
	job = job_add(jobs);
	if (!job)
		return sp_error_set(err, "no room for one more job");
	event_copy(jobs, event, job);
	job->node_started_s = event->time_s;
	if (open_job_save(job, jobs->folders->jobs, err)) {
		job_close(jobs, jobs->count - 1);
		return -1;
	}
	schedule_first(job, now_s);
	return 0;
}

/* Return the open job that an end belongs to; one with the same end:
 * seen before. */
static struct open_job *job_of_end(struct jobs *jobs,
				   const struct job_event *event)
{
	struct open_job *found = NULL;

	for (size_t i = 0; i < jobs->count; i++) {
		struct open_job *job = jobs->open[i];

		if (job->job_id != event->job_id)
			continue;
		if (job->node_ended_s == event->time_s)
			return job;
		if (!has_ended(job))
			found = job;
	}
	return found;
}

static int job_ended(struct jobs *jobs, const struct job_event *event,
		     double now_s, struct sp_error *err)
{
	struct open_job *job = job_of_end(jobs, event);

	if (job && job->node_ended_s == event->time_s)
		return 0;
	if (!job) { /* we were not here when it started */
		job = job_add(jobs);
		if (!job)
			return sp_error_set(err, "no room for one more job");
		event_copy(jobs, event, job);
		job->restarts = -1; /* the epilog's may be the next one's */
	}
	job->node_ended_s = event->time_s;
	job->exit_code = event->exit_code;
	job_put_share(jobs->spool, job);
	if (job->position == POSITION_OTHER) {
		steps_remove(jobs->folders->steps, job->job_id, event->time_s);
		job_close(jobs, job_index(jobs, job));
		return 0;
	}
	schedule_first(job, now_s);
	if (open_job_save(job, jobs->folders->jobs, err)) {
		job->node_ended_s = NAN;
		return -1;
	}
	steps_remove(jobs->folders->steps, job->job_id, event->time_s);
	return 0;
}

int jobs_event(struct jobs *jobs, const struct job_event *event, double now_s,
	       struct sp_error *err)
{
	if (event->kind == JOB_STARTED)
		return job_started(jobs, event, now_s, err);
	return job_ended(jobs, event, now_s, err);
}

void jobs_memory(struct jobs *jobs, uint32_t job_id,
		 const struct job_memory *sample)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->open[i]->job_id == job_id &&
		    !has_ended(jobs->open[i]))
			job_memory_raise(&jobs->open[i]->memory, sample);
}

/* --- Replies -------------------------------------------------------------- */

/* The job at `index` has ended: record it, or try again later. */
static void job_finish(struct jobs *jobs, size_t index, const struct run *run,
		       double now_s)
{
	struct open_job *job = jobs->open[index];
	bool reports = job->position == POSITION_HEAD ||
		       job->position == POSITION_DEPUTY;

	if (reports && job_put_run(jobs->spool, job, run)) {
		if (++job->not_taken < SPOOL_TRIES) {
			job->ask_at_s = now_s + SPOOL_AGAIN_S;
			return;
		}
		log_error("job %u: its run is dropped, the spool takes nothing",
			  job->job_id);
	}
	job_close(jobs, index);
}

/* Keep slurmctld's record of a job that runs, and announce the run once. */
static void open_reply_use(struct jobs *jobs, struct open_job *job,
			   const struct slurm_job *reply, double now_s)
{
	bool first_time = !job->has_run && reply->phase == SLURM_RUNNING &&
			  !isnan(reply->run.started_at_s) &&
			  !isnan(reply->run.submitted_at_s);

	if (first_time) {
		job->run = reply->run;
		job->run.user_id = job->user_id;
		outcome_prediction(job, &job->run);
		strcpy(job->run.cluster, job->cluster);
		job->has_run = true;
	}
	if (first_time && job->position == POSITION_HEAD && !job->announced)
		job->announced = job_put_run(jobs->spool, job, &job->run) == 0;
	if (first_time)
		job_save(jobs, job);
	schedule_again(job, now_s);
}

/* Return whether the script is to be asked for first; then the record
 * once more. */
static bool needs_script(struct open_job *job, const struct slurm_job *reply,
			 enum outcome outcome, double now_s)
{
	if (job->script_seen || !reply->missed ||
	    job->position != POSITION_HEAD || outcome == OUTCOME_FOREIGN ||
	    outcome == OUTCOME_REQUEUED)
		return false;
	job->script_seen = true;
	job->missed = malloc(sizeof(*job->missed));
	if (!job->missed)
		return false;
	*job->missed = *reply;
	job->ask_at_s = now_s;
	return true;
}

static void reply_use(struct jobs *jobs, size_t index,
		      const struct slurm_job *reply, double now_s)
{
	struct open_job *job = jobs->open[index];
	struct run run;

	if (job->position == POSITION_UNKNOWN)
		job->position = position_find(reply->run.node_list, job->node);

	enum outcome outcome = outcome_of(job, reply);

	if (needs_script(job, reply, outcome, now_s))
		return;
	switch (outcome) {
	case OUTCOME_OPEN:
		open_reply_use(jobs, job, reply, now_s);
		return;
	case OUTCOME_ENDED:
		outcome_ended(job, reply, &run);
		break;
	case OUTCOME_REQUEUED:
		outcome_requeued(job, reply, clock_now_s(), &run);
		break;
	case OUTCOME_FOREIGN:
		outcome_lost(job, clock_now_s(), &run);
		break;
	}
	job_finish(jobs, index, &run, now_s);
}

/* slurmctld has no record: use what this node saw. */
static void lost_record(struct jobs *jobs, size_t index, double now_s)
{
	struct run run;

	outcome_lost(jobs->open[index], clock_now_s(), &run);
	log_info("job %u: Slurm has forgotten it, recorded as %s", run.job_id,
		 run_state_name(run.state));
	job_finish(jobs, index, &run, now_s);
}

static void attempt_reply_use(struct jobs *jobs, size_t index,
			      enum answer answer, const struct slurm_job *reply,
			      double now_s)
{
	struct open_job *job = jobs->open[index];

	if (reply)
		reply_use(jobs, index, reply, now_s);
	else if (answer == ANSWER_UNKNOWN)
		lost_record(jobs, index, now_s);
	else if (clock_now_s() - job->node_ended_s > GIVE_UP_S)
		lost_record(jobs, index, now_s);
	else
		schedule_again(job, now_s);
}

bool jobs_want_script(const struct jobs *jobs, uint32_t job_id)
{
	return job_without_script(jobs, job_id) != NULL;
}

void jobs_script(struct jobs *jobs, uint32_t job_id, const char *script,
		 double now_s)
{
	struct open_job *job = job_without_script(jobs, job_id);

	if (!job)
		return;
	late_application(job->missed, script, &job->submission,
			 &job->application);
	log_info("job %u: not predicted at its submission, counts for %s",
		 job->job_id, job->application.name);
	free(job->missed);
	job->missed = NULL;
	job->ask_at_s = now_s;
}

void jobs_answer(struct jobs *jobs, uint32_t job_id, enum answer answer,
		 const char *text, size_t size, double now_s)
{
	struct slurm_job reply;
	struct sp_error err;
	bool parsed = answer == ANSWER_JOB &&
		      slurm_job_parse(text, size, job_id, &reply, &err) == 0;

	if (answer == ANSWER_JOB && !parsed)
		log_warning("%s", err.text);
	/* From the end: what is closed is replaced by the last. */
	for (size_t i = jobs->count; i-- > 0;) {
		struct open_job *job = jobs->open[i];

		if (job->job_id != job_id)
			continue;
		/* A reply that cannot be parsed counts as none; after the end
		 * of the job it stays so. */
		if (answer == ANSWER_JOB && !parsed)
			attempt_reply_use(jobs, i,
					  has_ended(job) && job->asked > 3
						  ? ANSWER_UNKNOWN
						  : ANSWER_NONE,
					  NULL, now_s);
		else
			attempt_reply_use(jobs, i, answer,
					  parsed ? &reply : NULL, now_s);
	}
}
