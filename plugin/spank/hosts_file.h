/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts_file.h - on which node each rank of a job should be, from collectord
 *
 * SPOOL/hosts/JOBID, on the job's first node only; its form is described by its
 * writer, collectors/daemon/job_orders.h.  Knows nothing of Slurm.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/base/hostlist.h"

#define HOSTS_PATH_SIZE     1100
#define HOSTS_TEXT_SIZE     65536
#define HOSTS_IN_ORDER_SIZE (2 * HOSTS_PATH_SIZE)
#define HOSTS_RANKS_MAX     4096

struct hosts_file {
	char path[HOSTS_PATH_SIZE];
	bool act;    /* srun may take it without being asked to */
	double gain; /* that is predicted, as a factor */
	int ranks;
	const char *names[HOSTS_RANKS_MAX]; /* in `text` */
	char text[HOSTS_TEXT_SIZE + 1];
};

/* Read the `size` bytes in hosts->text, which are changed; false: they are not
 * as they should be. */
bool hosts_parse(struct hosts_file *hosts, size_t size);

/* Return false if there is none, or it is not as it should be. */
bool hosts_read(const char *spool, uint32_t job_id, struct hosts_file *ret);

/* Find the words that start mpirun in the order of the file at that path: the
 * program in-order beside the library, and the path.  False: it is not there,
 * or a shell would take the words for others. */
bool hosts_in_order(const char *library, const char *path,
		    char ret[HOSTS_IN_ORDER_SIZE]);

/* Remove the file of an earlier start of the same job, or of one
 * that ended. */
void hosts_forget(const char *spool, uint32_t job_id);
