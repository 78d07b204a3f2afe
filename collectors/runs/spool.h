/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool.h - records that wait on disk until predictd has stored them
 *
 * SPOOL/queue holds one JSON record (a run, a run's share or its profile, as in
 * wire.h) a file, named by number and kind.  A record is on disk before
 * spool_put() returns, and stays until spool_done(): so it is sent at least
 * once, whatever is killed and when.  The sum of sizes is bounded; when it is
 * reached, shares and profiles make room for runs, and after that new records
 * are refused.
 *
 * SPOOL also holds: events and steps (from the SPANK plugin), jobs (open jobs),
 * refused (files that cannot be parsed, or that predictd refused; the last ones
 * are kept for inspection), shares (a file for each job, with what it gets of
 * its nodes), hosts (likewise, with the node of each rank), users (what
 * processes of users write: user_folders.h).  Users may pass through the last
 * three only.
 *
 * A full disk: spares are files that the SPANK plugin and collectord make
 * others of (durable.h), enough for the jobs of an hour.  To the file `lost`
 * the plugin adds a byte for each file that it could not write even so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define SPOOL_RECORD_MAX 32768 /* bytes */

enum record_kind { RECORD_RUN, RECORD_SHARE, RECORD_PROFILE, RECORD_KINDS };

/* One per folder in SPOOL, all open as long as the spool is. */
struct spool_folders {
	int queue, refused, events, steps, jobs, shares, hosts, spares;
	int users, mpi, traces, removed; /* the last three are in `users` */
};

struct spool_record {
	uint64_t number;
	enum record_kind kind;
	uint32_t size;
};

struct spool;

/* Makes the folders where they are missing, and finds what waits.  One
 * process at a time: a lock is held until spool_close(). */
struct spool *spool_open(const char *path, size_t max_bytes,
			 struct sp_error *err);
void spool_close(struct spool *spool);

const struct spool_folders *spool_folders(const struct spool *spool);
void spool_set_limit(struct spool *spool, size_t max_bytes);

int spool_put(struct spool *spool, enum record_kind kind, const char *text,
	      size_t size, struct sp_error *err);

size_t spool_count(const struct spool *spool);
/* Files that could not be written since it was opened, here or by the SPANK
 * plugin; by that also before.  The first of them is logged, and when it
 * goes again. */
size_t spool_failed(const struct spool *spool);

/* A file was written into one of the folders, or not (rc is -1): for writers
 * other than spool_put(). */
void spool_note_write(struct spool *spool, int rc, const struct sp_error *err);

/* Room on its disk in MiB, 0 if no file can be made; NAN: not known.  A full
 * disk is logged once.  Makes new spares where there is room. */
double spool_free_mb(struct spool *spool);

/* Return whether there was little room left then. */
bool spool_is_low(const struct spool *spool);

/* Return the record at `index`, oldest first. */
struct spool_record spool_at(const struct spool *spool, size_t index);

/* Read the text of a record, which the caller frees. */
int spool_read(const struct spool *spool, size_t index, char **ret_text,
	       size_t *ret_size, struct sp_error *err);

/* The record is stored at predictd; or predictd has refused it.  Indexes behind
 * it move down by one. */
void spool_done(struct spool *spool, size_t index);
void spool_refuse(struct spool *spool, size_t index, const char *why);
