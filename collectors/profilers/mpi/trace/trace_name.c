/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_name.c - the names of a program's trace files */
#include <stdio.h>
#include <stdlib.h>

#include "collectors/profilers/mpi/trace/trace_name.h"
#include "predictor/base/hash_mix.h"

#define FOLDER_VARIABLE "PREDICT_TRACE_DIR"

bool trace_name_is_set(void)
{
	return getenv(FOLDER_VARIABLE) != NULL;
}

/* What tells one start of processes of a job from the next: names of PMIx, Open
 * MPI, PMI and Slurm. */
static uint64_t step_hash(void)
{
	static const char *const names[] = { "PMIX_NAMESPACE",
					     "OMPI_MCA_ess_base_jobid",
					     "PMI_JOBID" };
	const char *text = NULL;
	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !text; i++)
		text = getenv(names[i]);
	if (!text)
		text = getenv("SLURM_STEP_ID");
	for (; text && *text; text++)
		hash = hash_mix(hash + (unsigned char)*text);
	return hash;
}

/* Where a step has programs of different sizes, ranks of the second one may
 * find no file of the first one: not only `nth` tells them apart. */
int trace_name_make(int rank, int ranks, int nth, char ret[TRACE_NAME_SIZE])
{
	uint64_t run = hash_mix(step_hash() + (uint64_t)ranks);

	if (nth)
		run = hash_mix(run + (uint64_t)nth);
	return snprintf(ret, TRACE_NAME_SIZE, "%s/%016llx.%d",
			getenv(FOLDER_VARIABLE), (unsigned long long)run,
			rank) < TRACE_NAME_SIZE
		       ? 0
		       : -1;
}
