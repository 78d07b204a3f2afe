/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpi_report.h - reports of libpredict_mpi.so, summed over a job's processes
 *
 * One file for each process, in the format of mpi/session.c, in a folder that
 * belongs to the job's user: its content is checked, and no link is followed.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/profile.h"

#define MPI_REPORTS_MAX 1024 /* files of a job on one node */
#define MPI_REPORT_SIZE (64 << 10)

struct mpi_report {
	uint32_t tasks;
	double wall_s, cpu_s; /* sums over tasks, between Init and Finalize */
	double mpi_s, mpi_cpu_s;
	int peer_count;
	struct profile_peer peer[PROFILE_PEERS_MAX];
	int rank_count; /* -1: there are too many that have nothing in common */
	struct profile_rank rank[PROFILE_RANKS_MAX];
};

/* Add the text of one file to a report, which is all 0 at first. */
int mpi_report_parse(const char *text, struct mpi_report *into,
		     struct sp_error *err);

/* Add all files of a folder, and move it to `removed` beside its parent.  Fails
 * if no file can be read. */
int mpi_report_read(const char *folder, struct mpi_report *ret,
		    struct sp_error *err);

/* Replace the messages that packets showed by those of the report. */
void mpi_report_apply(const struct mpi_report *report,
		      struct profile_share *share);
