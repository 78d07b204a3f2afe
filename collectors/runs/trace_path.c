/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_path.c - where the trace of a process is, and whether it is one */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/runs/trace_path.h"
#include "predictor/base/remove_tree.h"

#define FILE_BYTES_MAX ((off_t)16 << 20)
#define HEADER_BYTES   28

/* Return a number of FORMAT.md.  -1: there is none. */
static int64_t read_number(const unsigned char *bytes, size_t size, size_t *at)
{
	int64_t value = 0;

	for (int shift = 0; *at < size && shift < 28; shift += 7) {
		unsigned char byte = bytes[(*at)++];

		value |= (int64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return value;
	}
	return -1;
}

int trace_path_header(const unsigned char *bytes, size_t size, int *ret_rank,
		      int *ret_ranks)
{
	size_t at = 8;

	if (size < 10 || memcmp(bytes, "SPTRACE1", 8) != 0)
		return -1;

	int64_t rank = read_number(bytes, size, &at);
	int64_t ranks = read_number(bytes, size, &at);

	if (rank < 0 || ranks < 1 || ranks > TRACE_BLOCK_RANKS || rank >= ranks)
		return -1;
	*ret_rank = (int)rank;
	*ret_ranks = (int)ranks;
	return 0;
}

int trace_path_folder(const char *name, struct trace_path *ret)
{
	unsigned long long job, user;
	long long seconds;
	char again[TRACE_PATH_SIZE];

	ret->ended = strchr(name, '-') != NULL;
	if (ret->ended) {
		if (sscanf(name, "%llu-%llu-%lld", &job, &user, &seconds) != 3)
			return -1;
		snprintf(again, sizeof(again), "%llu-%llu-%lld", job, user,
			 seconds);
	} else {
		if (sscanf(name, "%llu", &job) != 1)
			return -1;
		user = 0;
		snprintf(again, sizeof(again), "%llu", job);
	}
	if (strcmp(again, name) != 0 || !job || job > UINT32_MAX ||
	    user > UINT32_MAX)
		return -1;
	strcpy(ret->folder, name);
	ret->job_id = (uint32_t)job;
	ret->user_id = (uint32_t)user;
	return 0;
}

int trace_path_file(const char *name, struct trace_path *ret)
{
	size_t run = strspn(name, "0123456789abcdef");
	const char *rank = name + run + 1;

	if (!run || run >= TRACE_RUN_SIZE || name[run] != '.' || !*rank ||
	    strlen(rank) > 4 || rank[strspn(rank, "0123456789")])
		return -1;
	memcpy(ret->mpi_run, name, run);
	ret->mpi_run[run] = '\0';
	strcpy(ret->name, name);
	ret->rank = (int)strtol(rank, NULL, 10);
	return 0;
}

int trace_path_open(int folder, const struct trace_path *path, off_t *ret_size)
{
	int fd = tree_open(folder, path->name, 0);
	struct stat about;

	if (fd < 0)
		return -1;
	if (fstat(fd, &about) || !S_ISREG(about.st_mode) ||
	    about.st_nlink != 1 || about.st_uid != path->user_id) {
		close(fd);
		return -1;
	}
	*ret_size =
		about.st_size < FILE_BYTES_MAX ? about.st_size : FILE_BYTES_MAX;
	return fd;
}

bool trace_path_check(int folder, struct trace_path *path)
{
	unsigned char head[HEADER_BYTES];
	off_t size;
	int rank, fd = trace_path_open(folder, path, &size);
	ssize_t count;

	if (fd < 0)
		return false;
	count = pread(fd, head, sizeof(head), 0);
	close(fd);
	return count > 0 &&
	       !trace_path_header(head, (size_t)count, &rank, &path->ranks) &&
	       rank == path->rank;
}
