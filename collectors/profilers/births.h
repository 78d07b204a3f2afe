/* SPDX-License-Identifier: GPL-2.0-or-later */
/* births.h - tasks that are processes of their own, one after the other
 *
 * GNU parallel, xargs, Snakemake or a loop of a shell hand out tasks so:
 * several processes at a time, and a new one for each that ends.  Seen from the
 * process list alone, which is read now and then.  A search that comes `gap`
 * after the one before it finds only L / gap of the processes that live for L <
 * gap: each that is found counts for gap / L of them, and the number of tasks
 * is an estimate.
 *
 * Pure: the reader of the process list says what it found.  Its size
 * is bounded.
 */
#pragma once

#include "predictor/features/profile.h"

#define BIRTHS_PARENTS_MAX 64 /* of processes that ended, the last ones */
#define BIRTHS_LONGEST_MAX 8

struct birth {
	double lived_s, cpu_s;
	double weight; /* how many tasks it stands for */
};

struct births {
	/* These count processes that have ended, but for the longest: helpers
	 * may be among these, which live as long as the job. */
	double seen;
	double tasks, tasks_s, tasks_s2; /* with those that they stand for */
	double lived_s;
	struct birth longest[BIRTHS_LONGEST_MAX];
	int longest_count;

	uint32_t parents[BIRTHS_PARENTS_MAX];
	uint32_t parents_count;
	double found,
		same_parent; /* found later; of these with such a parent */

	/* Over time, by the caller's clock. */
	double first_s, last_s; /* the first search, the last end; 0: none */
	double searched_s;
	double age2_s, age_spread2_s; /* integrals: mean squared, variance */
};

/* How old those are that a search found alive. */
struct births_ages {
	double sum_s, sum2_s;
	int count;
};

/* Add one, at now_s; what may be a helper is left out. */
void births_age_add(const struct births *b, double now_s, double age_s,
		    struct births_ages *ages);

/* A search at now_s has ended.  Returns the time since the one before it. */
double births_searched(struct births *b, double now_s,
		       const struct births_ages *ages);

/* A process was found that another one with that pid started. */
void births_found(struct births *b, uint32_t parent);

/* One ended that lived for lived_s and used cpu_s; when it was found, the last
 * search was gap_s ago. */
void births_ended(struct births *b, double now_s, uint32_t parent,
		  double lived_s, double cpu_s, double gap_s);

/* Return whether these are tasks that were handed out; then *ret is what
 * profile.h knows of them.  At least two at a time, three for each of these in
 * all, and started by the same process or not all at once: a script that runs
 * MPI programs one after the other is none. */
bool births_are_tasks(const struct births *b, struct profile_rank *ret);
