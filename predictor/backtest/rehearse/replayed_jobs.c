/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replayed_jobs.c - submits the jobs of a log, follows them, and ends them
 *
 * Plan: Slurm's ids lead to jobs by a table of the ids that submissions got;
 * tasks and components are found from there by their numbers.  A job that is
 * preempted runs again from its begin; one that is suspended ends later.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/site/spank_options.h"
#include "predictor/backtest/rehearse/rehearse_predict.h"
#include "predictor/backtest/rehearse/replayed_dependency.h"
#include "predictor/backtest/rehearse/replayed_jobs.h"
#include "predictor/backtest/rehearse/slurm_requests.h"

#define MINUTE_S      60.0
#define PRIORITY_BASE 2000000000.0

#define HET_COMPONENTS 2

/* --- Submitting ----------------------------------------------------------- */

/* The aged order: K seconds of length count as one second of waiting.  It is a
 * priority that never changes, as all of them age equally. */
static double priority_of(const struct replayed_jobs *r,
			  const struct rehearse_job *j)
{
	const struct driver_options *o = r->options;
	double length_s = o->order == ORDER_RUNTIME ? j->runtime_s : j->limit_s;

	if (o->order == ORDER_PREDICTED) /* NAN: the limit */
		length_s = fmin(length_s, j->predicted_s);
	length_s = fmin(length_s, o->cap_s);
	if (o->order != ORDER_LIMIT) /* as in plugin/site/plan.h */
		length_s = o->cap_s * log1p(length_s / MINUTE_S) /
			   log1p(o->cap_s / MINUTE_S);
	return PRIORITY_BASE - (j->submit_s + o->K * length_s);
}

/* The first job of a submission: 0, or -1 when memory ran out. */
static int id_note(struct replayed_jobs *r, uint32_t id, size_t job)
{
	if (id >= r->id_size) {
		size_t size = 2 * (size_t)id + 1024;
		size_t *more = reallocarray(r->by_slurm_id, size, sizeof *more);

		if (!more)
			return -1;
		memset(more + r->id_size, 0,
		       (size - r->id_size) * sizeof *more);
		r->by_slurm_id = more;
		r->id_size = size;
	}
	r->by_slurm_id[id] = job + 1;
	return 0;
}

/* Jobs that Slurm refuses are done at once, and none of the results. */
static void group_refused(struct replayed_jobs *r, size_t first)
{
	size_t size = r->jobs.of[first].group_size;

	for (size_t i = first; i < first + size; i++) {
		r->jobs.of[i].components = 0;
		r->of[i].phase = PHASE_DONE;
	}
	r->refused += size;
	r->done += size;
}

/* A job, and those that are submitted with it. */
static int group_submit(struct replayed_jobs *r, size_t first,
			struct sp_error *err)
{
	const struct driver_options *o = r->options;
	struct rehearse_job *j = &r->jobs.of[first];
	size_t size = j->group_size;
	char dependency[REPLAYED_DEPENDENCY_SIZE], median[64];
	uint32_t id;

	replayed_dependency(r, first, dependency);
	/* As job_submit/predict does it. */
	snprintf(median, sizeof median, OPTION_MEDIAN_VARIABLE "=%.0f",
		 j->predicted_s);

	const struct slurm_request request = {
		.priority = o->order == ORDER_SUBMIT
				    ? 0
				    : (uint32_t)priority_of(r, j),
		.partitions = o->partitions,
		.dependency = *dependency ? dependency : NULL,
		.variable = isnan(j->predicted_s) ? NULL : median,
		.requeue = o->requeue,
		.accounts = o->accounts,
	};

	if (o->het && first % o->het == 0 && j->cpus > 1 && size == 1)
		j->components = HET_COMPONENTS;

	int rc = slurm_requests_submit(j, &request, &id, err);

	if (rc < 0 || (rc > 0 && !o->partitions))
		return -1;
	if (rc > 0) {
		group_refused(r, first);
		return 0;
	}
	if (id_note(r, id, first))
		return sp_error_set(err, "out of memory");
	for (size_t i = first; i < first + size; i++) {
		r->of[i].slurm_id = r->of[i].submitted_id = id;
		r->of[i].phase = PHASE_PENDING;
		r->of[i].dependent = *dependency != '\0';
	}
	r->dependent += *dependency ? size : 0;
	r->pending += size;
	return 0;
}

int replayed_jobs_do(struct replayed_jobs *r, double now_s,
		     struct sp_error *err)
{
	struct job_order *order = &r->order;
	int did = 0;

	for (size_t k = r->oldest; k < order->submitted; k++) {
		struct replayed *of = &r->of[order->of[k]];

		if (of->phase != PHASE_RUNNING || of->due_s > now_s)
			continue;
		if (slurm_requests_complete(of->slurm_id, err))
			return -1;
		of->phase = PHASE_ENDING;
		r->running--;
		r->ending++;
		did++;
	}
	replayed_release(r, now_s);
	while (job_order_next_s(order) <= now_s) {
		size_t first = order->of[order->submitted];
		double wait_s = replayed_wait_s(r, first);

		if (wait_s >= 0) {
			job_order_postpone(
				order,
				fmax(wait_s, r->jobs.of[first].submit_s));
			continue;
		}
		if (group_submit(r, first, err))
			return -1;
		order->submitted += r->jobs.of[first].group_size;
		did++;
	}
	return did;
}

double replayed_jobs_next_s(const struct replayed_jobs *r)
{
	double next_s = job_order_next_s(&r->order);

	for (size_t k = r->oldest; k < r->order.submitted; k++) {
		const struct replayed *of = &r->of[r->order.of[k]];

		if (of->phase == PHASE_RUNNING)
			next_s = fmin(next_s, of->due_s);
	}
	return next_s;
}

/* --- Following ------------------------------------------------------------ */

static double time_of(const struct replayed_jobs *r, time_t slurm_s)
{
	return (double)slurm_s - r->epoch_s;
}

/* A component, or a job's only one, has ended. */
static void part_ended(struct replayed_jobs *r, size_t i,
		       const slurm_job_info_t *record)
{
	struct replayed *of = &r->of[i];
	struct rehearse_job *j = &r->jobs.of[i];
	double end_s = time_of(r, record->end_time);

	if (of->ended++ == 0) {
		j->end_s = end_s;
		j->completed = true;
	}
	j->end_s = fmin(j->end_s, end_s);
	j->completed &= (record->job_state & JOB_STATE_BASE) == JOB_COMPLETE;
	if (of->ended < j->components)
		return;
	if (of->phase == PHASE_RUNNING)
		r->running--;
	else
		r->ending--;
	of->phase = PHASE_DONE;
	r->done++;
}

static void job_started(struct replayed_jobs *r, size_t i,
			const slurm_job_info_t *record)
{
	struct replayed *of = &r->of[i];
	struct rehearse_job *j = &r->jobs.of[i];

	j->start_s = time_of(r, record->start_time);
	/* What it waited for is over: from now on it waits for Slurm. */
	if (of->dependent && of->requeues == 0)
		j->submit_s =
			fmax(j->submit_s, time_of(r, record->eligible_time));
	of->phase = PHASE_RUNNING;
	of->due_s = j->start_s + j->runtime_s;
	r->pending--;
	r->running++;
}

/* Preempted, and to be started again. */
static void job_requeued(struct replayed_jobs *r, size_t i)
{
	struct replayed *of = &r->of[i];

	if (of->phase == PHASE_RUNNING)
		r->running--;
	else
		r->ending--;
	r->jobs.of[i].start_s = NAN;
	of->phase = PHASE_PENDING;
	of->requeues++;
	r->pending++;
}

/* A job that was suspended ends later. */
static void job_suspension_see(struct replayed_jobs *r, size_t i,
			       const slurm_job_info_t *record)
{
	struct replayed *of = &r->of[i];
	double left_s = r->jobs.of[i].runtime_s - (double)record->pre_sus_time;

	if ((record->job_state & JOB_STATE_BASE) == JOB_SUSPENDED) {
		of->suspended = true;
		of->due_s = HUGE_VAL;
	} else if (of->suspended) {
		of->due_s = time_of(r, record->suspend_time) + left_s;
	}
}

/* Find the job of a record, and which component of it; false: none of ours.
 * For tasks that have not started yet, Slurm has one record: it stands for the
 * first one. */
static bool job_find(const struct replayed_jobs *r,
		     const slurm_job_info_t *record, size_t *ret_job,
		     uint32_t *ret_part)
{
	bool array = record->array_job_id != 0;
	bool het = record->het_job_id && record->het_job_id != NO_VAL;
	uint32_t id = array ? record->array_job_id
		      : het ? record->het_job_id
			    : JOB_ID_OF(record);
	uint32_t member = array ? record->array_task_id
			  : het ? record->het_job_offset
				: 0;
	size_t first = id < r->id_size ? r->by_slurm_id[id] : 0;

	if (first-- == 0)
		return false;

	const struct rehearse_job *j = &r->jobs.of[first];

	if (array && member == NO_VAL)
		member = 0;
	*ret_part = j->components > 1 ? member : 0;
	*ret_job = j->components > 1 ? first : first + member;
	return member < (j->components > 1 ? j->components : j->group_size);
}

static void expected_see(struct replayed_jobs *r, size_t i,
			 const slurm_job_info_t *record)
{
	double expected_s =
		record->start_time ? time_of(r, record->start_time) : NAN;
	bool all = record->array_job_id && record->array_task_id == NO_VAL;
	size_t n = all ? r->jobs.of[i].group_size : 1;

	for (size_t k = i; k < i + n; k++)
		if (r->of[k].phase == PHASE_PENDING)
			r->of[k].expected_s = expected_s;
}

/* Returns whether something changed. */
static bool job_see(struct replayed_jobs *r, const slurm_job_info_t *record)
{
	uint32_t state = record->job_state & JOB_STATE_BASE, part;
	bool changed = false;
	size_t i;

	if (!job_find(r, record, &i, &part))
		return false;
	if (state == JOB_PENDING && part == 0)
		expected_see(r, i, record);
	if (record->array_job_id && record->array_task_id == NO_VAL)
		return false;

	struct replayed *of = &r->of[i];

	if (of->phase == PHASE_DONE)
		return false;
	of->cut |= record->time_limit <
		   (uint32_t)(r->jobs.of[i].limit_s / MINUTE_S);
	if (of->phase == PHASE_PENDING && state >= JOB_RUNNING) {
		if (part == 0)
			of->slurm_id = JOB_ID_OF(record);
		job_started(r, i, record);
		changed = true;
	} else if (of->phase > PHASE_PENDING && state == JOB_PENDING) {
		job_requeued(r, i);
		changed = true;
	}
	if (of->phase == PHASE_RUNNING)
		job_suspension_see(r, i, record);
	if (state > JOB_SUSPENDED && !(of->seen_ended & 1U << part)) {
		of->seen_ended |= 1U << part;
		part_ended(r, i, record);
		changed = true;
	}
	return changed;
}

int replayed_jobs_see(struct replayed_jobs *r, struct sp_error *err)
{
	job_info_msg_t *list = NULL;
	int changed = 0;

	if (slurm_load_jobs(r->updated, &list, SHOW_ALL)) {
		if (errno == SLURM_NO_CHANGE_IN_DATA)
			return 0;
		return sp_error_set(err, "slurmctld: %s",
				    slurm_strerror(errno));
	}
	/* Its times have seconds only: what else changes in this one counts. */
	r->updated = list->last_update - 1;
	for (uint32_t i = 0; i < list->record_count; i++)
		changed |= job_see(r, &list->job_array[i]);
	slurm_free_job_info_msg(list);
	while (r->oldest < r->order.submitted &&
	       r->of[r->order.of[r->oldest]].phase == PHASE_DONE)
		r->oldest++;
	return changed;
}

/* --- All of them ---------------------------------------------------------- */

int replayed_jobs_create(const struct driver_options *o,
			 struct replayed_jobs *ret, struct sp_error *err)
{
	struct replayed_jobs r = { .options = o };

	if (rehearse_jobs_read(o->log.format, o->log.path, &o->log.window,
			       &r.jobs, err))
		return -1;
	r.of = calloc(r.jobs.count, sizeof *r.of);
	*ret = r;
	if (!r.of || log_index_create(&ret->jobs, &ret->index) ||
	    job_order_create(&ret->jobs, replayed_hold, ret, &ret->order)) {
		sp_error_set(err, "out of memory");
		goto failed;
	}
	if (o->order == ORDER_PREDICTED &&
	    rehearse_predict(o->log.format, o->log.path, &ret->jobs, err))
		goto failed;
	return 0;
failed:
	replayed_jobs_destroy(ret);
	return -1;
}

void replayed_jobs_destroy(struct replayed_jobs *r)
{
	job_order_destroy(&r->order);
	log_index_destroy(&r->index);
	rehearse_jobs_clear(&r->jobs);
	free(r->by_slurm_id);
	free(r->of);
	*r = (struct replayed_jobs){ 0 };
}
