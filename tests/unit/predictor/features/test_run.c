/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run.c - one execution of a job, and the words of predictions */
#include <math.h>
#include <string.h>

#include "predictor/features/prediction.h"
#include "predictor/features/run.h"
#include "tests/unit/suite.h"

START_TEST(test_states_have_slurms_words)
{
	enum run_state state;

	for (int i = 0; i < RUN_STATES; i++) {
		ck_assert_int_eq(enum_words_parse(&run_state_words,
						  run_state_name(i), &state),
				 0);
		ck_assert_int_eq(state, i);
	}
	ck_assert_str_eq(run_state_name(RUN_OUT_OF_MEMORY), "OUT_OF_MEMORY");
	ck_assert_int_eq(
		enum_words_parse(&run_state_words, "BOOT_FAIL", &state), 0);
	ck_assert_int_eq(state, RUN_NODE_FAIL);
	ck_assert_int_eq(enum_words_parse(&run_state_words, "DEADLINE", &state),
			 0);
	ck_assert_int_eq(state, RUN_TIMEOUT);
	ck_assert_str_eq(run_state_name(RUN_STATES), "UNKNOWN");
}
END_TEST

START_TEST(test_other_words_are_no_states)
{
	static const char *const words[] = { "",           "PENDING",
					     "COMPLETING", "completed",
					     "UNKNOWN",    "COMPLETED " };
	enum run_state state = RUN_LOST;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		ck_assert_int_eq(
			enum_words_parse(&run_state_words, words[i], &state),
			-1);
	ck_assert_int_eq(state, RUN_LOST);
}
END_TEST

START_TEST(test_only_completed_runs_count)
{
	struct run run = { .started_at_s = 100, .ended_at_s = 142.5 };

	for (int i = 0; i < RUN_STATES; i++) {
		run.state = (enum run_state)i;
		ck_assert_int_eq(run_is_representative(&run),
				 i == RUN_COMPLETED);
		if (i != RUN_RUNNING)
			ck_assert_double_eq(run_runtime_s(&run), 42.5);
	}
	run.state = RUN_RUNNING;
	ck_assert_double_nan(run_runtime_s(&run));
}
END_TEST

START_TEST(test_words_of_predictions)
{
	enum prediction_mode mode = MODE_ACT;
	int basis = 7;

	for (int i = 0; i < BASIS_COUNT; i++) {
		ck_assert_int_eq(enum_words_parse(&prediction_basis_words,
						  prediction_basis_name(i),
						  &basis),
				 0);
		ck_assert_int_eq(basis, i);
	}
	ck_assert_int_eq(enum_words_parse(&prediction_mode_words, "on", &mode),
			 -1);
	ck_assert_int_eq(mode, MODE_ACT);
	for (int i = 0; i < MODE_COUNT; i++) {
		ck_assert_int_eq(enum_words_parse(&prediction_mode_words,
						  prediction_mode_name(i),
						  &mode),
				 0);
		ck_assert_int_eq(mode, i);
	}
	basis = 7;
	ck_assert_int_eq(enum_words_parse(&prediction_basis_words, "", &basis),
			 -1);
	ck_assert_int_eq(basis, 7);
	ck_assert_str_eq(prediction_basis_name(BASIS_COUNT), "unknown");
	ck_assert_str_eq(prediction_mode_name(MODE_COUNT), "unknown");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_states_have_slurms_words,
		test_other_words_are_no_states,
		test_only_completed_runs_count,
		test_words_of_predictions,
		NULL,
	};

	return suite_run("run", tests);
}
