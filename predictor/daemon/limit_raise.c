/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_raise.c - raises limits that we set, of jobs that wait */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/daemon/limit_raise.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/slurm/partition_record.h"

#define LEAST_GAIN 1.1
#define ROUND_MAX  20 /* changes */
#define COMMAND_S  10.0
#define OUTPUT_MAX (1 << 20)

/* Whether quantiles held decides if a limit is set; a longer one harms
 * nobody, so that it is set where they did not. */
uint32_t limit_raise_find(const struct policy *policy,
			  const struct queue_entry *job,
			  const struct prediction *p, uint32_t given_min)
{
	uint32_t own_min = given_min ? given_min : job->limit_set_min;
	const struct prediction_answer answer = {
		.basis = p->basis,
		.evidence_level = p->evidence_level,
		.own_runs = p->own_runs,
		.extrapolated = p->extrapolated,
		.quantile = p->quantile,
		.quantile_s = p->quantile_s,
		.judged = PREDICTION_JUDGED_MIN,
		.held = PREDICTION_JUDGED_MIN,
	};

	if (job->running || !own_min || job->limit_s != 60.0 * own_min ||
	    !job->node_cpus || strpbrk(job->id, "_+") ||
	    policy_mode(policy, job->partitions, NULL) != MODE_ACT)
		return 0;

	uint32_t minutes =
		policy_limit_min(policy, job->partitions, NULL, &answer);

	return minutes >= LEAST_GAIN * own_min ? minutes : 0;
}

/* A job may have started since the queue was read: slurmctld then refuses the
 * change because of MinCPUsNode, which it looks at before the limit, though it
 * is what the job has.  What failed is not tried again. */
static void limit_raise(const struct replan *r, struct replan_known *known,
			uint32_t minutes)
{
	const struct queue_entry *job = known->entry;
	char limit[32], guard[32];
	struct sp_error err;

	snprintf(limit, sizeof(limit), "TimeLimit=%" PRIu32, minutes);
	snprintf(guard, sizeof(guard), "MinCPUsNode=%" PRIu32, job->node_cpus);
	known->raised_min = minutes;
	if (replan_update(r, job->job_id, limit, guard, &err) == 0) {
		log_info("job %" PRIu32 ": time limit raised from %.0f to "
			 "%" PRIu32 " minutes, as it is predicted now",
			 job->job_id, job->limit_s / 60, minutes);
		return;
	}
	log_warning("job %" PRIu32 ": its time limit stays: %s", job->job_id,
		    err.text);
	known->raised_min = UINT32_MAX;
}

void limit_raise_round(struct replan *r, struct engine *engine)
{
	const char *const show[] = { r->scontrol, "--oneliner", "show",
				     "partition", NULL };
	struct slurm_command *partitions = NULL;
	int changes = 0;

	for (size_t i = 0;
	     r->rules.raises && i < r->count && changes < ROUND_MAX; i++) {
		const struct queue_entry *job = r->known[i].entry;
		struct prediction p;
		double minutes = 0;

		if (job->limit_set_min &&
		    engine_queue_prediction(engine, NULL, job, &p))
			minutes = limit_raise_find(&r->rules.policy, job, &p,
						   r->known[i].raised_min);
		if (minutes > 0 && !partitions)
			partitions = slurm_thread_run(show, COMMAND_S,
						      OUTPUT_MAX, NULL);
		if (minutes > 0 && !partitions)
			return;
		if (minutes > 0)
			minutes = fmin(
				minutes,
				partition_records_limit_s(
					slurm_command_output(partitions, NULL),
					job->partitions) /
					60);
		if (60 * minutes > job->limit_s) {
			limit_raise(r, &r->known[i], (uint32_t)minutes);
			changes++;
		}
	}
	slurm_command_destroy(partitions);
}
