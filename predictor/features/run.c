/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - one execution of a job, under way or finished */
#include <math.h>

#include "predictor/features/run.h"

static const struct enum_synonym synonyms[] = {
	{ "BOOT_FAIL", RUN_NODE_FAIL },
	{ "DEADLINE", RUN_TIMEOUT },
	{ NULL, RUN_LOST },
};

const struct enum_words run_state_words = {
	.count = RUN_STATES,
	.unknown = "UNKNOWN",
	.word = { [RUN_RUNNING] = "RUNNING",
		  [RUN_COMPLETED] = "COMPLETED",
		  [RUN_FAILED] = "FAILED",
		  [RUN_CANCELLED] = "CANCELLED",
		  [RUN_TIMEOUT] = "TIMEOUT",
		  [RUN_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
		  [RUN_NODE_FAIL] = "NODE_FAIL",
		  [RUN_PREEMPTED] = "PREEMPTED",
		  [RUN_REQUEUED] = "REQUEUED",
		  [RUN_LOST] = "LOST" },
	.synonyms = synonyms,
};

const char *run_state_name(enum run_state state)
{
	return enum_words_name(&run_state_words, (int)state);
}

bool run_is_representative(const struct run *run)
{
	return run->state == RUN_COMPLETED;
}

bool run_is_requeued(const struct run *run)
{
	return run->state == RUN_REQUEUED || run->state == RUN_PREEMPTED ||
	       run->state == RUN_NODE_FAIL;
}

double run_runtime_s(const struct run *run)
{
	if (run->state == RUN_RUNNING)
		return NAN;
	return run->ended_at_s - run->started_at_s - run->suspended_s;
}
