/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_environment.c - variables of a job's environment that matter
 * to it */
#include <stdio.h>
#include <string.h>

#include "predictor/features/job_environment.h"
#include "tests/unit/suite.h"

START_TEST(test_what_a_script_reads)
{
	static char *variables[] = {
		(char *)"HOME=/home/u",
		(char *)"N=400",
		(char *)"NN=7",
		(char *)"MODEL=vit",
		(char *)"API_KEY=abc",
		(char *)"PASSWORD=1234",
		(char *)"OMP_NUM_THREADS=8",
		(char *)"EMPTY=",
		(char *)"bad",
		(char *)"TWO=a\nb",
		(char *)"SITE=http://u@h",
		NULL,
	};
	const char *found[JOB_ENVIRONMENT_MAX];

	ck_assert_int_eq(
		job_environment_find(
			"#!/bin/sh\ncd $HOME\nsrun ./a -n $N --m=${MODEL:-x} "
			"$API_KEY $PASSWORD $EMPTY $TWO $SITE $bad "
			"$OMP_NUM_THREADS $1 $$ ${#N} $",
			variables, UINT32_MAX, found),
		2);
	ck_assert_str_eq(found[0], "N=400");
	ck_assert_str_eq(found[1], "MODEL=vit");
	ck_assert_int_eq(job_environment_find(NULL, variables, 9, found), 0);
	ck_assert_int_eq(job_environment_find("$N", NULL, 9, found), 0);
	ck_assert_int_eq(job_environment_find("$N", variables, 1, found), 0);
}
END_TEST

START_TEST(test_many)
{
	static char texts[5000][16], script[70000];
	static char *variables[5001];
	const char *found[JOB_ENVIRONMENT_MAX];

	for (int i = 0; i < 5000; i++) {
		snprintf(texts[i], sizeof(texts[i]), "V%d=1", i);
		variables[i] = texts[i];
		sprintf(script + strlen(script), "$V%d ", i);
	}
	ck_assert_int_eq(job_environment_find(script, variables, 5000, found),
			 JOB_ENVIRONMENT_MAX);
}
END_TEST

START_TEST(test_export)
{
	const char *at = job_environment_export_option(
		"sbatch -n 4 --export=ALL,N=100,PATH,X=,MODEL=vit,KEY=a1 "
		"run.sh Z=5,Y=6");
	size_t length;
	const char *pair = job_environment_exported(&at, &length);

	ck_assert_uint_eq(length, 5);
	ck_assert(!strncmp(pair, "N=100", 5));
	pair = job_environment_exported(&at, &length);
	ck_assert_uint_eq(length, 9);
	ck_assert(!strncmp(pair, "MODEL=vit", 9));
	ck_assert_ptr_null(job_environment_exported(&at, &length));

	ck_assert_str_eq(job_environment_export_option("sbatch run.sh"), "");
	ck_assert_str_eq(job_environment_export_option(NULL), "");
	ck_assert_str_eq(
		job_environment_export_option("sbatch --export-file=a b"), "");
	ck_assert_str_eq(job_environment_export_option("sbatch --export A=1"),
			 "A=1");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_what_a_script_reads, test_many,
				       test_export, NULL };

	return suite_run("job_environment", tests);
}
