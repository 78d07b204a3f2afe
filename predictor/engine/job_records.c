/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_records.c - the newest run of each job */
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/engine/job_records.h"

struct records *job_records_create(void)
{
	return records_create(sizeof(struct run), JOBS_MAX, JOBS_BYTES_MAX);
}

static uint64_t key_of(const char *cluster, uint32_t job_id)
{
	return index_hash_text(job_id, cluster);
}

/* Rank of states: RUNNING, LOST, then any known end. */
static int state_rank(enum run_state state)
{
	switch (state) {
	case RUN_RUNNING:
		return 0;
	case RUN_LOST:
		return 1;
	default:
		return 2;
	}
}

static bool is_newer(const struct run *run, const struct run *known)
{
	if (run->started_at_s != known->started_at_s)
		return run->started_at_s > known->started_at_s;
	return state_rank(run->state) > state_rank(known->state);
}

int job_records_put(struct records *jobs, const struct run *run)
{
	struct run known;

	/* Put again, the newest stay the longest: they are loaded first. */
	if (job_records_get(jobs, run->cluster, run->job_id, &known) == 0 &&
	    !is_newer(run, &known))
		run = &known;
	return records_put(jobs, key_of(run->cluster, run->job_id), run,
			   run->state == RUN_RUNNING);
}

int job_records_get(const struct records *jobs, const char *cluster,
		    uint32_t job_id, struct run *ret)
{
	if (records_get(jobs, key_of(cluster, job_id), ret) ||
	    ret->job_id != job_id || strcmp(ret->cluster, cluster) != 0)
		return -1;
	return 0;
}
