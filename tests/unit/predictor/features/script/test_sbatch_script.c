/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sbatch_script.c - #SBATCH lines that keep a script from being a job */
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/sbatch_script.h"
#include "tests/unit/suite.h"

START_TEST(test_scripts_that_only_test)
{
	static const struct {
		const char *script;
		bool tests;
	} rows[] = {
		{ "#!/bin/sh\n#SBATCH -N 2 --test-only\nsolve\n", true },
		{ "#!/bin/sh\n#SBATCH -J x\n\n#SBATCH --test\nsolve\n", true },
		{ "#!/bin/sh\n#SBATCH -J --test-only\nsolve\n", false },
		{ "#!/bin/sh\n#SBATCH -J x # --test-only\nsolve\n", false },
		{ "#!/bin/sh\n#SBATCH -n 4 \\\n#SBATCH --test-only\nsolve\n",
		  true },
		{ "#!/bin/sh\n# SBATCH --test-only\nsolve\n", false },
		{ "#!/bin/sh\nsolve --test-only\n", false },
		{ "#!/bin/sh\nsolve\n#SBATCH --test-only\n", false },
		{ "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(sbatch_script_tests_only(rows[i].script) ==
				      rows[i].tests,
			      "%s", rows[i].script);
}
END_TEST

START_TEST(test_commands_that_only_test)
{
	static const char *const sbatch[] = { "/usr/bin/sbatch", "-Q",
					      "--test-only", "job.sh" };
	static const char *const srun[] = { "srun", "-n", "4", "solve",
					    "--test-only" };
	struct submit_line line;

	ck_assert(submit_line_read(sbatch, 4, &line) && line.test_only);
	ck_assert_int_eq(line.first, 3);
	ck_assert(submit_line_read(srun, 5, &line) && !line.test_only);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_scripts_that_only_test,
		test_commands_that_only_test,
		NULL,
	};

	return suite_run("sbatch_script", tests);
}
