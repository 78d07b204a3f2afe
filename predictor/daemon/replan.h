/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replan.h - the place of waiting jobs in the queue, by what they ask now
 *
 * The plugin gives a job its key when it is submitted (plugin/site/plan.h).
 * Each time the queue is read, the key is made again of the limit that the job
 * has now, the newest prediction, and the time since which Slurm calls it
 * eligible.  Jobs whose key is off by a hundredth of its range get the new one,
 * a limited number each round.  One that is to go back goes at once; one that
 * is to come forward must have asked for that for ten minutes, so that who
 * lowers and raises a limit in turns gains a round in ten minutes.
 *
 * Needs to be the SlurmUser.  Where a change fails nothing else does: the job
 * keeps its place.
 */
#pragma once

#include "plugin/site/plan.h"
#include "predictor/engine/engine.h"
#include "predictor/features/queue_state.h"

/* What slurm.conf says about the order. */
struct replan_rules {
	struct policy policy;
	bool orders, raises; /* jobs get places, or limits (limit_raise.h) */
	bool accrue_limits;  /* Slurm may withhold age */
	bool user_top; /* users may trade nice values between their jobs */
};

enum replan_move { REPLAN_STAYS, REPLAN_FORWARD, REPLAN_BACK };

/* What a job is to get. */
struct replan_change {
	enum replan_move move;
	int64_t factor;
};

/* What is remembered of a job. */
struct replan_known {
	uint32_t job_id;
	bool factor_known; /* in this round */
	int64_t factor;    /* its site factor */
	bool tried;        /* it was to get `given` */
	int64_t given;
	double retry_s;      /* that failed: not before this */
	uint32_t raised_min; /* its limit; 0: it was not raised */
	/* Since when it asks for a place further in front, 0: it does not; the
	 * least site factor of these. */
	double since_s;
	int64_t least;
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
	bool succeeded;                /* a change, ever */
	bool failed;                   /* after the last that did */
	uint32_t next_id;              /* where the next round begins */
	struct replan_rules rules;     /* as they were read last */
	size_t count;
	struct replan_known *known; /* by job id */
};

/* Run scontrol to change a job, by one assignment or two. */
int replan_update(const struct replan *replan, uint32_t job_id,
		  const char *change, const char *more, struct sp_error *err);

/* The queue was just read.  Runs commands, of the thread of a slurm_thread. */
void replan_round(struct replan *replan, struct engine *engine,
		  const struct queue_state *queue);
