/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_births.c - tasks that are processes, on a simulated clock */
#include <math.h>

#include "collectors/profilers/births.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define WIDTH    4
#define SECONDS  400
#define STEP_S   0.01
#define LAUNCHER 77

struct process {
	double born_s, length_s, gap_s;
	uint32_t parent;
	bool found;
};

/* What some program starts: WIDTH processes, each followed by another one. */
struct program {
	double shortest_s, longest_s;
	bool together;  /* all begin anew when the last of them has ended */
	bool launchers; /* each is started by another process */
	bool helper;    /* another one lives all the time */
	double search_s;
};

static double length_of(const struct program *p, struct random *seed)
{
	return p->shortest_s + (p->longest_s - p->shortest_s) *
				       (double)random_below(seed, 1000) / 1000;
}

static void start(const struct program *p, double now_s, struct random *seed,
		  uint32_t *number, struct process *ret)
{
	*ret = (struct process){ .born_s = now_s,
				 .length_s = length_of(p, seed),
				 .parent = LAUNCHER };
	++*number;
	if (p->launchers)
		ret->parent = 1000 + *number;
}

static void search(struct births *b, double now_s, bool helper,
		   struct process of[])
{
	struct births_ages ages = { 0 };

	for (int i = 0; i < WIDTH; i++) {
		double age_s = now_s - of[i].born_s;

		if (age_s >= of[i].length_s)
			continue;
		births_age_add(b, now_s, age_s, &ages);
	}
	if (helper)
		births_age_add(b, now_s, now_s, &ages);

	double gap_s = births_searched(b, now_s, &ages);

	for (int i = 0; i < WIDTH; i++)
		if (!of[i].found && now_s - of[i].born_s < of[i].length_s) {
			of[i].found = true;
			of[i].gap_s = gap_s;
			births_found(b, of[i].parent);
		}
}

/* Gives how many there were. */
static uint32_t watch(const struct program *p, struct births *b)
{
	struct random seed = { 42 };
	struct process of[WIDTH];
	uint32_t number = 0;
	double searched_s = 0;

	*b = (struct births){ 0 };
	for (int i = 0; i < WIDTH; i++)
		start(p, 0.001 * i, &seed, &number, &of[i]);
	for (double now_s = STEP_S; now_s < SECONDS; now_s += STEP_S) {
		int running = 0;

		for (int i = 0; i < WIDTH; i++) {
			bool ended = now_s - of[i].born_s >= of[i].length_s;

			if (ended && of[i].found) {
				births_ended(b, now_s, of[i].parent,
					     of[i].length_s, of[i].length_s,
					     of[i].gap_s);
				of[i].found = false;
			}
			running += !ended;
			if (ended && !p->together)
				start(p, now_s, &seed, &number, &of[i]);
		}
		for (int i = 0; p->together && !running && i < WIDTH; i++)
			start(p, now_s, &seed, &number, &of[i]);
		if (now_s - searched_s >= p->search_s) {
			search(b, now_s, p->helper, of);
			searched_s = now_s;
		}
	}
	if (p->helper)
		births_ended(b, SECONDS, 5, SECONDS, .1, 0);
	return number;
}

START_TEST(test_long_tasks_are_counted)
{
	const struct program p = { 1, 5, .launchers = true, .helper = true,
				   .search_s = .3 };
	struct births b;
	struct profile_rank r;
	double n = watch(&p, &b);

	ck_assert(births_are_tasks(&b, &r));
	ck_assert_uint_eq(r.ranks, WIDTH);
	ck_assert_int_eq(r.peer, PROFILE_PEER_NONE);
	ck_assert_double_eq_tol(r.tasks, n, .03 * n);
	ck_assert_double_eq(r.tasks, r.messages);
	ck_assert_double_eq_tol(r.tasks_s / r.tasks, 3, .15);
}
END_TEST

/* Most of those that live for less than the time between two searches are
 * never seen; number, mean and deviation come out all the same. */
START_TEST(test_short_tasks_are_estimated)
{
	const struct program p = { .1, .7, .search_s = 1 };
	struct births b;
	struct profile_rank r;
	double n = watch(&p, &b), mean_s;

	ck_assert(births_are_tasks(&b, &r));
	ck_assert_uint_eq(r.ranks, WIDTH);
	ck_assert_double_lt(r.messages, .5 * n);
	ck_assert_double_eq_tol(r.tasks, n, .1 * n);
	mean_s = r.tasks_s / r.tasks;
	ck_assert_double_eq_tol(mean_s, .4, .04);
	ck_assert_double_eq_tol(sqrt(r.tasks_s2 / r.tasks - mean_s * mean_s),
				.6 / sqrt(12), .04);
}
END_TEST

START_TEST(test_equal_tasks_of_one_launcher)
{
	const struct program p = { 2, 2, .search_s = .3 };
	struct births b;
	struct profile_rank r;

	watch(&p, &b);
	ck_assert(births_are_tasks(&b, &r));
}
END_TEST

/* MPI programs in a script, one after the other. */
START_TEST(test_programs_in_turn_are_none)
{
	const struct program p = { 2, 2.2, .together = true, .launchers = true,
				   .search_s = .3 };
	struct births b;
	struct profile_rank r = { .rank = 5 };

	watch(&p, &b);
	ck_assert(!births_are_tasks(&b, &r));
	ck_assert_uint_eq(r.rank, 5);
}
END_TEST

START_TEST(test_one_generation_is_none)
{
	const struct program p = { 500, 600, .search_s = .3 };
	struct births b;
	struct profile_rank r;

	watch(&p, &b);
	ck_assert(!births_are_tasks(&b, &r));
	b = (struct births){ 0 };
	ck_assert(!births_are_tasks(&b, &r));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_long_tasks_are_counted,
				       test_short_tasks_are_estimated,
				       test_equal_tasks_of_one_launcher,
				       test_programs_in_turn_are_none,
				       test_one_generation_is_none,
				       NULL };

	return suite_run("births", tests);
}
