/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_path.h - the critical path if one procedure ran at the other side
 *
 * [1] H. Eom and J. K. Hollingsworth, Load Balancing Factor (LBF): A Workload
 *     Migration Metric, CS-TR-4375, University of Maryland, 1998, figure 2.
 *
 * Each process keeps a struct procedure_path, and sends a struct
 * procedure_message along with each message.  `longest` of the process that
 * ends last is the procedure LBF: the run time, in seconds, with one process
 * for each processor, if what the procedure did before a send were done by the
 * receiver; `original` is it as it was.  Clocks are CPU times of the process,
 * in seconds, never backwards.  Symbols are those of [1]: Cs, rmtF of the
 * sender; Cr, F our own.
 */
#pragma once

#include <stdbool.h>

/* Zeroed: a process at the start, with a clock of 0. */
struct procedure_path {
	double original;    /* critical path up to last_update */
	double longest;     /* the same with the procedure moved */
	double last_update; /* clock */
	double F;           /* time of the procedure since the last message */
	double last_time;   /* clock; up to it F has been counted */
	bool active;        /* in the procedure now */
};

/* 24 bytes. */
struct procedure_message {
	double original;
	double Cs; /* path of the sender, with rmtF */
	double rmtF;
};

/* Entry to and exit from the procedure.  It does not call itself: an entry
 * while it is active, or an exit while it is not, changes nothing. */
void procedure_enter(struct procedure_path *p, double now);
void procedure_exit(struct procedure_path *p, double now);

/* Before a send; the return value goes along. */
struct procedure_message procedure_send(struct procedure_path *p, double now);

/* When a message has come. */
void procedure_receive(struct procedure_path *p, double now,
		       const struct procedure_message *message);

/* At the end, or to look at `longest`. */
void procedure_update(struct procedure_path *p, double now);
