/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replayed_dependency.c - jobs of a log that wait for other ones
 *
 * Plan: a dependency is translated when its job is submitted: what has ended by
 * then is left out, as Slurm forgets jobs that have.  Where the jitter puts a
 * job before one that it depends on, it is submitted right after that.
 */
#include <math.h>
#include <stdio.h>

#include "predictor/backtest/rehearse/replayed_dependency.h"

#define TARGETS_MAX 64 /* of one term of a dependency */

/* A job that came before this one in the log. */
static bool came_before(const struct rehearse_job *x,
			const struct rehearse_job *y)
{
	return x->logged_at_s < y->logged_at_s ||
	       (x->logged_at_s == y->logged_at_s && x->log_id < y->log_id);
}

bool replayed_hold(const void *context, size_t i)
{
	const struct replayed_jobs *r = context;
	const struct rehearse_job *j = &r->jobs.of[i];
	struct dependency d;
	size_t target;

	if (isnan(j->think_s))
		return false;
	dependency_read(j->dependency, &d);
	if (d.count != 1 || !log_index_find(&r->index, &d.of[0], &target, 1) ||
	    !came_before(&r->jobs.of[target], j))
		return false;
	r->of[i].after = target;
	return true;
}

void replayed_release(struct replayed_jobs *r, double now_s)
{
	for (size_t k = 0; k < r->order.held_count;) {
		size_t i = r->order.held[k], after = r->of[i].after;
		const struct rehearse_job *j = &r->jobs.of[i];

		if (r->of[after].phase != PHASE_DONE) {
			k++;
			continue;
		}

		double end_s = r->jobs.of[after].end_s;
		double submit_s = isnan(end_s) ? j->submit_s /* was refused */
					       : end_s + j->think_s;

		r->thinking++;
		job_order_release(&r->order, k, fmax(now_s, submit_s));
	}
}

double replayed_wait_s(const struct replayed_jobs *r, size_t i)
{
	const struct rehearse_job *j = &r->jobs.of[i];
	size_t targets[TARGETS_MAX];
	struct dependency d;
	double wait_s = -1;

	if (!*j->dependency)
		return -1;
	dependency_read(j->dependency, &d);
	for (size_t k = 0; k < d.count; k++) {
		size_t n = log_index_find(&r->index, &d.of[k], targets,
					  TARGETS_MAX);

		for (size_t t = 0; t < n; t++) {
			const struct rehearse_job *of =
				&r->jobs.of[group_first(&r->jobs, targets[t])];

			if (r->of[targets[t]].phase == PHASE_FUTURE &&
			    isnan(of->think_s) && came_before(of, j))
				wait_s = fmax(wait_s, of->submit_s);
		}
	}
	return wait_s;
}

static bool target_is_over(const struct replayed *of,
			   const struct dependency_item *item)
{
	return of->phase == PHASE_DONE ||
	       (item->on_start && item->minutes == 0 &&
		of->phase >= PHASE_RUNNING);
}

/* The part of a group that a dependency names; of arrays as Slurm counts. */
static int target_print(const struct replayed_jobs *r, size_t target,
			const struct dependency_item *item, char *to,
			size_t size)
{
	size_t first = group_first(&r->jobs, target);
	const struct rehearse_job *j = &r->jobs.of[first];
	char task[16] = "", minutes[16] = "";

	if (j->group == GROUP_ARRAY && j->group_size > 1 &&
	    (item->task != DEPENDENCY_NO_TASK || target != first))
		snprintf(task, sizeof task, "_%zu", target - first);
	if (item->minutes)
		snprintf(minutes, sizeof minutes, "+%u", item->minutes);
	return snprintf(to, size, "%s:%u%s%s",
			item->on_start ? "after" : "afterany",
			r->of[first].submitted_id, task, minutes);
}

void replayed_dependency(struct replayed_jobs *r, size_t i,
			 char ret[REPLAYED_DEPENDENCY_SIZE])
{
	const struct rehearse_job *j = &r->jobs.of[i];
	size_t targets[TARGETS_MAX], length = 0;
	struct dependency d;
	bool over = false;

	*ret = '\0';
	if (!*j->dependency || !isnan(j->think_s))
		return;
	dependency_read(j->dependency, &d);
	r->left_out += d.left_out;
	for (size_t k = 0; k < d.count; k++) {
		size_t n = log_index_find(&r->index, &d.of[k], targets,
					  TARGETS_MAX);

		over |= n == 0;
		for (size_t t = 0; t < n; t++) {
			const struct replayed *of = &r->of[targets[t]];

			if (target_is_over(of, &d.of[k])) {
				over = true;
				continue;
			}
			if (of->phase == PHASE_FUTURE ||
			    length + 64 > REPLAYED_DEPENDENCY_SIZE) {
				r->left_out++;
				continue;
			}
			if (length > 0)
				ret[length++] = d.any ? '?' : ',';
			length += (size_t)target_print(
				r, targets[t], &d.of[k], ret + length,
				REPLAYED_DEPENDENCY_SIZE - length);
		}
	}
	if (d.any && over)
		*ret = '\0';
}
