/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_learn_profiles.c - which jobs are profiled, as profiles come in */
#include <math.h>

#include "predictor/engine/engine.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

static enum profile_farm_kind farm; /* of profiled jobs */

/* Predict a job of that size, run it, and profile it where `cpu_left` of the
 * CPU was left to it. */
static struct prediction profile_job(struct engine *engine, uint32_t nodes,
				     double bodies, double cpu_left)
{
	static double now_s = LIFE_START_S;
	static uint32_t job_id = 1000;
	struct life life;
	struct prediction p;
	struct run run;
	struct profile profile = { .cluster = "tiny", .runs = 1 };

	life_submit(&life, nodes, bodies);
	p = life_predict(engine, &life, now_s += 60);
	run = life_run(&p, ++job_id, now_s + 1, 7.3);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	profile.application = p.application;
	profile.nodes = profile.node_count = nodes;
	profile.runtime_s = 7.3;
	profile.pair_count = farm == PROFILE_NO_FARM ? -1 : 0;
	profile.farm.kind = farm;
	for (uint32_t i = 0; i < nodes; i++)
		profile.node[i].cpu_left = cpu_left;
	ck_assert_int_eq(engine_learn_profile(engine, &run, &profile, NULL), 0);
	return p;
}

static bool by_mpi; /* as the last one that is profiled should be */

static bool is_profiled(struct engine *engine, uint32_t nodes, double bodies)
{
	struct life life;
	struct prediction p;

	life_submit(&life, nodes, bodies);
	p = life_predict(engine, &life, LIFE_START_S + 9999);
	return engine_wants_profile(engine, &p, 0, &by_mpi);
}

START_TEST(test_until_there_is_a_good_one)
{
	struct engine *engine = engine_create();

	ck_assert(is_profiled(engine, 2, 300));
	profile_job(engine, 2, 300, 0.5);
	ck_assert(is_profiled(engine, 2, 300));
	profile_job(engine, 2, 300, 0.98);
	ck_assert(!is_profiled(engine, 2, 300));
	ck_assert(!is_profiled(engine, 2, 410));
	ck_assert(is_profiled(engine, 4, 300));
	ck_assert(!is_profiled(engine, PROFILE_NODES_MAX + 1, 300));
	engine_destroy(engine);
}
END_TEST

/* By MPI, until that has shown which kind it is, or has not thrice. */
START_TEST(test_farm_that_packets_leave_unclear)
{
	for (int known = 0; known < 2; known++) {
		struct engine *engine = engine_create();

		ck_assert(is_profiled(engine, 4, 300) && !by_mpi);
		farm = PROFILE_FARM_UNCLEAR;
		profile_job(engine, 4, 300, 1);
		ck_assert(is_profiled(engine, 4, 300) && by_mpi);
		if (known)
			farm = PROFILE_FARM_DYNAMIC;
		profile_job(engine, 4, 300, 1);
		ck_assert(is_profiled(engine, 4, 300) != known);
		farm = PROFILE_FARM_UNCLEAR;
		profile_job(engine, 4, 300, 1);
		ck_assert(!is_profiled(engine, 4, 300) && by_mpi);
		/* What is known of four nodes holds for eight. */
		ck_assert(is_profiled(engine, 8, 300) && by_mpi);
		farm = PROFILE_NO_FARM;
		engine_destroy(engine);
	}
}
END_TEST

START_TEST(test_rarely_afterwards)
{
	struct engine *engine = engine_create();
	struct life life;
	int profiled = 0, traced = 0;

	profile_job(engine, 2, 300, 1);
	life_submit(&life, 2, 300);
	for (int i = 0; i < 3000; i++) {
		struct prediction p =
			life_predict(engine, &life, LIFE_START_S + 1e4 + i);

		profiled += engine_wants_profile(engine, &p, 20, &by_mpi);
		traced += engine_wants_trace(&p, 20);
		ck_assert(!engine_wants_trace(&p, 0));
	}
	ck_assert_msg(traced > 75 && traced < 300, "%d of 3000", traced);
	ck_assert_msg(profiled > 75 && profiled < 300, "%d of 3000", profiled);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_until_there_is_a_good_one,
		test_farm_that_packets_leave_unclear,
		test_rarely_afterwards,
		NULL,
	};

	return suite_run("learn_profiles", tests);
}
