/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replan.h - the place of waiting jobs in the queue, by what they ask now
 *
 * The plugin gives a job its key when it is submitted (plugin/site/plan.h).
 * Each time the queue is read, the key is made again of the limit that the job
 * has now, the newest prediction, and the time since which Slurm calls it
 * eligible; one that is held, or depends on others, begins to wait now.  Jobs
 * whose key is off by a hundredth of its range, and those that the plugin
 * marked when their users changed them, get the new one, these first, a
 * limited number each round.
 *
 * Needs to be the SlurmUser.  Where a round fails nothing else does: jobs keep
 * the place that they have.
 */
#pragma once

#include "plugin/site/plan.h"
#include "predictor/engine/engine.h"
#include "predictor/features/queue_state.h"

/* What slurm.conf says about the order. */
struct replan_rules {
	struct policy policy;
	bool accrue_limits; /* Slurm may withhold age */
	bool user_top;      /* users may trade nice values between their jobs */
};

/* What a job is to get. */
struct replan_change {
	int64_t factor, nice; /* nice -1: as it is */
	int urgency;          /* 2: marked; 1: off; 0: nothing to change */
};

/* What is remembered of a job. */
struct replan_known {
	uint32_t job_id;
	bool resized;   /* its prediction is for another size */
	int64_t nice;   /* the last that was no mark */
	int64_t factor; /* its site factor; -1: not known */
	const struct queue_entry *entry; /* in this round, as the change */
	struct replan_change change;
};

/* Find what a waiting job should have.  `answer` is what was predicted of it,
 * NULL: nothing. */
struct replan_change replan_job(const struct replan_rules *rules,
				const struct queue_entry *job,
				const struct prediction_answer *answer,
				double now_s, struct replan_known *known);

/* Zero at first; the caller frees `known`. */
struct replan {
	const char *scontrol, *squeue; /* sprio is in squeue's folder */
	bool failed;                   /* the last round */
	size_t count;
	struct replan_known *known; /* by job id */
};

/* The queue was just read.  Runs commands, of the thread of a slurm_thread.
 * Returns whether marks were taken off: then the queue should be read again
 * soon, as their users may have changed the jobs meanwhile. */
bool replan_round(struct replan *replan, struct engine *engine,
		  const struct queue_state *queue);
