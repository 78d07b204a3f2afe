/* swf.h - the Standard Workload Format
 *
 * [1] Chapin et al., Benchmarks and Standards for the Evaluation of Parallel
 *     Job Schedulers, JSSPP 1999; and the definition at the Parallel Workloads
 *     Archive.
 *
 * A line is 18 numbers, -1 where something is not known; comments begin with a
 * semicolon, some of them say "Name: value".  Also read is the form of some
 * newer logs that goes on with a list of nodes, the queue's name and what was
 * asked for ("2:ppn=8").
 *
 * As a run (joblog_swf): tasks and cpus are the processors asked for, else
 * those given; nodes follow from the machine's processors per node where its
 * header tells them, and are as many as processors where not.  The user's
 * number is the log's; UINT32_MAX where it is not known.  The group is the
 * account, "g3"; queue and partition are the partition, "q3/p1"; the
 * executable is the application and the job's name, "exe17".  Of an
 * application that is not known the name is empty.  A job of status -1 counts
 * as completed: logs that do not tell give that to all.
 */
#ifndef PREDICTOR_LOGS_SWF_H
#define PREDICTOR_LOGS_SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "predictor/logs/joblog.h"

/* Writes a log of runs, kept in memory (a hundred bytes for each) until it is
 * complete, since its header tells of all and its lines are in the order of
 * submissions.  Users, accounts, applications and partitions become numbers,
 * counted from 1 as they first appear. */
struct swf_writer;

struct swf_writer_config {
	const char *computer; /* NULL: not said */
	/* Leave out the computer's name, and what the numbers stand for; the
	 * header names accounts, applications and partitions otherwise.  Users
	 * and nodes are never named. */
	bool anonymize;
};

struct swf_writer *swf_writer_create(const struct swf_writer_config *config,
				     struct sp_error *err);
void swf_writer_destroy(struct swf_writer *writer); /* NULL is allowed */

/* Add a run that has ended, in any order. */
int swf_writer_add(struct swf_writer *writer, const struct run *run,
		   struct sp_error *err);

/* Write the whole log. */
int swf_writer_finish(struct swf_writer *writer, FILE *to,
		      struct sp_error *err);

#endif
