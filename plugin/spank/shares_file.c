/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares_file.c - what a job gets of the CPUs of its nodes, from collectord */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/shares_file.h"
#include "predictor/base/clock.h"
#include "predictor/base/sole_reader.h"

#define PATH_SIZE 1100
#define LOOK_NS   5000000 /* between two looks at the file */
#define LOOKS_MAX 40      /* SHARES_WAIT_S, whatever the clock does */

static void format_path(const char *spool, uint32_t job_id, char ret[PATH_SIZE])
{
	snprintf(ret, PATH_SIZE, "%s/shares/%u", spool, job_id);
}

int shares_expect(const char *spool, uint32_t job_id, uint32_t user_id,
		  struct sp_error *err)
{
	char path[PATH_SIZE];

	format_path(spool, job_id, path);
	/* That of an earlier start of the same job is old. */
	unlink(path);

	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);

	if (fd < 0)
		return errno == ENOENT ? 0
				       : sp_error_set(err, "%s: %s", path,
						      strerror(errno));
	(void)!sole_reader_set(fd, user_id);
	close(fd);
	return 0;
}

void shares_forget(const char *spool, uint32_t job_id)
{
	char path[PATH_SIZE];

	format_path(spool, job_id, path);
	unlink(path);
}

/* Return whether it is empty and young.  Opened each time: the one with a text
 * is another file. */
static bool is_expected(const char *path)
{
	struct stat about;

	if (lstat(path, &about) || about.st_size > 0)
		return false;

	double age_s = clock_now_s() - (double)about.st_mtim.tv_sec -
		       (double)about.st_mtim.tv_nsec * 1e-9;

	return age_s > -SHARES_WAIT_S && age_s < SHARES_WAIT_S;
}

/* Return the value of a line "KEY=VALUE" of `text`, which is cut there. */
static const char *line_value(char *text, const char *key)
{
	size_t length = strlen(key);

	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n');

		if (!strncmp(line, key, length)) {
			if (end)
				*end = '\0';
			return line[length] ? line + length : NULL;
		}
		line = end ? end + 1 : NULL;
	}
	return NULL;
}

void shares_read(const char *spool, uint32_t job_id, struct job_shares *ret)
{
	static const char mark[] = "\nend=1\n";
	char path[PATH_SIZE];
	ssize_t size = -1;

	ret->shares = ret->slowdown = NULL;
	format_path(spool, job_id, path);
	for (int i = 0; i < LOOKS_MAX && is_expected(path); i++)
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);

	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0) {
		size = read(fd, ret->text, sizeof(ret->text) - 1);
		close(fd);
	}
	if (size < (ssize_t)strlen(mark))
		return;
	ret->text[size] = '\0';
	if (strcmp(ret->text + size - strlen(mark), mark) != 0)
		return;
	/* The last line first: the one before it is cut. */
	ret->shares = line_value(ret->text, "shares=");
	ret->slowdown = line_value(ret->text, "slowdown=");
}
