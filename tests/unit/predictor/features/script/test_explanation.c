/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_explanation.c - how a job script is understood */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/explanation.h"
#include "tests/unit/suite.h"

static struct explanation found;

static void explain(const char *script)
{
	struct submission job;

	submission_init(&job);
	job.name = "job";
	job.script = script;
	explanation_make(&job, &found);
}

START_TEST(test_commands)
{
	explain("#!/bin/sh\n"
		"module load mpi\n"
		"mkdir out\n"
		"case $SLURM_ARRAY_TASK_ID in\n"
		"1) n=70;;\n"
		"2) n=90;;\n"
		"esac\n"
		"srun ./cavity $n 0.04 --case $NAME\n"
		"python plot.py\n");
	ck_assert_str_eq(found.application.name, "cavity");
	ck_assert_uint_eq(found.count, 3);
	ck_assert_uint_eq(found.commands[0].line, 3);
	ck_assert_int_eq(found.commands[0].rank, COMMAND_TRIVIAL);
	ck_assert(!found.commands[0].used);
	ck_assert_uint_eq(found.commands[1].line, 8);
	ck_assert(found.commands[1].used);
	ck_assert_str_eq(found.commands[1].text,
			 "srun ./cavity 90? 0.04 --case $NAME");
	ck_assert_str_eq(found.unknown, "90? $NAME");
	ck_assert(!found.commands[2].used);
}
END_TEST

START_TEST(test_bounds)
{
	static char script[SUBMISSION_SCRIPT_MAX];
	size_t used = 0;

	for (int i = 0; i < 300; i++)
		used += (size_t)snprintf(script + used, sizeof(script) - used,
					 "cp a%d b\n", i);
	explain(script);
	ck_assert_uint_eq(found.count, EXPLANATION_COMMANDS_MAX);
	ck_assert_uint_eq(found.skipped, 300 - EXPLANATION_COMMANDS_MAX);
	explain(NULL);
	ck_assert_uint_eq(found.count + found.skipped, 0);
	ck_assert_str_ne(found.application.name, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_commands, test_bounds, NULL };

	return suite_run("explanation", tests);
}
