/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_slurm_conf.c - slurm.conf, read as a file, which may include itself */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "predictor/slurm/slurm_conf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("slurm.conf", MFD_CLOEXEC);
	struct sp_error err = { "" };
	char path[32];

	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);

	struct slurm_conf_file *file = slurm_conf_file_read(path, &err);

	if (file) {
		const char *user = slurm_conf_file_value(file, "SlurmUser");

		assert(!user || strlen(user) <= size);
		assert(!slurm_conf_file_value(file, ""));
	} else {
		assert(err.text[0]);
	}
	slurm_conf_file_destroy(file);
	close(fd);
	return 0;
}
