/* SPDX-License-Identifier: GPL-2.0-or-later */
/* background.c - run in the background; the parent exits once we are ready */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/background.h"

static int ready_fd = -1; /* the parent reads at the other end */

int background_begin(struct sp_error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return sp_error_set(err, "pipe: %s", strerror(errno));

	pid_t child = fork();

	if (child < 0) {
		sp_error_set(err, "fork: %s", strerror(errno));
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (child > 0) {
		char byte;
		ssize_t got;

		close(ends[1]);
		do
			got = read(ends[0], &byte, 1);
		while (got < 0 && errno == EINTR);
		_exit(got == 1 ? 0 : 1);
	}
	close(ends[0]);
	ready_fd = ends[1];
	setsid();
	return 0;
}

void background_ready(void)
{
	if (ready_fd < 0)
		return;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		if (null > 2)
			close(null);
	}
	if (chdir("/") || write(ready_fd, "", 1) != 1) {
		/* There is no terminal to report it to, and it is harmless. */
	}
	close(ready_fd);
	ready_fd = -1;
}

int background_write_pid(const char *path, struct sp_error *err)
{
	if (!path[0])
		return 0;

	FILE *file = fopen(path, "we");

	if (!file)
		return sp_error_set(err, "pid file %s: %s", path,
				    strerror(errno));

	bool failed = fprintf(file, "%ld\n", (long)getpid()) < 0;

	if (fclose(file) || failed)
		return sp_error_set(err, "pid file %s: %s", path,
				    strerror(errno));
	return 0;
}
