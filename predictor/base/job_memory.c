/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_memory.c - the memory of a job on this node, from its control group */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/job_memory.h"
#include "predictor/base/small_file.h"

#define MIB (1 << 20)

const struct job_memory job_memory_unknown = { NAN, NAN, NAN, NAN };

void job_memory_raise(struct job_memory *most, const struct job_memory *sample)
{
	most->resident_mb = fmax(most->resident_mb, sample->resident_mb);
	most->own_mb = fmax(most->own_mb, sample->own_mb);
	most->mapped_mb = fmax(most->mapped_mb, sample->mapped_mb);
	most->cached_mb = fmax(most->cached_mb, sample->cached_mb);
}

/* Find the value behind a key of memory.stat, of v1, which sums up the groups
 * below in lines of its own, or of v2; NAN: neither is there. */
static double find_mb(const char *text, const char *v1, const char *v2)
{
	const char *at = strstr(text, v1) ?: strstr(text, v2);

	return at ? strtod(strchr(at, ' '), NULL) / MIB : NAN;
}

void job_memory_folder(const char *root, const char *process, uint32_t job_id,
		       char ret_path[CONTROL_GROUP_PATH_SIZE + 1])
{
	static const char *const controllers[] = { "memory", NULL };
	char name[24];
	int length = snprintf(name, sizeof(name), "/job_%u/", job_id) - 1;

	for (int v = 0; v < 2; v++) {
		size_t mount = control_group_folder(root, process,
						    controllers[v], ret_path);
		char *job = mount ? strstr(strcat(ret_path, "/") + mount, name)
				  : NULL;

		if (job)
			job[length] = '\0';
		if (job && access(ret_path, F_OK) == 0)
			return;
	}
	*ret_path = '\0';
}

double job_memory_most_mb(const char *folder)
{
	char most[64];

	if (small_file_line(folder, "memory.peak", most, sizeof(most)))
		small_file_line(folder, "memory.max_usage_in_bytes", most,
				sizeof(most));
	return *most ? strtod(most, NULL) / MIB : NAN;
}

void job_memory_read(const char *folder, struct job_memory *ret)
{
	char path[CONTROL_GROUP_PATH_SIZE + 32], text[8192] = "\n";
	double shared_mb;

	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	small_file_read(AT_FDCWD, path, text + 1, sizeof(text) - 1);
	shared_mb = fmax(0, find_mb(text, "\ntotal_shmem ", "\nshmem "));
	*ret = (struct job_memory){
		.resident_mb = NAN,
		.own_mb = find_mb(text, "\ntotal_rss ", "\nanon ") + shared_mb,
		/* Shared memory that is mapped is in both lines. */
		.mapped_mb = fdim(
			find_mb(text, "\ntotal_mapped_file ", "\nfile_mapped "),
			shared_mb),
		.cached_mb = job_memory_most_mb(folder),
	};
}
