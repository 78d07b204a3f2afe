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
#include "predictor/base/log.h"
#include "predictor/features/measurement.h"

#define NAME_SIZE   64
#define NAMES_MAX   1000000
#define REFUSED_MAX 200 /* files kept to be looked at */

struct spool {
	struct spool_folders folders;
	int lock;
	size_t max_bytes;
	size_t bytes, failed;
	uint64_t next;
	size_t count, room;
	struct spool_record *records; /* ascending numbers */
	bool full_said;
	bool failing; /* the last file was not written, or the disk is full */
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
	if (spool->count == spool->room) {
		size_t more = spool->room ? 2 * spool->room : 64;
		struct spool_record *grown =
			realloc(spool->records, more * sizeof(*grown));

		if (!grown)
			return -1;
		spool->records = grown;
		spool->room = more;
	}
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

static int open_folders(struct spool *spool, const char *path,
			struct sp_error *err)
{
	const struct {
		const char *name;
		int *fd;
		unsigned mode;
	} folders[] = {
		{ "queue", &spool->folders.queue, 0700 },
		{ "refused", &spool->folders.refused, 0700 },
		{ "events", &spool->folders.events, 0700 },
		{ "steps", &spool->folders.steps, 0700 },
		{ "jobs", &spool->folders.jobs, 0700 },
		{ "mpi", &spool->folders.mpi, 0711 },
		{ "traces", &spool->folders.traces, 0711 },
		{ "shares", &spool->folders.shares, 0711 },
		{ "hosts", &spool->folders.hosts, 0711 },
	};
	int rc = 0;

	spool->lock = durable_folder(AT_FDCWD, path, 0711, err);
	if (spool->lock < 0)
		return -1;
	if (flock(spool->lock, LOCK_EX | LOCK_NB))
		return sp_error_set(err,
				    "%s is in use: is another collectord "
				    "running?",
				    path);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		*folders[i].fd = durable_folder(spool->lock, folders[i].name,
						folders[i].mode, err);
		if (*folders[i].fd < 0)
			rc = -1;
	}
	return rc;
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

struct spool *spool_open(const char *path, size_t max_bytes,
			 struct sp_error *err)
{
	struct spool *spool = calloc(1, sizeof(*spool));

	if (!spool) {
		sp_error_set(err, "spool: out of memory");
		return NULL;
	}
	spool->folders =
		(struct spool_folders){ -1, -1, -1, -1, -1, -1, -1, -1, -1 };
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
	trim_refused(spool);
	return spool;
failed:
	spool_close(spool);
	return NULL;
}

void spool_close(struct spool *spool)
{
	if (!spool)
		return;

	const int fds[] = { spool->folders.queue,  spool->folders.refused,
			    spool->folders.events, spool->folders.steps,
			    spool->folders.jobs,   spool->folders.mpi,
			    spool->folders.traces, spool->folders.shares,
			    spool->folders.hosts,  spool->lock };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
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
		log_error("spool full: %zu records, %zu bytes wait for "
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

	int rc = durable_write(spool->folders.queue, name, text, size, err);

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
	return spool->failed;
}

static void failing_set(struct spool *spool, bool failing, const char *why)
{
	if (failing && !spool->failing)
		log_error("spool: %s: what jobs report is lost until there is "
			  "room",
			  why);
	else if (!failing && spool->failing)
		log_info("the spool can be written again; %zu files were lost",
			 spool->failed);
	spool->failing = failing;
}

void spool_note_write(struct spool *spool, int rc, const struct sp_error *err)
{
	spool->failed += rc != 0;
	failing_set(spool, rc != 0, rc && err ? err->text : "not written");
}

double spool_free_mb(struct spool *spool)
{
	struct statvfs about;
	double free_mb;

	if (fstatvfs(spool->lock, &about))
		return NAN;
	free_mb = (double)about.f_bavail * (double)about.f_frsize / (1 << 20);
	if (free_mb < SPOOL_FULL_MB)
		failing_set(spool, true, "the disk is full");
	return free_mb;
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
