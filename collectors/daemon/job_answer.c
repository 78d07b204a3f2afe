/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_answer.c - what predictd says of a job, as a file for its tasks */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/daemon/job_answer.h"
#include "predictor/base/sole_reader.h"

int job_answer_path(const char *before, const char *nodes,
		    char ret[JOB_ANSWER_PATH_SIZE])
{
	size_t used = (size_t)snprintf(ret, JOB_ANSWER_PATH_SIZE, "%s", before);

	for (; *nodes; nodes++) {
		if (used + 4 > JOB_ANSWER_PATH_SIZE)
			return -1;
		if (isalnum((unsigned char)*nodes) || strchr("-._,", *nodes))
			ret[used++] = *nodes;
		else
			used += (size_t)snprintf(
				ret + used, JOB_ANSWER_PATH_SIZE - used,
				"%%%02X", (unsigned char)*nodes);
	}
	ret[used] = '\0';
	return 0;
}

/* An exchange fails where there is nothing to exchange, unlike a rename; not
 * all file systems have it. */
static int replace(int folder, const char *part, const char *name)
{
	if (!renameat2(folder, part, folder, name, RENAME_EXCHANGE))
		return unlinkat(folder, part, 0);
	return errno == EINVAL ? renameat(folder, part, folder, name) : -1;
}

int job_answer_write(int folder, const char *name, bool replaces,
		     uint32_t user_id, const char *text, size_t size,
		     struct sp_error *err)
{
	char part[32];
	int rc = 0;

	snprintf(part, sizeof(part), ".tmp-%s", name);

	int fd = openat(folder, part,
			O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
			0400);

	if (fd < 0)
		return sp_error_set(err, "%s: %s", part, strerror(errno));
	if (sole_reader_set(fd, user_id) ||
	    write(fd, text, size) != (ssize_t)size ||
	    (replaces ? replace(folder, part, name)
		      : renameat(folder, part, folder, name)))
		rc = sp_error_set(err, "%s: %s", name, strerror(errno));
	close(fd);
	if (rc)
		unlinkat(folder, part, 0);
	return rc;
}
