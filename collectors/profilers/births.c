/* SPDX-License-Identifier: GPL-2.0-or-later */
/* births.c - tasks that are processes of their own, one after the other */
#include <math.h>

#include "collectors/profilers/births.h"

#define LIVED_MIN_S 0.01 /* the clock of births has steps of that */
#define WIDTH_MIN   1.5  /* at a time, in the mean */
#define TASKS_EACH  3.0
#define SAME_PARENT 0.5 /* of those found later */
#define AGES_DIFFER \
	0.3            /* deviation over mean; .58 of equal tasks that began at
			    different times */
#define PARENT_FIRST 2 /* 0 and 1 are no job's */
#define HELPER_SHARE 0.7 /* of the time, that tasks do not live */
#define AGE_SHARE    0.5 /* of the time so far, that ages are at most */

void births_age_add(const struct births *b, double now_s, double age_s,
		    struct births_ages *ages)
{
	if (!(b->first_s > 0) || age_s > AGE_SHARE * (now_s - b->first_s))
		return;
	ages->sum_s += age_s;
	ages->sum2_s += age_s * age_s;
	ages->count++;
}

double births_searched(struct births *b, double now_s,
		       const struct births_ages *ages)
{
	double gap_s = b->searched_s > 0 ? now_s - b->searched_s : 0;

	b->searched_s = now_s;
	if (ages->count > 1) {
		double mean_s = ages->sum_s / ages->count;
		double spread2 = ages->sum2_s / ages->count - mean_s * mean_s;

		b->age2_s += gap_s * mean_s * mean_s;
		b->age_spread2_s += gap_s * fmax(spread2, 0);
	}
	return gap_s;
}

static bool is_known(const struct births *b, uint32_t parent)
{
	for (uint32_t i = 0; i < b->parents_count && i < BIRTHS_PARENTS_MAX;
	     i++)
		if (b->parents[i] == parent)
			return true;
	return false;
}

void births_found(struct births *b, uint32_t parent)
{
	if (!(b->first_s > 0))
		b->first_s = b->searched_s;
	if (!b->parents_count)
		return; /* the first ones */
	b->found++;
	b->same_parent += is_known(b, parent);
}

static void add_up(struct births *b, const struct birth *one)
{
	b->seen++;
	b->tasks += one->weight;
	b->tasks_s += one->weight * one->cpu_s;
	b->tasks_s2 += one->weight * one->cpu_s * one->cpu_s;
	b->lived_s += one->weight * one->lived_s;
}

/* Among the longest, or add up the shortest of these in its place. */
static void keep_longest(struct births *b, struct birth one)
{
	if (b->longest_count < BIRTHS_LONGEST_MAX) {
		b->longest[b->longest_count++] = one;
		return;
	}
	for (int i = 0; i < BIRTHS_LONGEST_MAX; i++)
		if (b->longest[i].lived_s < one.lived_s) {
			struct birth shorter = b->longest[i];

			b->longest[i] = one;
			one = shorter;
		}
	add_up(b, &one);
}

void births_ended(struct births *b, double now_s, uint32_t parent,
		  double lived_s, double cpu_s, double gap_s)
{
	double lived = fmax(lived_s, LIVED_MIN_S);

	b->last_s = now_s;
	keep_longest(b, (struct birth){ lived, cpu_s, fmax(1, gap_s / lived) });
	if (parent >= PARENT_FIRST && !is_known(b, parent))
		b->parents[b->parents_count++ % BIRTHS_PARENTS_MAX] = parent;
}

bool births_are_tasks(const struct births *b, struct profile_rank *ret)
{
	struct births all = *b;
	double watched_s = b->last_s - b->first_s, width;
	bool differ = b->age_spread2_s > 0 &&
		      b->age_spread2_s >= AGES_DIFFER * AGES_DIFFER * b->age2_s;

	for (int i = 0; i < b->longest_count; i++)
		if (b->longest[i].lived_s < HELPER_SHARE * watched_s)
			add_up(&all, &b->longest[i]);
	width = watched_s > 0 ? all.lived_s / watched_s : 0;
	if (width < WIDTH_MIN || width > UINT16_MAX ||
	    all.tasks < TASKS_EACH * width || !(all.tasks_s > 0) ||
	    !(b->found > 0) ||
	    !(b->same_parent >= SAME_PARENT * b->found || differ))
		return false;
	*ret = (struct profile_rank){
		.ranks = (uint32_t)lround(width),
		.peer = PROFILE_PEER_NONE,
		.messages = all.seen,
		.own_s = all.tasks_s,
		.tasks = all.tasks,
		.tasks_s = all.tasks_s,
		.tasks_s2 = all.tasks_s2,
	};
	return true;
}
