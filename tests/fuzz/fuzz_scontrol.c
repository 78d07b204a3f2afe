/* fuzz_scontrol.c - what scontrol tells of a job, half of it users' texts */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/slurm_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Without an end of its own, as it comes from a pipe. */
	char *text = malloc(size ? size : 1);
	struct slurm_job job;
	struct sp_error err;
	char cluster[RUN_NAME_SIZE];

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (slurm_job_parse(text, size, 12, &job, &err) == 0) {
		if (job.run.job_id != 12 || isinf(job.run.started_at_s) ||
		    (job.phase == SLURM_ENDED) ==
			    (job.run.state == RUN_RUNNING))
			abort();
	}
	slurm_cluster_parse(text, size, cluster, &err);
	free(text);
	return 0;
}
