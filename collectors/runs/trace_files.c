/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_files.c - files of traced jobs that wait on disk for predictd
 *
 * Now and then SPOOL/traces is read: of a job that runs there is a folder
 * JOBID, of one that has ended JOBID-UID-SECONDS, a name that only root can
 * give.  Each file has a row in memory that says how many of its blocks are
 * stored; rows of files that are gone go, too.  The rows are searched in turn
 * for a block to send.  One thread; no lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/runs/trace_files.h"
#include "collectors/runs/trace_path.h"
#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "predictor/base/remove_tree.h"

#define FOLDERS_MAX 1024
#define FILES_MAX   1024 /* of a job on one node */
#define ROWS_MAX    65536
#define SCAN_S      10.0
#define GATHER_S    0.05 /* between two blocks */

/* A job whose end was never reported. */
#define FORGOTTEN_S 86400.0

struct row {
	struct trace_path path;
	int block; /* the next one to send */
	bool done; /* all is stored, or is not wanted */
	bool seen; /* at the last scan */
};

struct trace_files {
	int folder;
	size_t max_bytes;
	double scan_at_s, send_at_s;
	size_t count, room;
	struct row *rows;
	size_t found;   /* behind the last one: a scan has their order */
	size_t turn;    /* row of the last block */
	bool turn_last; /* it was the last of its file */
};

struct trace_files *trace_files_create(int folder, size_t max_bytes)
{
	struct trace_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->folder = folder;
	files->max_bytes = max_bytes;
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

void trace_files_set_limit(struct trace_files *files, size_t max_bytes)
{
	files->max_bytes = max_bytes;
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
	if (files->count == files->room) {
		size_t room = files->room ? 2 * files->room : 64;
		struct row *rows;

		if (room > ROWS_MAX)
			return;
		rows = realloc(files->rows, room * sizeof(*rows));
		if (!rows)
			return;
		files->rows = rows;
		files->room = room;
	}
	files->rows[files->count++] =
		(struct row){ .path = *path, .seen = true };
}

/* Rows of files that are gone, or of that folder. */
static void forget_rows(struct trace_files *files, const char *folder)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct row *row = &files->rows[i];

		if (folder ? strcmp(row->path.folder, folder) != 0 : row->seen)
			files->rows[kept++] = *row;
	}
	files->count = kept;
}

static void remove_folder(struct trace_files *files, const char *name)
{
	struct sp_error err;

	forget_rows(files, name);
	if (remove_tree(files->folder, name, &err))
		log_warning("traces: %s", err.text);
}

struct job_folder {
	struct trace_path path; /* without a file */
	size_t bytes;           /* on the disk */
	double changed_s;       /* its owner, mode or files */
	bool taken; /* the plugin has; the event of the end will come */
	int unsent; /* files */
};

/* All files of a job; unless `unsent` is 0 the job has some to be sent. */
static int scan_folder(struct trace_files *files, struct job_folder *job)
{
	int fd = openat(files->folder, job->path.folder,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat about;
	char **names = NULL;
	size_t count = 0;

	if (fd < 0 || fstat(fd, &about) ||
	    durable_names(fd, FILES_MAX, &names, &count, NULL)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	job->changed_s = (double)about.st_ctime;
	job->taken = !job->path.ended && !(about.st_mode & 0070);
	if (!job->path.ended)
		job->path.user_id = about.st_uid;
	for (size_t i = 0; i < count; i++) {
		struct trace_path path = job->path;

		if (fstatat(fd, names[i], &about, AT_SYMLINK_NOFOLLOW) == 0)
			job->bytes += (size_t)about.st_blocks * 512;
		if (!job->taken && !trace_path_file(names[i], &path) &&
		    trace_path_check(fd, &path))
			add_row(files, &path);
	}
	durable_names_free(names, count);
	close(fd);
	for (size_t i = 0; i < files->count; i++)
		job->unsent +=
			!files->rows[i].done &&
			!strcmp(files->rows[i].path.folder, job->path.folder);
	return 0;
}

/* Return the first of all that have ended, else the one that wrote most. */
static struct job_folder *choose_dropped(struct job_folder *jobs, size_t count)
{
	struct job_folder *chosen = NULL;

	for (size_t i = 0; i < count; i++) {
		struct job_folder *job = &jobs[i];

		if (!job->bytes)
			continue;
		if (!chosen || (job->path.ended && !chosen->path.ended) ||
		    (job->path.ended && chosen->path.ended &&
		     job->changed_s < chosen->changed_s) ||
		    (!job->path.ended && !chosen->path.ended &&
		     job->bytes > chosen->bytes))
			chosen = job;
	}
	return chosen;
}

/* A job that runs keeps its folder; its processes keep what they opened. */
static void drop_files(struct trace_files *files, const struct job_folder *job)
{
	int fd;
	char **names;
	size_t count;

	log_warning("traces: those of job %u are dropped: all have more than "
		    "%zu MiB (TracesMaxMB)",
		    job->path.job_id, files->max_bytes >> 20);
	if (job->path.ended) {
		remove_folder(files, job->path.folder);
		return;
	}
	forget_rows(files, job->path.folder);
	fd = openat(files->folder, job->path.folder,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!durable_names(fd, FILES_MAX, &names, &count, NULL)) {
		for (size_t i = 0; i < count; i++)
			unlinkat(fd, names[i], 0);
		durable_names_free(names, count);
	}
	close(fd);
}

static void keep_limit(struct trace_files *files, struct job_folder *jobs,
		       size_t count)
{
	size_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += jobs[i].bytes;
	while (all > files->max_bytes) {
		struct job_folder *job = choose_dropped(jobs, count);

		if (!job)
			break;
		drop_files(files, job);
		all -= job->bytes;
		job->bytes = 0;
	}
}

static void scan(struct trace_files *files, double now_s)
{
	char **names;
	size_t count, jobs_count = 0;
	struct job_folder *jobs;

	files->scan_at_s = HUGE_VAL;
	if (durable_names(files->folder, FOLDERS_MAX, &names, &count, NULL))
		return;
	jobs = calloc(count + 1, sizeof(*jobs));
	for (size_t i = 0; i < files->count; i++)
		files->rows[i].seen = false;
	for (size_t i = 0; jobs && i < count; i++) {
		struct job_folder *job = &jobs[jobs_count];

		*job = (struct job_folder){ .unsent = 0 };
		if (strlen(names[i]) >= TRACE_PATH_SIZE ||
		    trace_path_folder(names[i], &job->path) ||
		    scan_folder(files, job))
			continue;
		if (job->path.ended
			    ? !job->unsent
			    : job->taken && clock_now_s() > job->changed_s +
								    FORGOTTEN_S)
			remove_folder(files, names[i]);
		else
			jobs_count++;
	}
	forget_rows(files, NULL);
	if (jobs)
		keep_limit(files, jobs, jobs_count);
	if (jobs_count) {
		files->scan_at_s = now_s + SCAN_S;
		files->send_at_s = now_s;
	}
	free(jobs);
	durable_names_free(names, count);
}

/* --- From outside --------------------------------------------------------- */

void trace_files_started(struct trace_files *files, double now_s)
{
	files->scan_at_s = fmin(files->scan_at_s, now_s + SCAN_S);
}

void trace_files_ended(struct trace_files *files, uint32_t job_id,
		       uint32_t user_id, double now_s)
{
	char name[TRACE_PATH_SIZE], ended[TRACE_PATH_SIZE];

	snprintf(name, sizeof(name), "%u", job_id);
	snprintf(ended, sizeof(ended), "%u-%u-%lld", job_id, user_id,
		 (long long)clock_now_s());
	if (renameat(files->folder, name, files->folder, ended)) {
		if (errno != ENOENT)
			log_warning("traces: of job %u: %s", job_id,
				    strerror(errno));
		return;
	}
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
	int folder = openat(files->folder, row->path.folder,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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
	bool open = false;

	row->block++;
	row->done = files->turn_last || !wanted;
	files->send_at_s = now_s + GATHER_S;
	for (size_t i = 0; i < files->count; i++)
		open |= !files->rows[i].done &&
			!strcmp(files->rows[i].path.folder, row->path.folder);
	if (row->path.ended && !open)
		files->scan_at_s = now_s; /* removes them */
}
