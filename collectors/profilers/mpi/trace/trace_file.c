/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_file.c - a file of bounded size that survives the death of
 * its process */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collectors/profilers/mpi/trace/trace_file.h"
#include "predictor/trace/trace_format.h"

#define BYTES_VARIABLE "PREDICT_TRACE_BYTES"

#define INTERRUPTED_MAX \
	100 /* signals while space is taken, one after the other */

static void block_unmap(struct trace_file *file)
{
	if (file->block)
		munmap(file->block, TRACE_FILE_BLOCK);
	file->block = NULL;
}

/* Return whether one more block is allowed: a larger file than RLIMIT_FSIZE
 * would bring SIGXFSZ, which kills the program. */
static bool has_room(const struct trace_file *file)
{
	size_t size = file->written + TRACE_FILE_BLOCK;
	struct rlimit limit;

	return file->written < file->max && size <= TRACE_FILE_MAX &&
	       getrlimit(RLIMIT_FSIZE, &limit) == 0 && size <= limit.rlim_cur;
}

/* The block that begins at `written`. */
static int block_map(struct trace_file *file)
{
	off_t at = (off_t)file->written;
	int rc = EINTR;

	block_unmap(file);
	if (!has_room(file))
		return -1;
	for (int i = 0; i < INTERRUPTED_MAX && rc == EINTR; i++)
		rc = posix_fallocate(file->fd, at, TRACE_FILE_BLOCK);
	if (rc)
		return -1;

	void *block = mmap(NULL, TRACE_FILE_BLOCK, PROT_READ | PROT_WRITE,
			   MAP_SHARED, file->fd, at);

	if (block == MAP_FAILED)
		return -1;
	file->block = block;
	return 0;
}

/* What predictd would cut off later had better be sampled. */
size_t trace_file_share(int ranks)
{
	const char *text = getenv(BYTES_VARIABLE);
	size_t bytes = text ? strtoull(text, NULL, 10) : 0;
	size_t equal = TRACE_RUN_BYTES / (size_t)ranks;

	if (bytes > 0)
		return bytes;
	return equal > TRACE_FILE_BLOCK ? equal : TRACE_FILE_BLOCK;
}

int trace_file_open(struct trace_file *file, const char *path, size_t max)
{
	*file = (struct trace_file){
		.fd = -1,
		.max = max < TRACE_FILE_MAX ? max : TRACE_FILE_MAX,
	};
	file->fd = open(
		path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	return file->fd < 0 ? -1 : 0;
}

/* Bytes that end a block and begin the next one go there in two pieces; readers
 * take what is cut for the end of a rank that died, so it must be the last. */
int trace_file_add(struct trace_file *file, const uint8_t *bytes, size_t size)
{
	size_t from = file->written % TRACE_FILE_BLOCK;
	size_t here = TRACE_FILE_BLOCK - from;

	if (file->fd < 0)
		return -1;
	if (size > file->max - file->written || (from == 0 && block_map(file)))
		goto full;
	if (size <= here) {
		memcpy(file->block + from, bytes, size);
		file->written += size;
		return 0;
	}
	memcpy(file->block + from, bytes, here);
	file->written += here;
	if (block_map(file)) {
		file->written -= here;
		goto full;
	}
	memcpy(file->block, bytes + here, size - here);
	file->written += size - here;
	return 0;
full:
	trace_file_close(file);
	return -1;
}

void trace_file_close(struct trace_file *file)
{
	block_unmap(file);
	if (file->fd < 0)
		return;
	/* Else zeros at its end, which mean the same. */
	(void)!ftruncate(file->fd, (off_t)file->written);
	close(file->fd);
	file->fd = -1;
}
