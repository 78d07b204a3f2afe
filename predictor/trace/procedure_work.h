/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_work.h - which procedures of a program do its work, by samples */
#pragma once

#define PROCEDURE_NAME_SIZE  96 /* longer names are cut */
#define PROCEDURE_WORK_COUNT 8  /* are kept of a rank, and of a run */

struct procedure_work {
	char name[PROCEDURE_NAME_SIZE]; /* as symbols.h writes it */
	double work_s;                  /* CPU time outside of MPI */
};

/* all[count] in any order: one of each name, that with most work first.
 * Returns how many. */
int procedure_work_merge(struct procedure_work all[], int count);
