/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_files.h - files of traced jobs that wait on disk for predictd
 *
 * Each process of a traced job writes SPOOL/users/traces/JOBID/RUN.RANK (RUN:
 * hexadecimal, RANK: decimal), in the format of predictor/replay/FORMAT.md,
 * which grows by blocks.  The SPANK plugin makes the folder for the job's user,
 * and takes it back at the job's end.  A block is sent when the next one has
 * begun, the last one when the file was cut or the job has ended; files are
 * removed when the job has ended and all of them is stored.  After a start of
 * collectord all is sent again, which changes nothing at predictd.
 *
 * The user may write anything there: no link is followed, and what is no plain
 * file of the user with such a name and such a beginning is passed over.  How
 * much there may be, user_folders.h says: what it drops is forgotten here.
 */
#pragma once

#include "collectors/runs/user_folders.h"
#include "predictor/features/trace_block.h"

struct trace_files;

/* SPOOL/users/traces, and what removes its folders; both are lent.  NULL: out
 * of memory. */
struct trace_files *trace_files_create(int folder, struct user_folders *users);
void trace_files_destroy(struct trace_files *files);

/* A job has started, traced perhaps; or has ended, with the plugin done. */
void trace_files_started(struct trace_files *files, double now_s);
void trace_files_ended(struct trace_files *files, uint32_t job_id,
		       uint32_t user_id, double ended_at_s, double now_s);

/* When there is something to do next (monotonic clock); HUGE_VAL: nothing. */
double trace_files_at_s(const struct trace_files *files);

/* Find the next block; cluster, node and data are the caller's.  `raw` has
 * room for TRACE_BLOCK_BYTES.  False: nothing is to be sent now. */
bool trace_files_next(struct trace_files *files, double now_s,
		      struct trace_block *ret, unsigned char *raw,
		      size_t *ret_size);

/* Note that the block is stored; not `wanted`: drop all others of its file. */
void trace_files_stored(struct trace_files *files, bool wanted, double now_s);
