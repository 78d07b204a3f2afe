/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_row.c - the row of the table of models that simulates farms */
#include <math.h>
#include <string.h>

#include "predictor/models/model.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

extern const struct model model_farm; /* a row of models[] */

#define NODES  4
#define ROUNDS 300

static struct profile profile;

static void set_profile(double mu_s)
{
	profile = (struct profile){
		.nodes = NODES,
		.tasks = NODES,
		.runs = 1,
		.runtime_s = 5,
		.farm = { .kind = PROFILE_FARM_DYNAMIC,
			  .workers = 3,
			  .tasks = 120,
			  .mu_s = mu_s,
			  .sigma_s = mu_s / 3,
			  .alpha = .5,
			  .message_s = 1e-3,
			  .workers_on = { 0, 1, 1, 1 } },
	};
}

static double answer(void *model, const struct query *query)
{
	struct model_result result;
	struct sp_error err;

	ck_assert_int_eq(model_farm.predict(model, NULL, query, &result, &err),
			 0);
	return result.median_s;
}

/* What is kept from one query to the next changes no answer: nodes, tasks,
 * shares that are not known, and a profile that changes in its place. */
START_TEST(test_as_a_fresh_one)
{
	const double shares[] = { 1, .5, .25, NAN };
	struct parameters none = { 0 };
	void *used = model_farm.create();
	struct random r = { 3 };

	for (int round = 0; round < ROUNDS; round++) {
		struct query query = {
			.application = INDEX_NONE,
			.names = INDEX_NONE,
			.parameters = &none,
			.farm_profile = &profile,
			.nodes = 2 + (uint32_t)random_below(&r, 3),
			.conditions.cpu_available = shares[random_below(&r, 4)],
		};
		void *fresh = model_farm.create();

		query.tasks = query.nodes * (1 + (uint32_t)random_below(&r, 2));
		if (round % 50 == 0)
			set_profile(.01 + .01 * random_unit(&r));
		ck_assert_double_eq(answer(used, &query),
				    answer(fresh, &query));
		model_farm.destroy(fresh);
	}
	model_farm.destroy(used);
}
END_TEST

/* A profile that is refused leaves nothing behind. */
START_TEST(test_refused_between)
{
	struct parameters none = { 0 };
	struct query query = { .application = INDEX_NONE,
			       .names = INDEX_NONE,
			       .parameters = &none,
			       .farm_profile = &profile,
			       .nodes = NODES,
			       .tasks = NODES,
			       .conditions.cpu_available = .5 };
	void *model = model_farm.create();
	struct model_result result;
	struct sp_error err;
	double before;

	set_profile(.01);
	before = answer(model, &query);
	profile.farm.mu_s = NAN;
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(
			model_farm.predict(model, NULL, &query, &result, &err),
			-1);
	set_profile(.01);
	ck_assert_double_eq(answer(model, &query), before);
	model_farm.destroy(model);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_as_a_fresh_one,
				       test_refused_between, NULL };

	return suite_run("farm_row", tests);
}
