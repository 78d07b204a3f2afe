/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting_list.h - waiting jobs of a simulation, in the order of trying */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NO_JOB UINT32_MAX

/* What the list knows of a job. */
struct waiting_job {
	double order_s; /* the least is tried first, */
	uint32_t place; /* then the one that was submitted first */
	uint32_t next, previous;
	bool waits;
};

struct waiting_list {
	struct waiting_job *of; /* the caller's, by job */
	uint32_t first, last;   /* NO_JOB: nothing waits */
};

/* Insert a job whose order_s and place are set. */
void waiting_list_insert(struct waiting_list *list, uint32_t job);

void waiting_list_remove(struct waiting_list *list, uint32_t job);
