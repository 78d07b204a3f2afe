/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool.c - records that wait on disk until predictd has stored them
 *
 * The queue is an array of names in memory, sorted by number, over files in
 * one folder; the files are the truth and are listed at the start.  A record
 * is written to a temporary name, synced, and renamed.  One thread uses it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collectors/runs/spool.h"
#include "predictor/base/durable.h"
#include "predictor/base/index.h"
#include "predictor/base/log.h"
#include "predictor/base/remove_tree.h"
#include "predictor/features/measurement.h"

#define NAME_SIZE   64
#define NAMES_MAX   1000000
#define REFUSED_MAX 200 /* files kept to be looked at */

/* For some 300 jobs, each of which makes about seven files; on a small disk a
 * part of it. */
#define SPARES_MAX  2048
#define SPARES_PART 8

/* Little room is less than this, or than a part of a small disk. */
#define LOW_MB    64.0
#define LOW_FILES 4096
#define LOW_PART  16

#define OLD_ENTRIES_MAX 100000 /* removed at a start, of one job */

#define LOST_MAX 4096 /* bytes that `lost` may have on a full disk */

struct spool {
	struct spool_folders folders;
	int lock;
	size_t max_bytes, bytes, failed;
	uint64_t next;
	uint32_t count, room;
	struct spool_record *records; /* ascending numbers */
	bool full_said;
	bool failing;   /* files are not written, or the disk is full */
	bool unwritten; /* the last file of ours */
	bool low;
	int lost_fd;
	size_t lost_before, lost_seen; /* by the plugin */
	struct timespec spares_at;     /* when the last was made or taken */
};

static const char *const suffixes[RECORD_KINDS] = {
	[RECORD_RUN] = "run",
	[RECORD_SHARE] = "share",
	[RECORD_PROFILE] = "profile",
};

static void record_name(const struct spool_record *record, char *ret)
{
	snprintf(ret, NAME_SIZE, "%020" PRIu64 ".%s", record->number,
		 suffixes[record->kind]);
}

static int record_from_name(const char *name, struct spool_record *ret)
{
	char again[NAME_SIZE];

	ret->number = strtoull(name, NULL, 10);
	for (int kind = 0; kind < RECORD_KINDS; kind++) {
		ret->kind = (enum record_kind)kind;
		record_name(ret, again);
		if (strcmp(again, name) == 0)
			return 0;
	}
	return -1;
}

static int add_record(struct spool *spool, const struct spool_record *record)
{
	if (index_grow(&spool->records, &spool->room, spool->count,
		       sizeof(*spool->records)))
		return -1;
	spool->records[spool->count++] = *record;
	spool->bytes += record->size;
	spool->next = record->number + 1;
	return 0;
}

static void forget_record(struct spool *spool, size_t index)
{
	spool->bytes -= spool->records[index].size;
	spool->count--;
	memmove(&spool->records[index], &spool->records[index + 1],
		(spool->count - index) * sizeof(*spool->records));
	if (spool->bytes < spool->max_bytes / 2)
		spool->full_said = false;
}

static int load_queue(struct spool *spool, struct sp_error *err)
{
	char **names;
	size_t count;
	int rc = 0;

	if (durable_names(spool->folders.queue, NAMES_MAX, &names, &count, err))
		return -1;
	for (size_t i = 0; i < count && rc == 0; i++) {
		struct spool_record record;
		struct stat about;

		/* Nothing of ours: left alone, and never sent. */
		if (record_from_name(names[i], &record) ||
		    fstatat(spool->folders.queue, names[i], &about,
			    AT_SYMLINK_NOFOLLOW))
			continue;
		record.size = about.st_size < UINT32_MAX
				      ? (uint32_t)about.st_size
				      : UINT32_MAX;
		if (add_record(spool, &record))
			rc = sp_error_set(err, "spool: out of memory");
	}
	durable_names_free(names, count);
	return rc;
}

static const struct {
	const char *name;
	size_t offset;
	unsigned mode;
} folders[] = {
#define FOLDER(member, name, mode)                                 \
	{                                                          \
		name, offsetof(struct spool_folders, member), mode \
	}
	FOLDER(queue, "queue", 0700),
	FOLDER(refused, "refused", 0700),
	FOLDER(events, "events", 0700),
	FOLDER(steps, "steps", 0700),
	FOLDER(jobs, "jobs", 0700),
	FOLDER(shares, "shares", 0711),
	FOLDER(hosts, "hosts", 0711),
	FOLDER(spares, "spares", 0700),
	FOLDER(users, "users", 0711),
	FOLDER(mpi, "users/mpi", 0711),
	FOLDER(traces, "users/traces", 0711),
	FOLDER(removed, "users/removed", 0700),
};
#define FOLDERS (sizeof(folders) / sizeof(*folders))

static int *folder_fd(struct spool *spool, size_t i)
{
	return (int *)((char *)&spool->folders + folders[i].offset);
}

static int open_folders(struct spool *spool, const char *path,
			struct sp_error *err)
{
	int rc = 0;

	spool->lock = durable_folder(AT_FDCWD, path, 0711, err);
	if (spool->lock < 0)
		return -1;
	if (flock(spool->lock, LOCK_EX | LOCK_NB))
		return sp_error_set(err,
				    "%s is in use: is another collectord "
				    "running?",
				    path);
	for (size_t i = 0; i < FOLDERS; i++) {
		*folder_fd(spool, i) = durable_folder(
			spool->lock, folders[i].name, folders[i].mode, err);
		if (*folder_fd(spool, i) < 0)
			rc = -1;
	}
	return rc;
}

/* Return whether the job JOBID of a name is open: its processes still look for
 * the folder where it is. */
static bool is_open(const char *name, char *const *open, size_t count)
{
	unsigned long id = strtoul(name, NULL, 10);
	bool found = false;

	for (size_t i = 0; i < count && !found; i++)
		found = strtoul(open[i], NULL, 10) == id;
	return found;
}

/* Move to `to` what an earlier version had in SPOOL/NAME; what is on another
 * file system is removed. */
static void move_old(const struct spool *spool, const char *name, int to)
{
	int from = openat(spool->lock, name,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char **names, **open = NULL;
	size_t count, open_count = 0;

	if (from < 0)
		return;
	if (!durable_names(spool->folders.jobs, NAMES_MAX, &open, &open_count,
			   NULL) &&
	    !durable_names(from, NAMES_MAX, &names, &count, NULL)) {
		for (size_t i = 0; i < count; i++)
			if (!is_open(names[i], open, open_count) &&
			    renameat(from, names[i], to, names[i]) &&
			    errno == EXDEV)
				(void)remove_tree(from, names[i],
						  OLD_ENTRIES_MAX, NULL);
		durable_names_free(names, count);
	}
	durable_names_free(open, open_count);
	close(from);
	if (unlinkat(spool->lock, name, AT_REMOVEDIR) && errno != ENOTEMPTY)
		log_warning("spool: remove %s of an earlier version: %s", name,
			    strerror(errno));
}

/* Bounded: the oldest of what was refused goes. */
static void trim_refused(struct spool *spool)
{
	char **names;
	size_t count;

	if (durable_names(spool->folders.refused, NAMES_MAX, &names, &count,
			  NULL))
		return;
	for (size_t i = 0; i + REFUSED_MAX < count; i++)
		unlinkat(spool->folders.refused, names[i], 0);
	durable_names_free(names, count);
}

/* --- A full disk ---------------------------------------------------------- */

static void fill_spares(struct spool *spool)
{
	struct statvfs disk;
	struct stat about;

	if (fstatvfs(spool->lock, &disk))
		return;

	double part = (double)disk.f_blocks * (double)disk.f_frsize /
		      SPARES_PART / DURABLE_SPARE_BYTES;

	if (durable_spare_fill(spool->folders.spares,
			       (unsigned)fmin(SPARES_MAX, part)))
		log_warning("spool: not all spares for a full disk: %s",
			    strerror(errno));
	if (!fstat(spool->folders.spares, &about))
		spool->spares_at = about.st_mtim;
}

/* The plugin renames spares, which changes their folder's time. */
static bool spares_are_missing(const struct spool *spool)
{
	struct stat about;

	return !fstat(spool->folders.spares, &about) &&
	       (about.st_mtim.tv_sec != spool->spares_at.tv_sec ||
		about.st_mtim.tv_nsec != spool->spares_at.tv_nsec);
}

static size_t count_lost(const struct spool *spool)
{
	struct stat about = { .st_size = 0 };

	if (spool->lost_fd >= 0)
		(void)fstat(spool->lost_fd, &about);
	return spool->lost_before + (size_t)about.st_size;
}

/* What was lost before counts from now on: perhaps nobody has seen it. */
static void begin_lost(struct spool *spool)
{
	spool->lost_fd =
		openat(spool->lock, "lost",
		       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	spool->lost_before = count_lost(spool);
	if (spool->lost_fd < 0 || ftruncate(spool->lost_fd, 0) ||
	    fallocate(spool->lost_fd, FALLOC_FL_KEEP_SIZE, 0, LOST_MAX))
		log_warning("spool: lost: %s", strerror(errno));
}

struct spool *spool_open(const char *path, size_t max_bytes,
			 struct sp_error *err)
{
	struct spool *spool = calloc(1, sizeof(*spool));

	if (!spool)
		return sp_error_null(err, "spool: out of memory");
	for (size_t i = 0; i < FOLDERS; i++)
		*folder_fd(spool, i) = -1;
	spool->lock = spool->lost_fd = -1;
	spool->max_bytes = max_bytes;
	spool->next = 1;
	if (open_folders(spool, path, err))
		goto failed;
	/* Not in events: the plugin may be writing there just now. */
	durable_clean(spool->folders.queue);
	durable_clean(spool->folders.jobs);
	durable_clean(spool->folders.shares);
	durable_clean(spool->folders.hosts);
	if (load_queue(spool, err))
		goto failed;
	move_old(spool, "mpi", spool->folders.mpi);
	move_old(spool, "traces", spool->folders.traces);
	trim_refused(spool);
	begin_lost(spool);
	fill_spares(spool);
	return spool;
failed:
	spool_close(spool);
	return NULL;
}

void spool_close(struct spool *spool)
{
	if (!spool)
		return;

	for (size_t i = 0; i < FOLDERS; i++)
		if (*folder_fd(spool, i) >= 0)
			close(*folder_fd(spool, i));
	if (spool->lost_fd >= 0)
		close(spool->lost_fd);
	if (spool->lock >= 0)
		close(spool->lock);
	free(spool->records);
	free(spool);
}

const struct spool_folders *spool_folders(const struct spool *spool)
{
	return &spool->folders;
}

void spool_set_limit(struct spool *spool, size_t max_bytes)
{
	spool->max_bytes = max_bytes;
}

static void remove_file(struct spool *spool, size_t index)
{
	char name[NAME_SIZE];

	record_name(&spool->records[index], name);
	if (unlinkat(spool->folders.queue, name, 0) && errno != ENOENT)
		log_error("spool: cannot remove %s: %s", name, strerror(errno));
}

/* A run is worth more than the shares and profiles of older ones. */
static void make_room(struct spool *spool, size_t size)
{
	size_t index = 0;

	while (index < spool->count && spool->bytes + size > spool->max_bytes) {
		if (spool->records[index].kind == RECORD_RUN) {
			index++;
			continue;
		}
		remove_file(spool, index);
		forget_record(spool, index);
	}
}

static void say_full(struct spool *spool)
{
	if (!spool->full_said)
		log_error("spool full: %u records, %zu bytes wait for "
			  "predictd; shares, profiles and new records are "
			  "dropped",
			  spool->count, spool->bytes);
	spool->full_said = true;
}

int spool_put(struct spool *spool, enum record_kind kind, const char *text,
	      size_t size, struct sp_error *err)
{
	struct spool_record record = { .number = spool->next,
				       .kind = kind,
				       .size = (uint32_t)size };
	char name[NAME_SIZE];

	if (size > SPOOL_RECORD_MAX)
		return sp_error_set(err, "a record of %zu bytes is too large",
				    size);
	if (spool->bytes + size > spool->max_bytes) {
		say_full(spool);
		if (kind == RECORD_RUN)
			make_room(spool, size);
		if (spool->bytes + size > spool->max_bytes)
			return sp_error_set(err, "the spool is full");
	}
	record_name(&record, name);

	int rc = durable_write_spare(spool->folders.queue, name, text, size,
				     err);

	spool_note_write(spool, rc, err);
	if (rc)
		return -1;
	if (add_record(spool, &record)) {
		unlinkat(spool->folders.queue, name, 0);
		return sp_error_set(err, "spool: out of memory");
	}
	return 0;
}

size_t spool_count(const struct spool *spool)
{
	return spool->count;
}

size_t spool_failed(const struct spool *spool)
{
	return spool->failed + count_lost(spool);
}

static void failing_set(struct spool *spool, bool failing, const char *why)
{
	if (failing && !spool->failing)
		log_error("spool: %s", why);
	else if (!failing && spool->failing)
		log_info("the spool can be written again; %zu files were lost",
			 spool_failed(spool));
	spool->failing = failing;
}

void spool_note_write(struct spool *spool, int rc, const struct sp_error *err)
{
	spool->unwritten = rc != 0;
	spool->failed += rc != 0;
	if (rc)
		failing_set(spool, true, err ? err->text : "not written");
}

static bool is_low(double free, double all, double low)
{
	return free < fmin(low, all / LOW_PART);
}

double spool_free_mb(struct spool *spool)
{
	const double mb = 1 << 20;
	size_t lost = count_lost(spool);
	bool lost_more = lost > spool->lost_seen;
	struct statvfs disk;

	if (fstatvfs(spool->lock, &disk))
		return NAN;

	double unit_mb = (double)disk.f_frsize / mb;
	double free_mb = (double)disk.f_bavail * unit_mb;

	if (disk.f_files && !disk.f_favail)
		free_mb = 0;
	spool->low =
		is_low(free_mb, (double)disk.f_blocks * unit_mb, LOW_MB) ||
		is_low((double)disk.f_favail, (double)disk.f_files, LOW_FILES);
	spool->lost_seen = lost;
	if (lost_more)
		failing_set(spool, true,
			    "the SPANK plugin could not write: runs are lost");
	else if (free_mb < SPOOL_FULL_MB)
		failing_set(spool, true,
			    "the disk is full; what was kept for the jobs of "
			    "an hour is used up now");
	else if (!spool->unwritten)
		failing_set(spool, false, NULL);
	if (!spool->low && spares_are_missing(spool))
		fill_spares(spool);
	return free_mb;
}

bool spool_is_low(const struct spool *spool)
{
	return spool->low;
}

struct spool_record spool_at(const struct spool *spool, size_t index)
{
	return spool->records[index];
}

int spool_read(const struct spool *spool, size_t index, char **ret_text,
	       size_t *ret_size, struct sp_error *err)
{
	char name[NAME_SIZE];

	record_name(&spool->records[index], name);
	return durable_read(spool->folders.queue, name, SPOOL_RECORD_MAX,
			    ret_text, ret_size, err);
}

void spool_done(struct spool *spool, size_t index)
{
	remove_file(spool, index);
	forget_record(spool, index);
}

void spool_refuse(struct spool *spool, size_t index, const char *why)
{
	char name[NAME_SIZE];

	record_name(&spool->records[index], name);
	log_error("record %s is moved to refused: %s", name, why);
	if (renameat(spool->folders.queue, name, spool->folders.refused, name))
		remove_file(spool, index);
	forget_record(spool, index);
	trim_refused(spool);
}
