/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_loading_waiting.c - which jobs wait, once the past was read */
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/subjects.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

enum { SETS_GIVEN, STARTED_MEANWHILE, ARRAY, REQUEUED, ARRAY_BEFORE, WAITERS };

/* Its number in `p`, and the number of sets that it waits for. */
static int take_waiting(struct engine *engine, const struct prediction p[],
			int *ret_sets, bool *ret_begun)
{
	static struct assumed assumed;
	uint64_t id = refresh_take(engine->refresh, LIFE_START_S + 1e4,
				   &assumed, ret_begun);

	*ret_sets = assumed.count;
	refresh_waits(engine->refresh, id, ret_begun);
	for (int i = 0; id && i < WAITERS; i++)
		if (engine_ticket(p[i].id) == id)
			return i;
	return -1;
}

static void run_load(struct engine *engine, const struct prediction *p,
		     enum run_state state, bool of_array)
{
	struct run run = life_run(p, 700, LIFE_START_S + 100, 50);

	run.job_id += (uint32_t)engine_ticket(p->id) % 100000;
	run.state = state;
	run.array_job_id = of_array ? run.job_id : 0;
	run.ended_at_s = state == RUN_RUNNING ? NAN : run.ended_at_s;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
}

/* At the start (pass 0) predictions come from the store, at an import they are
 * there.  The end of another run has all of them have a turn. */
START_TEST(test_what_waits_after_an_import)
{
	static const struct assumed given = { .count = 2,
					      .weights = { 0.75, 0.25 },
					      .ratios = { 1, 2.5 } };
	for (int pass = 0; pass < 2; pass++) {
		struct engine *engine = engine_create();
		struct engine *other = engine_create();
		struct prediction p[WAITERS];
		int seen[WAITERS] = { 0 }, sets, at;
		bool begun;

		for (int i = 0; i < WAITERS; i++) {
			p[i] = life_ask(other, 1, 5000, LIFE_START_S + i);
			snprintf(p[i].id, sizeof(p[i].id), "%016x", 0xabc0 + i);
			ck_assert_int_eq(engine_remember(engine, &p[i], NULL),
					 0);
			if (pass)
				refresh_add(engine->refresh, &p[i],
					    i == SETS_GIVEN ? &given : NULL);
		}
		if (pass)
			run_load(engine, &p[ARRAY_BEFORE], RUN_RUNNING, true);
		ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
		run_load(engine, &p[ARRAY], RUN_COMPLETED, true);
		run_load(engine, &p[REQUEUED], RUN_REQUEUED, false);
		run_load(engine, &p[STARTED_MEANWHILE], RUN_RUNNING, false);
		run_load(engine, &p[ARRAY_BEFORE], RUN_RUNNING, true);
		ck_assert_int_eq(engine_load_end(engine, NULL), 0);
		run_load(engine, &p[STARTED_MEANWHILE], RUN_COMPLETED, false);
		for (int i = 0; i < WAITERS - 1; i++) {
			at = take_waiting(engine, p, &sets, &begun);
			ck_assert_int_ge(at, 0);
			seen[at]++;
			ck_assert_int_eq(sets,
					 pass && at == SETS_GIVEN ? 2 : 0);
			ck_assert_int_eq(begun,
					 at == ARRAY || at == ARRAY_BEFORE);
		}
		for (int i = 0; i < WAITERS; i++)
			ck_assert_int_eq(seen[i], i != STARTED_MEANWHILE);
		engine_destroy(engine);
		engine_destroy(other);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_waits_after_an_import,
		NULL,
	};

	return suite_run("loading_waiting", tests);
}
