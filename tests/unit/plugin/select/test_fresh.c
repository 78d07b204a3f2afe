/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fresh.c - models of jobs that are too new for a snapshot */
#include <check.h>
#include <string.h>

#include "plugin/select/fresh.h"
#include "predictor/snapshot/snapshot.h"
#include "tests/unit/suite.h"

#define ID "00000000000000ab"

START_TEST(test_without_the_other_plugin)
{
	struct fresh fresh = { .lookup = NULL };
	struct placement_model model = { .nodes = 7 };

	ck_assert_int_eq(fresh_model(&fresh, ID, &model), -1);
	ck_assert(fresh.next_search_s > 0);
	ck_assert_int_eq(fresh_model(&fresh, ID, &model), -1);
	ck_assert_uint_eq(model.nodes, 7);
}
END_TEST

START_TEST(test_recent_model)
{
	struct fresh fresh = { .lookup = predict_recent_model };
	struct placement_model model = { .nodes = 7 }, sent;
	char text[SNAPSHOT_MODEL_SIZE];

	_Static_assert(sizeof(text) <= RECENT_MODEL_SIZE, "a model fits");
	ck_assert_int_eq(fresh_model(&fresh, ID, &model), -1);
	recent_models_put(ID, "nonsense");
	ck_assert_int_eq(fresh_model(&fresh, ID, &model), -1);
	ck_assert_uint_eq(model.nodes, 7);
	placement_model_from_runtime(2, 8, 80, &sent);
	snapshot_model_print(&sent, text);
	recent_models_put(ID, text);
	ck_assert_int_eq(fresh_model(&fresh, ID, &model), 0);
	ck_assert_uint_eq(model.nodes, 2);
	ck_assert_float_eq(model.busy_s, 80);
	ck_assert_uint_eq(model.weights.count, 0);
	strcat(text, " 7z");
	recent_models_put(ID, text);
	ck_assert_int_eq(fresh_model(&fresh, ID, &model), 0);
	ck_assert_uint_eq(model.weights.count, 2);
	ck_assert_uint_eq(model.weights.of[0], 7);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_without_the_other_plugin,
		test_recent_model,
		NULL,
	};

	return suite_run("fresh", tests);
}
