/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_path.h - where the trace of a process is, and whether it is one
 *
 * SPOOL/users/traces/FOLDER/NAME.  FOLDER is JOBID while the job runs, then
 * JOBID-UID-SECONDS; NAME is RUN.RANK (RUN: hexadecimal, RANK: decimal).
 */
#pragma once

#include <sys/types.h>

#include "predictor/features/trace_block.h"

#define TRACE_PATH_SIZE 48 /* of each name */

struct trace_path {
	char folder[TRACE_PATH_SIZE], name[TRACE_PATH_SIZE];
	char mpi_run[TRACE_RUN_SIZE];
	uint32_t job_id;
	uint32_t user_id; /* 0 where the folder does not say it */
	int rank, ranks;
	bool ended; /* the job */
};

/* Read what the name says into *ret; the rest of it stays.  -1: it is none. */
int trace_path_folder(const char *name, struct trace_path *ret);
int trace_path_file(const char *name, struct trace_path *ret);

/* Open a plain file of that user in `folder`, which is open; *ret_size is what
 * counts of it.  -1: there is none. */
int trace_path_open(int folder, const struct trace_path *path, off_t *ret_size);

/* Return whether it begins as a trace of that rank; path->ranks is set. */
bool trace_path_check(int folder, struct trace_path *path);

/* Read what a file begins with. -1: it is no trace. */
int trace_path_header(const unsigned char *bytes, size_t size, int *ret_rank,
		      int *ret_ranks);
