/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_list.h - which ranks are on which node, as text
 *
 * "n1:2,n[2-3]:1": the first two ranks on n1, the next ones on n2 and n3.
 */
#pragma once

#include <stdio.h>

#include "predictor/base/hostlist.h"

struct placement_list {
	struct hostlist names;
	int *counts; /* [names.count]: ranks */
	int ranks;   /* in all */
};

/* Without ":N", one rank.  placement_list_clear() it. */
int placement_list_parse(const char *text, struct placement_list *ret,
			 struct sp_error *err);
void placement_list_clear(struct placement_list *list);

/* Rank after rank by its node's name: a file for SLURM_HOSTFILE and
 * `srun -m arbitrary`; a rankfile for mpirun, with a slot for each rank. */
void placement_write_hostfile(FILE *file, const char *const names[], int ranks);
void placement_write_rankfile(FILE *file, const char *const names[], int ranks);
