/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_files.c - files of traced jobs that wait on disk for predictd
 *
 * Now and then SPOOL/users/traces is read: of a job that runs there is a folder
 * JOBID, of one that has ended JOBID-UID-SECONDS, a name that only root can
 * give.  Each file has a row in memory that says how many of its blocks are
 * stored; rows of files that are gone go, too.  The rows are searched in turn
 * for a block to send.  One thread; no lock.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/runs/trace_files.h"
#include "collectors/runs/trace_path.h"
#include "predictor/base/durable.h"
#include "predictor/base/index.h"
#include "predictor/base/remove_tree.h"

#define FOLDERS_MAX 1024
#define FILES_MAX   1024 /* of a job on one node */
#define ROWS_MAX    65536
#define SCAN_S      10.0
#define GATHER_S    0.05 /* between two blocks */

struct row {
	struct trace_path path;
	int block; /* the next one to send */
	bool done; /* all is stored, or is not wanted */
	bool seen; /* at the last scan */
};

struct trace_files {
	int folder;
	struct user_folders *users;
	double scan_at_s, send_at_s;
	uint32_t count, room;
	struct row *rows;
	size_t found;   /* behind the last one: a scan has their order */
	size_t turn;    /* row of the last block */
	bool turn_last; /* it was the last of its file */
};

struct trace_files *trace_files_create(int folder, struct user_folders *users)
{
	struct trace_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->folder = folder;
	files->users = users;
	files->send_at_s = HUGE_VAL;
	return files;
}

void trace_files_destroy(struct trace_files *files)
{
	if (!files)
		return;
	free(files->rows);
	free(files);
}

/* --- The folders ---------------------------------------------------------- */

static struct row *find_row(struct trace_files *files,
			    const struct trace_path *like)
{
	for (size_t k = 0; k < files->count; k++) {
		size_t i = (files->found + k) % files->count;

		if (!strcmp(files->rows[i].path.name, like->name) &&
		    !strcmp(files->rows[i].path.folder, like->folder)) {
			files->found = i + 1;
			return &files->rows[i];
		}
	}
	return NULL;
}

static void add_row(struct trace_files *files, const struct trace_path *path)
{
	struct row *known = find_row(files, path);

	if (known) {
		known->seen = true;
		return;
	}
	if (files->count == ROWS_MAX ||
	    index_grow(&files->rows, &files->room, files->count,
		       sizeof(*files->rows)))
		return;
	files->rows[files->count++] =
		(struct row){ .path = *path, .seen = true };
}

/* Rows of files that are gone. */
static void forget_rows(struct trace_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++)
		if (files->rows[i].seen)
			files->rows[kept++] = files->rows[i];
	files->count = kept;
}

/* Whether a job has files to be sent. */
static bool has_unsent(const struct trace_files *files, const char *folder)
{
	for (size_t i = 0; i < files->count; i++)
		if (!files->rows[i].done &&
		    !strcmp(files->rows[i].path.folder, folder))
			return true;
	return false;
}

/* All files of a job; `job`: without a file. */
static int scan_folder(struct trace_files *files, struct trace_path *job)
{
	int fd = tree_open(files->folder, job->folder, O_DIRECTORY);
	struct stat about;
	char **names = NULL;
	size_t count = 0;

	if (fd < 0 || fstat(fd, &about) ||
	    durable_names(fd, FILES_MAX, &names, &count, NULL)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (!job->ended)
		job->user_id = about.st_uid;
	for (size_t i = 0; i < count; i++) {
		struct trace_path path = *job;

		if (!trace_path_file(names[i], &path) &&
		    trace_path_check(fd, &path))
			add_row(files, &path);
	}
	durable_names_free(names, count);
	close(fd);
	return 0;
}

static void scan(struct trace_files *files, double now_s)
{
	char **names;
	size_t count;
	bool open = false;

	files->scan_at_s = HUGE_VAL;
	if (durable_names(files->folder, FOLDERS_MAX, &names, &count, NULL))
		return;
	for (size_t i = 0; i < files->count; i++)
		files->rows[i].seen = false;
	for (size_t i = 0; i < count; i++) {
		struct trace_path job = { .folder = "" };

		if (strlen(names[i]) >= TRACE_PATH_SIZE ||
		    trace_path_folder(names[i], &job) ||
		    scan_folder(files, &job))
			continue;
		if (job.ended && !has_unsent(files, job.folder))
			user_folders_drop(files->users, files->folder,
					  names[i]);
		else
			open = true;
	}
	forget_rows(files);
	if (open) {
		files->scan_at_s = now_s + SCAN_S;
		files->send_at_s = now_s;
	}
	durable_names_free(names, count);
}

/* --- From outside --------------------------------------------------------- */

void trace_files_started(struct trace_files *files, double now_s)
{
	files->scan_at_s = fmin(files->scan_at_s, now_s + SCAN_S);
}

void trace_files_ended(struct trace_files *files, uint32_t job_id,
		       uint32_t user_id, double ended_at_s, double now_s)
{
	char name[TRACE_PATH_SIZE], ended[TRACE_PATH_SIZE];

	snprintf(name, sizeof(name), "%u", job_id);
	snprintf(ended, sizeof(ended), "%u-%u-%lld", job_id, user_id,
		 (long long)ended_at_s);
	if (faccessat(files->folder, ended, F_OK, AT_SYMLINK_NOFOLLOW))
		return;
	for (size_t i = 0; i < files->count; i++) {
		struct row *row = &files->rows[i];

		if (strcmp(row->path.folder, name) != 0)
			continue;
		strcpy(row->path.folder, ended);
		row->path.ended = true;
	}
	files->scan_at_s = now_s;
}

double trace_files_at_s(const struct trace_files *files)
{
	return fmin(files->scan_at_s, files->send_at_s);
}

/* Read the next block of the row, if it is complete.  A file that was cut
 * within a block is complete itself. */
static bool read_block(struct trace_files *files, struct row *row,
		       struct trace_block *ret, unsigned char *raw,
		       size_t *ret_size)
{
	int folder = tree_open(files->folder, row->path.folder, O_DIRECTORY);
	off_t from = (off_t)row->block * TRACE_BLOCK_BYTES, size = 0;
	int fd = folder < 0 ? -1 : trace_path_open(folder, &row->path, &size);
	bool is_cut = row->path.ended || size % TRACE_BLOCK_BYTES != 0;
	ssize_t count = 0;

	if (folder >= 0)
		close(folder);
	if (fd < 0)
		return false;
	if (size > from)
		count = pread(fd, raw, TRACE_BLOCK_BYTES, from);
	close(fd);
	if (count < 0 || (!is_cut && size < from + 2 * TRACE_BLOCK_BYTES))
		return false;
	ret->last = size <= from + TRACE_BLOCK_BYTES;
	if (!ret->last && count < TRACE_BLOCK_BYTES)
		return false; /* it became shorter: next time */
	while (ret->last && count > 0 && raw[count - 1] == 0)
		count--;
	ret->job_id = row->path.job_id;
	ret->user_id = row->path.user_id;
	strcpy(ret->mpi_run, row->path.mpi_run);
	ret->ranks = row->path.ranks;
	ret->rank = row->path.rank;
	ret->block = row->block;
	*ret_size = (size_t)count;
	return true;
}

bool trace_files_next(struct trace_files *files, double now_s,
		      struct trace_block *ret, unsigned char *raw,
		      size_t *ret_size)
{
	if (files->scan_at_s <= now_s)
		scan(files, now_s);
	if (files->send_at_s > now_s)
		return false;
	for (size_t n = 0; n < files->count; n++) {
		size_t i = (files->turn + n) % files->count;
		struct row *row = &files->rows[i];

		if (row->done || !read_block(files, row, ret, raw, ret_size))
			continue;
		files->turn = i;
		files->turn_last = ret->last;
		return true;
	}
	files->send_at_s = HUGE_VAL; /* until the next scan */
	return false;
}

void trace_files_stored(struct trace_files *files, bool wanted, double now_s)
{
	struct row *row = &files->rows[files->turn];

	row->block++;
	row->done = files->turn_last || !wanted;
	files->send_at_s = now_s + GATHER_S;
	if (row->path.ended && !has_unsent(files, row->path.folder))
		files->scan_at_s = now_s; /* removes them */
}
