/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_share.h - a model of the CPU share of a new process
 *
 * A small model of a fair scheduler.  Each competitor comes and goes: while it
 * is there it needs one CPU, then it sleeps.  Those that are there at the same
 * time share the CPUs by their weights, no one getting more than one CPU; if
 * the control group around them has a quota that is less than they would use,
 * all get less in proportion.  Running processes spend the quota: those
 * on CPUs of their own spend it equally fast, whatever their weights.
 *
 * While a competitor shares, its work takes longer, so it
 * is there more often than if it were alone.  Hence the states are weighed as
 * in a closed queueing network with one processor-sharing station [1]: a set A
 * of competitors is there with a probability in proportion to
 *
 *	prod_{i in A} rho_i / prod_{j = 1..|A|} r(j),  rho_i = w_i / (1 - w_i)
 *
 * with w_i the demand of i for CPU time, and r(j) what each of j
 * competitors gets.  For equal weights this is exact, whatever the lengths
 * of bursts and sleeps.
 *
 * [1] Baskett, Chandy, Muntz, Palacios: Open, Closed, and Mixed Networks of
 *     Queues with Different Classes of Customers, J. ACM 22(2), 1975.
 */
#pragma once

#include <stddef.h>

struct cpu_room {
	double cpus;  /* that processes may run on, 1 or more */
	double quota; /* CPUs' worth of time that all may use together */
};

struct cpu_demand {
	double demand; /* CPU time per time, were it alone; above 1: several
			  threads */
	double weight; /* of each thread; a process of nice 0 has 1 */
};

struct cpu_share {
	double mean;        /* over time, 0 to 1 */
	double least, most; /* over some 10 ms, as competitors come and go, and
			       on the fullest or emptiest CPU */
};

/* Return the scheduler's weight of a nice level, -20 to 19; 1 for nice 0. */
double cpu_share_weight(int nice);

/* Find what a new process of weight `weight` gets beside these. */
void cpu_share_find(const struct cpu_room *room,
		    const struct cpu_demand *demands, size_t count,
		    double weight, struct cpu_share *ret);
