/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_values.c - single values as sacct and scontrol print them */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "predictor/slurm/slurm_values.h"
#include "tests/unit/suite.h"

START_TEST(test_times)
{
	static const struct {
		const char *text;
		double s;
	} good[] = {
		{ "1970-01-01T00:00:10Z", 10 },
		{ "2026-01-05T10:00:00+01:00", 1767603600 },
		{ "2026-01-05T10:00:00-0230", 1767616200 },
		{ "2026-07-05T10:00:00", 1783238400 },
		{ "2026-01-05T10:00:00", 1767603600 },
		{ "1767603600", 1767603600 },
		{ "Unknown", NAN },
		{ "None", NAN },
		{ "", NAN },
		{ "0", NAN },
	};
	static const char *const bad[] = {
		"2026-01-05",
		"2026-13-05T10:00:00",
		"2026-01-05T24:00:00",
		"2026-01-05T10:00:00+1",
		"2026-01-05T10:00:00 ",
		"9999999999999",
		"-5",
		"1969-01-05T10:00:00",
		"today",
	};
	double s;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!slurm_time_parse(good[i].text, &s), "%s",
			      good[i].text);
		ck_assert_msg(s == good[i].s || (isnan(s) && isnan(good[i].s)),
			      "%s: %.0f", good[i].text, s);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(slurm_time_parse(bad[i], &s) < 0, "%s", bad[i]);
}
END_TEST

START_TEST(test_values)
{
	struct slurm_memory memory;
	enum slurm_phase phase;
	enum run_state state;
	double s;
	int code, signal;

	ck_assert_int_eq(slurm_memory_parse("4000Mc", &memory), 0);
	ck_assert(memory.mb == 4000 && memory.per == 'c');
	ck_assert_int_eq(slurm_memory_parse("1.5Gn", &memory), 0);
	ck_assert(memory.mb == 1536 && memory.per == 'n');
	ck_assert_int_eq(slurm_memory_parse("0n", &memory), 0);
	ck_assert(memory.mb == 0);
	ck_assert_int_eq(slurm_memory_parse("2T", &memory), 0);
	ck_assert(memory.mb == 2097152 && memory.per == 0);
	ck_assert_int_eq(slurm_memory_parse("512", &memory), 0);
	ck_assert(memory.mb == 512);
	ck_assert_int_eq(slurm_memory_parse("512K", &memory), 0);
	ck_assert(memory.mb == 0.5);
	ck_assert_int_eq(slurm_memory_parse("12Q", &memory), -1);
	ck_assert_int_eq(slurm_memory_parse("-1", &memory), -1);
	ck_assert_int_eq(slurm_memory_parse("nan", &memory), -1);
	ck_assert_int_eq(
		slurm_memory_parse("18446744073709551616.00M", &memory), 0);
	ck_assert(memory.mb == 0);

	ck_assert_int_eq(slurm_limit_minutes_parse("90", &s), 0);
	ck_assert_double_eq(s, 5400);
	ck_assert_int_eq(slurm_limit_minutes_parse("UNLIMITED", &s), 0);
	ck_assert(isinf(s));
	ck_assert_int_eq(slurm_limit_minutes_parse("Partition_Limit", &s), 0);
	ck_assert_double_nan(s);
	ck_assert_int_eq(slurm_limit_parse("90 m", &s), -1);

	ck_assert_int_eq(slurm_state_parse("CANCELLED by 1000", &phase, &state),
			 0);
	ck_assert_int_eq(state, RUN_CANCELLED);
	ck_assert_int_eq(slurm_state_parse("DEADLINE", &phase, &state), 0);
	ck_assert_int_eq(state, RUN_TIMEOUT);
	ck_assert_int_eq(phase, SLURM_ENDED);
	ck_assert_int_eq(slurm_state_parse("SUSPENDED", &phase, &state), 0);
	ck_assert_int_eq(phase, SLURM_RUNNING);
	ck_assert_int_eq(state, RUN_RUNNING);
	ck_assert_int_eq(slurm_state_parse("", &phase, &state), -1);

	ck_assert_int_eq(slurm_exit_parse("1:9", &code, &signal), 0);
	ck_assert(code == 1 && signal == 9);
	ck_assert_int_eq(slurm_exit_parse("4000:15", &code, &signal), 0);
	ck_assert(code == 255 && signal == 15);
	ck_assert_int_eq(slurm_exit_parse("", &code, &signal), -1);
	ck_assert_int_eq(slurm_exit_parse("1", &code, &signal), -1);
	ck_assert_int_eq(slurm_exit_parse("1:", &code, &signal), -1);
}
END_TEST

START_TEST(test_comment)
{
	char id[PREDICTION_ID_SIZE] = "old";

	ck_assert(slurm_comment_missed("predict=missed"));
	ck_assert(slurm_comment_missed("a,predict=missed,b"));
	ck_assert(!slurm_comment_missed("predict=missed2"));
	ck_assert(!slurm_comment_missed("unpredict=missed"));
	ck_assert(!slurm_comment_missed("predict=0123456789abcdef"));
	ck_assert(!slurm_comment_prediction("", id));
	ck_assert(!slurm_comment_prediction("predict=00ff", id));
	ck_assert(!slurm_comment_prediction("predict=0123456789abcdef0", id));
	ck_assert_str_eq(id, "old");
	/* The newest stands last. */
	ck_assert(slurm_comment_prediction("x,predict=0123456789abcdef,"
					   "predict=00ff,"
					   "predict=fedcba9876543210,y",
					   id));
	ck_assert_str_eq(id, "fedcba9876543210");
	ck_assert(slurm_comment_prediction("x,predict=0123456789abcdef:p50="
					   "1h02m,p90=1h30m,other=2",
					   id));
	ck_assert_str_eq(id, "0123456789abcdef");
	ck_assert(!slurm_comment_missed("predict=0123456789abcdef:p50=1s"));
}
END_TEST

START_TEST(test_tres_licenses)
{
	char text[16] = "old";

	slurm_tres_licenses("", text, sizeof(text));
	slurm_tres_licenses("cpu=4,mem=4G,gres/license=3", text, sizeof(text));
	/* What is no count is none. */
	slurm_tres_licenses("license/a=2K,license/b,license/=3,license/c=",
			    text, sizeof(text));
	ck_assert_str_eq(text, "old");
	slurm_tres_licenses("license/ab=1,cpu=4,license/cd=22,license/efg=333",
			    text, sizeof(text));
	ck_assert_str_eq(text, "ab:1,cd:22");
	slurm_tres_licenses("license/a_name_of_its_own=1", text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_times, test_values, test_comment,
				       test_tres_licenses, NULL };

	return suite_run("slurm_values", tests);
}
