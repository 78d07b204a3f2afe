/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts_file.c - on which node each rank of a job should be, from collectord */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spank/hosts_file.h"

/* What splits a word that a shell expands, or makes names of files of it. */
#define SHELL_SPECIAL " \t\n*?[\\"

static void format_path(const char *spool, uint32_t job_id,
			char ret[HOSTS_PATH_SIZE])
{
	snprintf(ret, HOSTS_PATH_SIZE, "%s/hosts/%u", spool, job_id);
}

/* Take the line at *at, which moves behind it; NULL: there is no whole one. */
static char *line_take(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static bool read_head(const char *line, struct hosts_file *ret)
{
	static const char begin[] = "# slurm-predict mode=";
	static const char gain[] = " gain=";

	if (!line || strncmp(line, begin, strlen(begin)) != 0)
		return false;

	const char *mode = line + strlen(begin);
	const char *factor = strstr(mode, gain);

	if (!factor)
		return false;
	ret->act = !strncmp(mode, "act ", 4);
	ret->gain = strtod(factor + strlen(gain), NULL);
	return ret->gain >= 1 && ret->gain < 1000;
}

static bool read_names(char *at, struct hosts_file *ret)
{
	ret->ranks = 0;
	while (*at) {
		const char *name = line_take(&at);

		if (!name || !*name || strlen(name) >= HOSTLIST_NAME_SIZE ||
		    strpbrk(name, " \t#*[],\\") ||
		    ret->ranks == HOSTS_RANKS_MAX)
			return false;
		ret->names[ret->ranks++] = name;
	}
	return ret->ranks > 1;
}

bool hosts_parse(struct hosts_file *hosts, size_t size)
{
	char *at = hosts->text;

	if (size > HOSTS_TEXT_SIZE || memchr(hosts->text, '\0', size))
		return false;
	hosts->text[size] = '\0';
	return read_head(line_take(&at), hosts) && read_names(at, hosts);
}

bool hosts_read(const char *spool, uint32_t job_id, struct hosts_file *ret)
{
	struct stat about;
	ssize_t size = -1;

	format_path(spool, job_id, ret->path);

	int fd =
		open(ret->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (!fstat(fd, &about) && S_ISREG(about.st_mode) &&
	    about.st_size <= HOSTS_TEXT_SIZE)
		size = read(fd, ret->text, HOSTS_TEXT_SIZE);
	close(fd);
	return size >= 0 && hosts_parse(ret, (size_t)size);
}

bool hosts_in_order(const char *library, const char *path,
		    char ret[HOSTS_IN_ORDER_SIZE])
{
	const char *slash = strrchr(library, '/');
	char program[HOSTS_PATH_SIZE];
	int length = snprintf(program, sizeof(program), "%.*s/in-order",
			      slash ? (int)(slash - library) : 0, library);

	if (!slash || length >= HOSTS_PATH_SIZE || access(program, X_OK))
		return false;
	snprintf(ret, HOSTS_IN_ORDER_SIZE, "%s %s", program, path);
	return !strpbrk(program, SHELL_SPECIAL) &&
	       !strpbrk(path, SHELL_SPECIAL);
}

void hosts_forget(const char *spool, uint32_t job_id)
{
	char path[HOSTS_PATH_SIZE];

	format_path(spool, job_id, path);
	unlink(path);
}
