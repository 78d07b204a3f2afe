/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_memory.c - the memory of a job on this node, from its control group */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/control_group.h"
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

/* Find the value behind a key of memory.stat; NAN: it is not there. */
static double find_mb(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtod(at + strlen(key), NULL) / MIB : NAN;
}

int job_memory_read(const char *root, const char *process, uint32_t job_id,
		    struct job_memory *ret)
{
	/* v1 sums up the groups below in its own lines. */
	static const struct {
		const char *controller, *own, *shared, *mapped, *most;
	} versions[] = {
		{ "memory", "\ntotal_rss ", "\ntotal_shmem ",
		  "\ntotal_mapped_file ", "memory.max_usage_in_bytes" },
		{ NULL, "\nanon ", "\nshmem ", "\nfile_mapped ",
		  "memory.peak" },
	};
	char path[CONTROL_GROUP_PATH_SIZE + 32], text[8192] = "\n", most[64];
	char folder[24];

	*ret = job_memory_unknown;
	snprintf(folder, sizeof(folder), "/job_%u/", job_id);
	for (int v = 0; v < 2; v++) {
		size_t mount = control_group_folder(
			root, process, versions[v].controller, path);
		char *job = mount ? strstr(strcat(path, "/") + mount, folder)
				  : NULL;
		double mb;

		if (!job)
			continue;
		job[strlen(folder) - 1] = '\0';
		small_file_line(path, versions[v].most, most, sizeof(most));
		strcat(path, "/memory.stat");
		small_file_read(AT_FDCWD, path, text + 1, sizeof(text) - 1);
		mb = find_mb(text, versions[v].own);
		if (isnan(mb))
			continue;
		ret->own_mb = mb + fmax(0, find_mb(text, versions[v].shared));
		ret->mapped_mb = find_mb(text, versions[v].mapped);
		if (*most)
			ret->cached_mb = strtod(most, NULL) / MIB;
		return 0;
	}
	return -1;
}
