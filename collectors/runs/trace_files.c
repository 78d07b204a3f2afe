/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_files.c - files of traced jobs that wait on disk for predictd
 *
 * Now and then SPOOL/traces is read: of a job that runs there is a folder JOBID,
 * of one that has ended JOBID-UID-SECONDS, a name that only root can give.  Each
 * file has a row in memory that says how many of its blocks are stored; rows of
 * files that are gone go, too.  The rows are searched in turn for a block to
 * send.  One thread; no lock.
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
#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "predictor/base/remove_tree.h"

#define FOLDERS_MAX    1024
#define FILES_MAX      1024 /* of a job on one node */
#define ROWS_MAX       65536
#define SCAN_S         10.0
#define GATHER_S       0.05 /* between two blocks */
#define NAME_SIZE      48
#define FILE_BYTES_MAX ((off_t)16 << 20)
#define HEADER_BYTES   28

/* A job of whose end nobody told. */
#define FORGOTTEN_S 86400.0

struct row {
	char folder[NAME_SIZE];
	char name[NAME_SIZE];
	char mpi_run[TRACE_RUN_SIZE];
	uint32_t job_id;
	uint32_t user_id;
	int rank, ranks;
	int block;  /* the next one to send */
	bool ended; /* the job */
	bool done;  /* all is stored, or is not wanted */
	bool seen;  /* at the last scan */
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

/* --- Names and beginnings ------------------------------------------------- */

/* A number of FORMAT.md.  -1: there is none. */
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

int trace_files_header(const unsigned char *bytes, size_t size, int *ret_rank,
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

/* JOBID, or JOBID-UID-SECONDS of a job that has ended. */
static int parse_folder(const char *name, struct row *ret)
{
	unsigned long long job, user;
	long long seconds;
	char again[NAME_SIZE];

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

/* RUN.RANK */
static int parse_file(const char *name, struct row *ret)
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

/* A plain file of that user; *ret_size is what counts of it. */
static int open_file(int folder, const struct row *row, off_t *ret_size)
{
	int fd = openat(folder, row->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat about;

	if (fd < 0)
		return -1;
	if (fstat(fd, &about) || !S_ISREG(about.st_mode) ||
	    about.st_nlink != 1 || about.st_uid != row->user_id) {
		close(fd);
		return -1;
	}
	*ret_size =
		about.st_size < FILE_BYTES_MAX ? about.st_size : FILE_BYTES_MAX;
	return fd;
}

/* Whether it begins as a trace of that rank. */
static bool check_file(int folder, struct row *row, bool *ret_is_there)
{
	unsigned char head[HEADER_BYTES];
	off_t size;
	int rank, fd = open_file(folder, row, &size);
	ssize_t count;

	*ret_is_there = fd >= 0;
	if (fd < 0)
		return false;
	count = pread(fd, head, sizeof(head), 0);
	close(fd);
	return count > 0 &&
	       !trace_files_header(head, (size_t)count, &rank, &row->ranks) &&
	       rank == row->rank;
}

/* --- The folders ---------------------------------------------------------- */

static struct row *find_row(struct trace_files *files, const struct row *like)
{
	for (size_t k = 0; k < files->count; k++) {
		size_t i = (files->found + k) % files->count;

		if (!strcmp(files->rows[i].name, like->name) &&
		    !strcmp(files->rows[i].folder, like->folder)) {
			files->found = i + 1;
			return &files->rows[i];
		}
	}
	return NULL;
}

static void add_row(struct trace_files *files, const struct row *row)
{
	struct row *known = find_row(files, row);

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
	files->rows[files->count] = *row;
	files->rows[files->count++].seen = true;
}

/* Rows of files that are gone, or of that folder. */
static void forget_rows(struct trace_files *files, const char *folder)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct row *row = &files->rows[i];

		if (folder ? strcmp(row->folder, folder) != 0 : row->seen)
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
	struct row row;
	size_t bytes;     /* on the disk */
	double changed_s; /* its owner, mode or files */
	bool taken;       /* the plugin has; the event of the end will come */
	int unsent;       /* files */
};

/* All files of a job; unless `unsent` is 0 the job has some to be sent. */
static int scan_folder(struct trace_files *files, struct job_folder *job)
{
	int fd = openat(files->folder, job->row.folder,
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
	job->taken = !job->row.ended && !(about.st_mode & 0070);
	if (!job->row.ended)
		job->row.user_id = about.st_uid;
	for (size_t i = 0; i < count; i++) {
		struct row row = job->row;
		bool is_there;

		if (fstatat(fd, names[i], &about, AT_SYMLINK_NOFOLLOW) == 0)
			job->bytes += (size_t)about.st_blocks * 512;
		if (job->taken || parse_file(names[i], &row))
			continue;
		if (check_file(fd, &row, &is_there))
			add_row(files, &row);
	}
	durable_names_free(names, count);
	close(fd);
	for (size_t i = 0; i < files->count; i++)
		job->unsent += !files->rows[i].done &&
			       !strcmp(files->rows[i].folder, job->row.folder);
	return 0;
}

/* The first of all that have ended, else the one that wrote most. */
static struct job_folder *choose_dropped(struct job_folder *jobs, size_t count)
{
	struct job_folder *chosen = NULL;

	for (size_t i = 0; i < count; i++) {
		struct job_folder *job = &jobs[i];

		if (!job->bytes)
			continue;
		if (!chosen || (job->row.ended && !chosen->row.ended) ||
		    (job->row.ended && chosen->row.ended &&
		     job->changed_s < chosen->changed_s) ||
		    (!job->row.ended && !chosen->row.ended &&
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
		    job->row.job_id, files->max_bytes >> 20);
	if (job->row.ended) {
		remove_folder(files, job->row.folder);
		return;
	}
	forget_rows(files, job->row.folder);
	fd = openat(files->folder, job->row.folder,
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
		if (strlen(names[i]) >= NAME_SIZE ||
		    parse_folder(names[i], &job->row) ||
		    scan_folder(files, job))
			continue;
		if (job->row.ended
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
	char name[NAME_SIZE], ended[NAME_SIZE];

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

		if (strcmp(row->folder, name) != 0)
			continue;
		strcpy(row->folder, ended);
		row->ended = true;
	}
	files->scan_at_s = now_s;
}

double trace_files_at_s(const struct trace_files *files)
{
	return fmin(files->scan_at_s, files->send_at_s);
}

/* The next block of the row, if it is complete.  A file that was cut within a
 * block is complete itself. */
static bool read_block(struct trace_files *files, struct row *row,
		       struct trace_block *ret, unsigned char *raw,
		       size_t *ret_size)
{
	int folder = openat(files->folder, row->folder,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	off_t from = (off_t)row->block * TRACE_BLOCK_BYTES, size = 0;
	int fd = folder < 0 ? -1 : open_file(folder, row, &size);
	bool is_cut = row->ended || size % TRACE_BLOCK_BYTES != 0;
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
	ret->job_id = row->job_id;
	ret->user_id = row->user_id;
	strcpy(ret->mpi_run, row->mpi_run);
	ret->ranks = row->ranks;
	ret->rank = row->rank;
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
			!strcmp(files->rows[i].folder, row->folder);
	if (row->ended && !open)
		files->scan_at_s = now_s; /* removes them */
}
