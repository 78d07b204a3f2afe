/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.c - how a run ended, from what the node saw and slurmctld says
 *
 * slurmctld's reply decides whether the attempt has ended and how; the
 * node's own clock, which is finer than whole seconds, says how long it ran
 * where both agree. A job that slurmctld forgot, or ran again, is lost or
 * requeued.
 */
#include <math.h>
#include <string.h>

#include "collectors/runs/outcome.h"

/* The node's clock and slurmctld's may differ by as much. */
#define CLOCKS_DIFFER_S 5.0

/* slurmctld has whole seconds, and starts a job some time before its first
 * process runs.  Where the node's own time from start to end fits, it is the
 * better measure of how long the job ran.  Without a batch script it may be
 * another time: in an salloc the first process may run late. */
#define ROUNDING_S 2.0

/* A batch script runs from start to end of its job.  Only messages between its
 * node and slurmctld make slurmctld's time longer, by seconds where the node is
 * busy; beyond this a clock was set. */
#define SCRIPT_DELAY_S 60.0

enum outcome outcome_of(const struct open_job *job,
			const struct slurm_job *reply)
{
	const struct run *run = &reply->run;

	/* The count at our start, not the epilog's: that one may have been
	 * raised already. */
	if (reply->restarts > (job->restarts >= 0 ? job->restarts : 0))
		return OUTCOME_REQUEUED;
	/* A requeue sets this anew, too. */
	if (job->node_started_s < run->submitted_at_s - CLOCKS_DIFFER_S)
		return OUTCOME_FOREIGN;
	if (reply->phase == SLURM_ENDING)
		return OUTCOME_OPEN;
	if (reply->phase == SLURM_WAITING)
		return OUTCOME_REQUEUED;
	if (job->has_run &&
	    run->started_at_s > job->run.started_at_s + CLOCKS_DIFFER_S)
		return OUTCOME_REQUEUED;
	if (reply->phase == SLURM_RUNNING)
		return job->superseded ? OUTCOME_REQUEUED : OUTCOME_OPEN;
	return OUTCOME_ENDED;
}

void outcome_prediction(const struct open_job *job, struct run *run)
{
	if (!*run->prediction_id && job->has_run)
		strcpy(run->prediction_id, job->run.prediction_id);
	if (!*run->prediction_id)
		strcpy(run->prediction_id, job->prediction_id);
}

/* Fill in what a message must have. */
static void run_complete(const struct open_job *job, struct run *run)
{
	struct hostlist list;

	if (!*run->cluster)
		strcpy(run->cluster, job->cluster);
	if (!*run->partition)
		strcpy(run->partition, job->partition);
	if (!*run->node_list)
		strcpy(run->node_list, job->nodes);
	if (!run->nodes && hostlist_expand(run->node_list, &list, NULL) == 0) {
		run->nodes = (uint32_t)list.count;
		hostlist_clear(&list);
	}
	if (!run->nodes)
		run->nodes = 1;
	run->job_id = job->job_id;
	run->user_id = job->user_id;
	outcome_prediction(job, run);
	if (isnan(run->started_at_s))
		run->started_at_s = isnan(job->node_started_s)
					    ? floor(job->node_ended_s)
					    : floor(job->node_started_s);
	if (isnan(run->submitted_at_s))
		run->submitted_at_s = run->started_at_s;
	if (run->ended_at_s < run->started_at_s)
		run->ended_at_s = run->started_at_s;
	run->suspended_s =
		fmin(run->suspended_s, run->ended_at_s - run->started_at_s);
}

static double seen_end_s(const struct open_job *job, double now_s)
{
	return isnan(job->node_ended_s) ? now_s : job->node_ended_s;
}

/* Return the seconds that a job ran by the clock of its first node, where that
 * agrees with slurmctld's time; else the latter. */
static double exact_runtime_s(const struct open_job *job, double slurmctld_s)
{
	bool script = !isnan(job->script_ended_s);
	double node_s = (script ? job->script_ended_s : job->node_ended_s) -
			job->node_started_s;
	double delay_s = slurmctld_s - node_s;

	if (job->position == POSITION_HEAD && node_s >= 0 &&
	    delay_s >= -ROUNDING_S &&
	    delay_s <= (script ? SCRIPT_DELAY_S : ROUNDING_S))
		return node_s;
	return slurmctld_s;
}

void outcome_ended(const struct open_job *job, const struct slurm_job *reply,
		   struct run *ret)
{
	struct run run = reply->run;

	if (job->has_run)
		run.started_at_s = job->run.started_at_s;
	if (isnan(run.ended_at_s))
		run.ended_at_s = seen_end_s(job, run.started_at_s);
	run.ended_at_s =
		run.started_at_s +
		exact_runtime_s(job, run.ended_at_s - run.started_at_s);
	run_complete(job, &run);
	*ret = run;
}

void outcome_requeued(const struct open_job *job, const struct slurm_job *reply,
		      double now_s, struct run *ret)
{
	struct run run = job->has_run ? job->run : reply->run;

	if (!job->has_run) { /* these are the next attempt's */
		run.started_at_s = NAN;
		run.suspended_s = 0;
		run.node_list[0] = '\0';
		run.nodes = 0;
	}
	run.state = RUN_REQUEUED;
	run.exit_code = run.exit_signal = 0;
	run.ended_at_s = seen_end_s(job, now_s);
	run_complete(job, &run);
	*ret = run;
}

void outcome_lost(const struct open_job *job, double now_s, struct run *ret)
{
	struct run run = job->run;

	run.state = RUN_LOST;
	run.exit_code = run.exit_signal = 0;
	/* Where the job was killed, or its node died, the epilog gets 0:0 all
	 * the same. */
	if (job->signal)
		run.exit_signal = job->signal;
	else if (job->exit_code >= 0)
		run.exit_code = job->exit_code;
	if (!job->superseded && !job->signal && job->tasks &&
	    job->exit_code >= 0)
		run.state = job->exit_code ? RUN_FAILED : RUN_COMPLETED;
	run.ended_at_s = seen_end_s(job, now_s);
	run_complete(job, &run);
	*ret = run;
}
