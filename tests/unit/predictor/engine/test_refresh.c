/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_refresh.c - waiting jobs are predicted again when runs end */
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/nodes/snapshots.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/waiting.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

/* --- Turns ---------------------------------------------------------------- */

static void add_at(struct refresh *r, uint64_t id, uint32_t user_id,
		   const char *application, double at_s)
{
	struct prediction p = { .user_id = user_id, .made_at_s = at_s };

	snprintf(p.id, sizeof(p.id), "%016llx", (unsigned long long)id);
	snprintf(p.application.name, sizeof(p.application.name), "%s",
		 application);
	refresh_add(r, &p, NULL);
}

static void add(struct refresh *r, uint64_t id, uint32_t user_id,
		const char *application)
{
	add_at(r, id, user_id, application, (double)id);
}

static uint64_t take(struct refresh *r, bool *ret_due)
{
	struct assumed assumed;

	return refresh_take(r, 1e4, &assumed, ret_due);
}

static bool waits(struct refresh *r, uint64_t id)
{
	bool started;

	return refresh_waits(r, id, &started);
}

static void note_run(struct refresh *r, uint64_t id, struct run run)
{
	snprintf(run.prediction_id, sizeof(run.prediction_id), "%016llx",
		 (unsigned long long)id);
	refresh_note(r, &run);
}

static void note(struct refresh *r, uint64_t id, uint32_t user_id,
		 const char *application, enum run_state state)
{
	struct run run = { .user_id = user_id, .state = state };

	snprintf(run.application.name, sizeof(run.application.name), "%s",
		 application);
	note_run(r, id, run);
}

START_TEST(test_those_of_user_and_application_first)
{
	struct refresh *r = refresh_create();
	bool due;

	ck_assert_uint_eq(take(r, &due), 0);
	for (uint64_t id = 1; id <= 100; id++)
		add(r, id, (uint32_t)id, "a");
	add(r, 101, 7, "b");
	add(r, 102, 8, "c");
	note(r, 500, 7, "c", RUN_COMPLETED);
	for (int i = 0; i < 3; i++) {
		uint64_t id = take(r, &due);

		ck_assert(id == 7 || id == 101 || id == 102);
		ck_assert_int_eq(due, i < 2);
	}
	ck_assert_uint_gt(take(r, &due), 0);
	ck_assert(!due);
	refresh_destroy(r);
}
END_TEST

/* However many are due, the rest have turns; and each job has one. */
START_TEST(test_the_rest_have_turns)
{
	struct refresh *r = refresh_create();
	bool seen[201] = { false };
	int rest = 0;
	bool due;

	for (uint64_t id = 1; id <= 200; id++)
		add(r, id, id % 2 ? 7 : 8, "a");
	for (int i = 0; i < 1600; i++) {
		note(r, 500, 7, "b", RUN_COMPLETED);

		uint64_t id = take(r, &due);

		ck_assert(waits(r, id));
		seen[id] = true;
		rest += id % 2 == 0;
	}
	ck_assert_int_ge(rest, 50);
	ck_assert_int_le(rest, 200);
	for (int id = 1; id <= 200; id += 2)
		ck_assert(seen[id]);
	refresh_destroy(r);
}
END_TEST

START_TEST(test_only_its_own_run_takes_it_out)
{
	struct refresh *r = refresh_create();
	bool due;

	add(r, 1, 7, "a");
	note(r, 1, 8, "b", RUN_RUNNING);
	ck_assert_uint_eq(take(r, &due), 1);
	note(r, 1, 7, "a", RUN_RUNNING);
	ck_assert(!waits(r, 1));
	ck_assert_uint_eq(take(r, &due), 0);
	for (uint64_t id = 1; id <= REFRESH_MAX + 2; id++)
		add(r, id, 7, "a");
	note(r, 500, 7, "a", RUN_COMPLETED);
	for (int i = 0; i < REFRESH_MAX; i++)
		ck_assert_uint_gt(take(r, &due), 2);
	refresh_destroy(r);
}
END_TEST

/* Places of jobs that have started are used again: one that waits for long is
 * not lost to newer ones. */
START_TEST(test_free_places_first)
{
	struct refresh *r = refresh_create();
	bool seen[6] = { false }, due;

	for (uint64_t id = 1; id <= 5; id++)
		add(r, id, 7, "a");
	for (uint64_t id = 6; id <= 3 * REFRESH_MAX; id++) {
		add(r, id, 8, "b");
		note(r, id, 8, "b", RUN_RUNNING);
	}
	for (int i = 0; i < 5; i++)
		seen[take(r, &due)] = true;
	for (int i = 1; i <= 5; i++)
		ck_assert(seen[i]);
	ck_assert_uint_le(take(r, &due), 5);
	refresh_destroy(r);
}
END_TEST

/* It is added when it is submitted, and once more when the past is read. */
START_TEST(test_a_job_is_there_once)
{
	struct refresh *r = refresh_create();
	bool due;

	for (int i = 0; i < 2; i++)
		add(r, 1, 7, "a");
	add(r, 2, 7, "a");
	for (int i = 0; i < 4; i++)
		ck_assert_uint_ne(take(r, &due), take(r, &due));
	note(r, 1, 7, "a", RUN_RUNNING);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(take(r, &due), 2);
	refresh_destroy(r);
	refresh_destroy(NULL);
}
END_TEST

/* It may still get another node set than the likeliest. */
START_TEST(test_sets_are_kept)
{
	static struct assumed given = { .count = 2,
					.weights = { 0.75, 0.25 },
					.ratios = { 1, 2.5 } };
	static struct assumed got;
	struct refresh *r = refresh_create();
	struct prediction p = { .id = "00000000000000aa" };
	bool due;

	refresh_add(r, &p, &given);
	add(r, 1, 7, "a");
	for (int i = 0; i < 2; i++) {
		bool first = refresh_take(r, 1, &got, &due) == 0xaa;

		ck_assert_int_eq(got.count, first ? 2 : 0);
		if (!first)
			continue;
		for (int set = 0; set < 2; set++) {
			ck_assert_double_eq(got.weights[set],
					    given.weights[set]);
			ck_assert_double_eq(got.ratios[set], given.ratios[set]);
		}
	}
	refresh_destroy(r);
}
END_TEST

START_TEST(test_too_old)
{
	struct refresh *r = refresh_create();
	struct assumed assumed;
	bool due;

	add_at(r, 1, 7, "a", 1e9);
	add_at(r, 2, 7, "a", 1e9 + 100);
	note(r, 500, 7, "a", RUN_COMPLETED);
	ck_assert_uint_eq(refresh_take(r, 1e9 + WAITING_S + 1, &assumed, &due),
			  2);
	ck_assert_uint_eq(
		refresh_take(r, 1e9 + WAITING_S + 101, &assumed, &due), 0);
	refresh_destroy(r);
}
END_TEST

/* The rest of an array has turns when a run has ended, others come first. */
START_TEST(test_arrays)
{
	const struct run first = { .user_id = 7,
				   .array_job_id = 11,
				   .state = RUN_RUNNING };
	struct run end = first;
	struct refresh *r = refresh_create();
	bool due, started;

	end.state = RUN_COMPLETED;
	for (uint64_t id = 1; id <= REFRESH_MAX; id++)
		add(r, id, 7 + (id > 1), "a");
	ck_assert_uint_eq(take(r, &due), 2);
	while (take(r, &due) != 1)
		continue;
	ck_assert(refresh_waits(r, 1, &started) && !started);
	note_run(r, 1, first);
	ck_assert(refresh_waits(r, 1, &started) && started);
	for (int i = 0; i < 2 * REFRESH_MAX; i++)
		ck_assert_uint_ne(take(r, &due), 1);
	note_run(r, 900000, end);
	ck_assert_uint_eq(take(r, &due), 1);
	note_run(r, 1, end); /* one of its tasks */
	ck_assert_uint_eq(take(r, &due), 1);
	ck_assert_uint_ne(take(r, &due), 1);

	/* There is no room: its place is given away. */
	add(r, REFRESH_MAX + 1, 9, "a");
	note_run(r, 900000, end);
	for (int i = 0; i < 2 * REFRESH_MAX; i++)
		ck_assert_uint_gt(take(r, &due), 1);
	refresh_destroy(r);
}
END_TEST

/* --- The engine ----------------------------------------------------------- */

static void run_one(struct engine *engine, uint32_t job_id, double started_at_s,
		    double runtime_s)
{
	struct prediction p = life_ask(engine, 1, 5000, started_at_s - 1);
	struct run run = life_run(&p, job_id, started_at_s, runtime_s);

	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
}

/* Two short runs, a job that waits, and long runs that end. */
static struct prediction let_wait(struct engine *engine, double *ret_now_s)
{
	double now_s = LIFE_START_S;

	for (uint32_t i = 1; i <= 2; i++, now_s += 1000)
		run_one(engine, i, now_s, 20);

	struct prediction p = life_ask(engine, 1, 5000, now_s);

	for (uint32_t i = 3; i <= 8; i++)
		run_one(engine, i, now_s + i, 400);
	*ret_now_s = now_s + 1000;
	return p;
}

START_TEST(test_a_run_changes_those_that_wait)
{
	struct engine *engine = engine_create();
	struct placement_model before, after;
	double now_s;
	struct prediction p = let_wait(engine, &now_s), again, kept;
	bool due;

	engine_placement(engine, p.id, &before);
	ck_assert(engine_refresh(engine, now_s, &again, &due));
	ck_assert_str_eq(again.id, p.id);
	ck_assert_int_eq(again.stage, STAGE_WAITING);
	ck_assert_double_eq(again.made_at_s, now_s);
	ck_assert_double_gt(again.median_s, 1.1 * p.median_s);
	ck_assert_int_eq(engine_prediction_waiting(engine, p.id, &kept), 0);
	ck_assert_mem_eq(&kept, &again, sizeof(kept));
	ck_assert_int_eq(
		engine_prediction(engine, p.id, STAGE_SUBMISSION, &kept), 0);
	ck_assert_mem_eq(&kept, &p, sizeof(kept));
	ck_assert_int_eq(engine_placement(engine, p.id, &after), 0);
	ck_assert_mem_ne(&after, &before, sizeof(after));

	/* Nothing has happened meanwhile. */
	ck_assert(!engine_refresh(engine, now_s + 1, &kept, &due));
	ck_assert(!due);

	struct run run = life_run(&p, 9, now_s + 2, 30);

	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	run_one(engine, 10, now_s + 3, 4000);
	ck_assert(!engine_refresh(engine, now_s + 5000, &again, &due));

	/* It waits again. */
	run.state = RUN_REQUEUED;
	run.ended_at_s = now_s + 5001;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	for (uint32_t i = 11; i <= 16; i++)
		run_one(engine, i, now_s + 5000 + i, 100);
	ck_assert(engine_refresh(engine, now_s + 6000, &again, &due));
	ck_assert_str_eq(again.id, p.id);
	engine_destroy(engine);
}
END_TEST

/* What was predicted at the submission is what models learn by: as if the job
 * had never been predicted again. */
START_TEST(test_nothing_is_learned_from_it)
{
	struct engine *engines[2] = { engine_create(), engine_create() };
	struct prediction last[2];

	for (int i = 0; i < 2; i++) {
		double now_s;
		struct prediction p = let_wait(engines[i], &now_s), again;
		bool due;

		for (int n = 0; i && n < 20; n++)
			engine_refresh(engines[i], now_s + n, &again, &due);

		struct run run = life_run(&p, 9, now_s + 100, 300);

		ck_assert_int_eq(engine_learn(engines[i], &run, NULL), 0);
		last[i] = life_ask(engines[i], 1, 5000, now_s + 1000);
		last[i].id[0] = '\0';
		memset(last[i].id, 0, sizeof(last[i].id));
	}
	ck_assert_mem_eq(&last[0], &last[1], sizeof(last[0]));
	engine_destroy(engines[0]);
	engine_destroy(engines[1]);
}
END_TEST

/* As it comes from the store after a restart, older ones too. */
START_TEST(test_the_newest_is_remembered)
{
	struct engine *engine = engine_create();
	double now_s;
	struct prediction p = let_wait(engine, &now_s), kept;

	p.stage = STAGE_WAITING;
	for (int i = 0; i < 3; i++) {
		p.made_at_s = now_s - i % 2;
		p.median_s = 100 + i;
		ck_assert_int_eq(engine_remember(engine, &p, NULL), 0);
		p.made_at_s += i;
	}
	ck_assert_int_eq(engine_prediction_waiting(engine, p.id, &kept), 0);
	ck_assert_double_eq(kept.median_s, 100);
	p.made_at_s = now_s + 1;
	ck_assert_int_eq(engine_remember(engine, &p, NULL), 0);
	ck_assert_int_eq(engine_prediction_waiting(engine, p.id, &kept), 0);
	ck_assert_double_eq(kept.median_s, 102);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_those_of_user_and_application_first,
		test_the_rest_have_turns,
		test_only_its_own_run_takes_it_out,
		test_free_places_first,
		test_a_job_is_there_once,
		test_sets_are_kept,
		test_too_old,
		test_arrays,
		test_a_run_changes_those_that_wait,
		test_nothing_is_learned_from_it,
		test_the_newest_is_remembered,
		NULL,
	};

	return suite_run("refresh", tests);
}
