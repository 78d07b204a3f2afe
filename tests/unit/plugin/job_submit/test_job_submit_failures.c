/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_submit_failures.c - a submission goes on, whatever fails */
#include "predictor/base/clock.h"
#include "predictor/features/prediction.h"
#include "tests/unit/plugin/job_submit/submission_case.h"
#include "tests/unit/suite.h"

/* A text that would be too long with ours is left as it is. */
START_TEST(test_bounds)
{
	char *long_text = malloc(32768);
	size_t note = strlen("," PREDICTION_MISSED);

	memset(long_text, 'x', 32767);
	server.reply = NULL;
	for (int more = 0; more < 2; more++) {
		desc_clear();
		policy_set(",predict_timeout_ms=1");
		long_text[32767 - note + (size_t)more] = '\0';
		desc.admin_comment = strdup(long_text);
		submit();
		ck_assert_uint_eq(strlen(desc.admin_comment),
				  32767 - (more ? note - 1 : 0));
		long_text[32767 - note + (size_t)more] = 'x';
	}
	desc_clear();
	predictd_reply(HISTORY, "");
	policy_set("");
	long_text[4090] = '\0';
	err_msg = strdup(long_text);
	submit();
	ck_assert_uint_eq(strlen(err_msg), 4090);
	free(long_text);
}
END_TEST

/* --- Failures ------------------------------------------------------------- */

/* The submission goes on as it is, and its AdminComment says so. */
static void expect_missed(void)
{
	ck_assert_str_eq(desc.admin_comment, PREDICTION_MISSED);
	ck_assert_ptr_null(err_msg);
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_ptr_null(spank_variable(OPTION_PREDICTION_VARIABLE));
}

START_TEST(test_bad_replies)
{
	static const char *const replies[] = {
		OK_HEAD "Content-Length: 2\r\n\r\n{}",
		OK_HEAD "Content-Length: 7\r\n\r\nnothing",
		OK_HEAD "Content-Length: 20\r\n\r\n{\"prediction\": \"42\"}",
		"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
		"no HTTP\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		server.reply = replies[i];
		submit_in(ACT);
		expect_missed();
	}
	/* Five failures: predictd is left alone, and the log says so. */
	ck_assert_ptr_nonnull(strstr(stub_log, "error: predict: predictd at"));
	ck_assert_ptr_nonnull(strstr(stub_log, "no requests for 10 s"));
	ck_assert_ptr_nonnull(
		strstr(stub_log, "jobs submitted without a prediction: 1 "));
	int requests = server.requests;

	predictd_reply(HISTORY, "");
	submit_in(ACT);
	expect_missed();
	ck_assert_int_eq(server.requests, requests);
}
END_TEST

/* A predictd that never replies costs the deadline, a predictd that is away
 * costs nothing. */
START_TEST(test_deadline)
{
	double began_s;

	server.reply = NULL;
	server.requests_each = 0;
	policy_set(",predict_timeout_ms=200");
	began_s = clock_monotonic_s();
	submit();
	ck_assert_double_ge(clock_monotonic_s() - began_s, 0.17);
	ck_assert_double_lt(clock_monotonic_s() - began_s, 2);
	expect_missed();
	desc_clear();
	slurm_conf.slurmctld_params = "predict_url=unix:/nonexistent/sock,"
				      "predict_timeout_ms=10000";
	began_s = clock_monotonic_s();
	submit();
	ck_assert_double_lt(clock_monotonic_s() - began_s, 5);
	expect_missed();
}
END_TEST

/* The node finds the application of a job that was missed by its arguments, as
 * far as there is room for them. */
START_TEST(test_arguments_of_missed)
{
	char *words[] = { "./heat", "-n", "4", NULL, "lost" };
	char longest[OPTION_ARGUMENTS_TEXT_SIZE];

	server.reply = "no HTTP\r\n\r\n";
	desc.argv = words;
	desc.argc = 5;
	submit();
	ck_assert_str_eq(spank_variable(OPTION_ARGUMENTS_VARIABLE),
			 "./heat -n 4");
	desc_clear();
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - sizeof("./heat ")] = '\0';
	words[1] = longest;
	desc.argv = words;
	desc.argc = 3;
	submit();
	ck_assert_uint_eq(strlen(spank_variable(OPTION_ARGUMENTS_VARIABLE)),
			  sizeof(longest) - 1);
	desc_clear();
	longest[strlen(longest)] = 'x'; /* one too long: nor what follows */
	longest[sizeof(longest) - sizeof("./heat ") + 1] = '\0';
	desc.argv = words;
	desc.argc = 3;
	submit();
	ck_assert_str_eq(spank_variable(OPTION_ARGUMENTS_VARIABLE), "./heat");
}
END_TEST

/* For `sbatch --test-only` nothing is missed. */
START_TEST(test_missed_test_only)
{
	server.reply = "no HTTP\r\n\r\n";
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_TEST_VARIABLE "=1");
	submit();
	ck_assert_ptr_null(desc.admin_comment);
}
END_TEST

/* Without memory for a variable the job is submitted without it. */
START_TEST(test_no_memory)
{
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size, "A=1");
	stub_no_memory = true;
	submit();
	ck_assert_uint_eq(desc.spank_job_env_size, 1);
	ck_assert_ptr_nonnull(strstr(desc.admin_comment, "predict=" ID));
}
END_TEST

START_TEST(test_bad_token)
{
	submit_in(",predict_quantile=7");
	ck_assert_ptr_nonnull(strstr(stub_log, "error: predict: "));
	ck_assert_ptr_nonnull(strstr(stub_log, "predict_quantile"));
	ck_assert_ptr_nonnull(strstr(desc.admin_comment, "predict=" ID));
}
END_TEST

/* --- Releases ------------------------------------------------------------- */

/* In another release the job description is unknown: it is not touched. */
START_TEST(test_other_release)
{
	ck_assert_str_eq(plugin_type, "job_submit/predict");
	ck_assert_uint_eq(plugin_version, SLURM_VERSION_NUMBER);
	fini();
	plugin_version = SLURM_VERSION_NUMBER + 0x100;
	ck_assert_int_eq(init(), SLURM_SUCCESS);
	ck_assert_ptr_nonnull(strstr(stub_log, "NO JOB IS PREDICTED"));
	submit();
	ck_assert_ptr_null(desc.admin_comment);
	ck_assert_int_eq(server.requests, 0);
	/* Another micro release of the same release has the same. */
	plugin_version = SLURM_VERSION_NUMBER ^ 1;
	ck_assert_int_eq(init(), SLURM_SUCCESS);
	ck_assert_ptr_nonnull(strstr(stub_log, "works with"));
	submit();
	ck_assert_int_eq(server.requests, 1);
	plugin_version = SLURM_VERSION_NUMBER;
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_bounds,
		test_bad_replies,
		test_deadline,
		test_arguments_of_missed,
		test_missed_test_only,
		test_no_memory,
		test_bad_token,
		test_other_release,
		NULL,
	};

	return suite_run_each("job_submit_failures", tests, case_begin,
			      case_end);
}
