/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf.h - the Standard Workload Format
 *
 * [1] Chapin et al., Benchmarks and Standards for the Evaluation of Parallel
 *     Job Schedulers, JSSPP 1999; and the definition at the Parallel Workloads
 *     Archive.
 *
 * A line is 18 numbers, -1 for an unknown one; comments begin with a
 * semicolon, some are "Name: value".  Some newer logs, which are read as well,
 * add a list of nodes, the name of the queue and the requested resources
 * ("2:ppn=8").
 *
 * As a run (joblog_swf): tasks and cpus are the processors requested, else
 * those allocated; the number of nodes follows from the processors per node in
 * the header, and is the number of processors without it.  The user's
 * number is the log's; UINT32_MAX if unknown.  The group is the account, "g3";
 * queue and partition are the partition, "q3/p1"; the executable is the
 * application and the job's name, "exe17", empty if unknown.  A preceding job
 * is a dependency on its end, after which the think time begins.  A job of
 * status -1 counts as completed: logs without states have -1 for all jobs.
 */
#pragma once

#include <stdio.h>

#include "predictor/logs/joblog.h"

/* Writes a log of runs.  They are kept in memory (a hundred bytes for each)
 * until all are there, since the header describes them all and the lines are
 * in the order of submission.  Users, accounts, applications and partitions
 * become numbers, counted from 1 as they first appear. */
struct swf_writer;

struct swf_writer_config {
	const char *computer; /* NULL: unknown */
	/* Leave out the computer's name and the header's list of accounts,
	 * applications and partitions.  Names of users and nodes are never
	 * written. */
	bool anonymize;
};

struct swf_writer *swf_writer_create(const struct swf_writer_config *config,
				     struct sp_error *err);
void swf_writer_destroy(struct swf_writer *writer); /* NULL is allowed */

/* Add a run that has ended, in any order. */
int swf_writer_add(struct swf_writer *w, const struct run *run,
		   struct sp_error *err);

/* Write the whole log. */
int swf_writer_finish(struct swf_writer *w, FILE *to, struct sp_error *err);
