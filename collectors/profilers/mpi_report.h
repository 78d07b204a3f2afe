/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpi_report.h - what the preloaded library has written in the end
 *
 * One file for each process, whose form mpi/predict_mpi.c describes, in a
 * folder that belongs to the job's user: nothing in it is believed that can't
 * be, and no link is followed.
 */
#ifndef COLLECTORS_PROFILERS_MPI_REPORT_H
#define COLLECTORS_PROFILERS_MPI_REPORT_H

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
};

/* Add one file's text to a report, which is all 0 at first. */
int mpi_report_parse(const char *text, struct mpi_report *into,
		     struct sp_error *err);

/* All of a folder, which is removed.  Fails if there is none that can be
 * read. */
int mpi_report_read(const char *folder, struct mpi_report *ret,
		    struct sp_error *err);

/* Put what it says into a share, in place of what packets say. */
void mpi_report_use(const struct mpi_report *report,
		    struct profile_share *share);

#endif
