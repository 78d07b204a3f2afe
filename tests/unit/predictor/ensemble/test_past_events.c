/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_past_events.c - an engine that read everything back is the one that
 * lived it
 *
 * What the store gives at a start: predictions, measurements, runs in the order
 * of their ends.
 */
#include <stdlib.h>

#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define JOBS 300

struct tape {
	struct prediction predictions[JOBS], starts[JOBS];
	struct run runs[JOBS];
};

static void look(struct engine *engine, struct prediction out[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct life life;

		life_submit(&life, 1u << i % 3, 2500 + 333 * (double)i);
		engine_predict(engine, &life.job, MODE_OBSERVE, 0.8,
			       LIFE_START_S + 1e6, false, &out[i]);
	}
}

static struct prediction start(struct engine *engine, struct run run)
{
	struct prediction p, again;

	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert(engine_predict_start(engine, &run, &p));
	ck_assert_int_eq(p.stage, STAGE_START);
	ck_assert(!engine_predict_start(engine, &run, &again));
	return p;
}

/* Jobs overlap, so that some end before others that started earlier; clocks of
 * nodes are behind. */
static void live(struct engine *engine, struct tape *tape)
{
	struct random r = { 1 };
	size_t ended = 0;

	for (size_t i = 0; i < JOBS; i++) {
		double now_s = LIFE_START_S + 20.0 * (double)i;
		double bodies = 2000 + 500 * (double)random_below(&r, 6);
		struct life life;
		struct prediction *p = &tape->predictions[i];

		while (ended < i && tape->runs[ended].ended_at_s <= now_s)
			engine_learn(engine, &tape->runs[ended++], NULL);
		life_measure(engine, "n1", now_s - 2, (double)(i % 3));
		life_measure(engine, "n2", now_s - 2, (double)(i % 2));
		life_submit(&life, 1u << random_below(&r, 3), bodies);
		*p = life_predict(engine, &life, now_s);

		struct run run =
			life_run(p, (uint32_t)i, now_s - (double)(i % 3) / 2,
				 bodies * bodies / 1e5 / p->nodes *
					 (0.9 + 0.2 * random_unit(&r)));

		if (random_below(&r, 9) == 0)
			run.state = RUN_FAILED;
		engine_complete_run(engine, &run);
		tape->starts[i] = start(engine, run);
		tape->runs[i] = run;
		/* In the order of their ends. */
		for (size_t j = i;
		     j > ended &&
		     tape->runs[j].ended_at_s < tape->runs[j - 1].ended_at_s;
		     j--) {
			struct run swap = tape->runs[j];

			tape->runs[j] = tape->runs[j - 1];
			tape->runs[j - 1] = swap;
		}
	}
	while (ended < JOBS)
		engine_learn(engine, &tape->runs[ended++], NULL);
}

static struct engine *replay(const struct tape *tape)
{
	struct engine *engine = engine_create();

	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	for (size_t i = 0; i < JOBS; i++) {
		ck_assert_int_eq(
			engine_remember(engine, &tape->predictions[i], NULL),
			0);
		ck_assert_int_eq(
			engine_remember(engine, &tape->starts[i], NULL), 0);
	}
	for (size_t i = 0; i < JOBS; i++)
		ck_assert_int_eq(engine_learn(engine, &tape->runs[i], NULL), 0);
	ck_assert_int_eq(engine_load_end(engine, NULL), 0);
	return engine;
}

static void collect(void *context, const struct engine_accuracy *accuracy)
{
	char *text = context;

	sprintf(text + strlen(text), "%s %u %.9f %.9f\n", accuracy->model,
		accuracy->runs, accuracy->error, accuracy->coverage);
}

START_TEST(test_replay_is_life)
{
	struct tape *tape = calloc(1, sizeof(*tape));
	struct engine *lived = engine_create();
	struct prediction before[9];
	struct prediction after[9];
	char accuracy[2][1000] = { "", "" };

	live(lived, tape);

	struct engine *replayed = replay(tape);

	look(lived, before, 9);
	look(replayed, after, 9);
	for (int i = 0; i < 9; i++) {
		ck_assert_int_eq(before[i].basis, BASIS_HISTORY);
		ck_assert_str_eq(before[i].model, after[i].model);
		ck_assert_double_eq(before[i].median_s, after[i].median_s);
		for (int k = 0; k < PREDICTION_KNOTS; k++)
			ck_assert_double_eq(before[i].knots_s[k],
					    after[i].knots_s[k]);
		ck_assert_mem_eq(&before[i], &after[i], sizeof(before[i]));
	}
	engine_visit_accuracy(lived, UINT32_MAX, collect, accuracy[0]);
	engine_visit_accuracy(replayed, UINT32_MAX, collect, accuracy[1]);
	ck_assert_str_eq(accuracy[0], accuracy[1]);
	engine_destroy(lived);
	engine_destroy(replayed);
	free(tape);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_replay_is_life, NULL };

	return suite_run("replay", tests);
}
