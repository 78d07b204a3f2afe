/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_quoted_fields.c - fields in double quotes, as spreadsheets write them */
#include <string.h>

#include "predictor/logs/quoted_fields.h"
#include "tests/unit/predictor/logs/logs.h"
#include "tests/unit/suite.h"

START_TEST(test_lines)
{
	static const struct {
		const char *line, *read;
	} cases[] = {
		{ "\"1\",\"a,b\",\"say \"\"x\"\"\"", "1|a,b|say \"x\"" },
		{ "1,a,\"srun -p a,b c\",", "1|a|srun -p a,b c|" },
		{ "", "" },
		{ ",,", "||" },
		/* no quotes of a field */
		{ "a\"b\",c\"", "a\"b\"|c\"" },
		{ "\"open,b", "\"open|b" },
		{ "\"a\"b,c", "\"a\"b|c" },
		{ "\"a\"\"", "\"a\"\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[64];

		strcpy(line, cases[i].line);
		quoted_fields_read(line, ',', '|');
		ck_assert_str_eq(line, cases[i].read);
	}
}
END_TEST

START_TEST(test_delimiter)
{
	ck_assert_int_eq(quoted_fields_delimiter("\"JobID\"|\"State\""), '|');
	ck_assert_int_eq(quoted_fields_delimiter("\"JobID\",\"State\""), ',');
	ck_assert_int_eq(quoted_fields_delimiter("\"JobID\""), 0);
	ck_assert_int_eq(quoted_fields_delimiter("\"JobID"), 0);
	ck_assert_int_eq(quoted_fields_delimiter("JobID,\"State\""), 0);
	ck_assert_int_eq(quoted_fields_delimiter(""), 0);
}
END_TEST

static void read_two(const char *text, struct run ret[2])
{
	struct joblog *log = log_of(&joblog_sacct, text);
	struct run none;
	struct sp_error err;

	ck_assert_int_eq(joblog_next(log, &ret[0], &err), 1);
	ck_assert_int_eq(joblog_next(log, &ret[1], &err), 1);
	ck_assert_int_eq(joblog_next(log, &none, &err), 0);
	joblog_destroy(log);
}

#define TIME(hour) "2026-04-01T0" #hour ":00:00"

/* All fields with quotes, as R writes them; those with a comma, as a data frame
 * does. */
START_TEST(test_sacct_with_quotes)
{
	struct run runs[2];

	read_two("\"JobID\",\"NodeList\",\"Submit\",\"Start\",\"End\","
		 "\"State\",\"SubmitLine\"\n"
		 "\"71\",\"n[1,3]\",\"" TIME(8) "\",\"" TIME(8) "\",\"" TIME(
			 9) "\",\"COMPLETED\",\"sbatch --export=ALL,N=70 "
			    "a.sh\"\n"
			    "\"72\",\"n2\",\"" TIME(8) "\",\"" TIME(
				    8) "\",\"" TIME(9) "\",\"COMPLETED\","
						       "\"srun bash -c "
						       "\"\"./b, -k 5\"\"\"\n",
		 runs);
	ck_assert_uint_eq(runs[1].job_id, 72);
	ck_assert_str_eq(runs[0].node_list, "n[1,3]");
	ck_assert_double_eq(
		*parameters_get(&runs[0].application.parameters, "N"), 70);
	ck_assert_double_eq(
		*parameters_get(&runs[1].application.parameters, "k"), 5);

	read_two("JobID,Submit,Start,End,State,SubmitLine\n"
		 "71," TIME(8) "," TIME(8) "," TIME(
			 9) ",COMPLETED,"
			    "\"sbatch --export=ALL,N=70 a.sh\"\n"
			    "72," TIME(8) "," TIME(8) "," TIME(
				    9) ",COMPLETED,srun ./b\n",
		 runs);
	ck_assert_double_eq(
		*parameters_get(&runs[0].application.parameters, "N"), 70);
	ck_assert_str_eq(runs[1].application.name, "b");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lines, test_delimiter,
				       test_sacct_with_quotes, NULL };

	return suite_run("quoted_fields", tests);
}
