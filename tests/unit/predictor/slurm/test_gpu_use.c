/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gpu_use.c - recorded answers of sacct about GPUs
 *
 * No GPU was here: the use is as docs/compute/monitoring-resources.md of the
 * University of Colorado's clusters has it (job 18194943, Slurm 24 or 25).
 */
#include <math.h>
#include <stdio.h>

#include "predictor/slurm/gpu_use.h"
#include "tests/unit/suite.h"

#define REST "mem=10621726720,pages=3465,vmem=10439041024"
#define BUSY                                                                  \
	"cpu=00:56:24,energy=0,fs/disk=350130624578,gres/gpumem=40777023488," \
	"gres/gpuutil=100," REST
#define IDLE                                                               \
	"cpu=00:00:00,energy=0,fs/disk=5273,gres/gpumem=0,gres/gpuutil=0," \
	"mem=262144,pages=0,vmem=0"
#define TWO    "billing=64,cpu=9,gres/gpu:a100=2,gres/gpu=2,mem=60G,node=1"
#define EXTERN "1000|1900|1|" TWO "|" IDLE "|" IDLE "\n"
#define JOB    "1000|1900||" TWO "||\n"

static struct gpu_use use;

static int try_parse(const char *text)
{
	char copy[4096];

	ck_assert_uint_lt(strlen(text), sizeof(copy));
	strcpy(copy, text);
	use = (struct gpu_use){ .idle = 77 };
	return gpu_use_parse(copy, &use);
}

static void parse(const char *text)
{
	ck_assert_int_eq(try_parse(text), 0);
}

START_TEST(test_one_of_two_idle)
{
	parse(JOB "1000|1900|1|" TWO "|" BUSY "|" BUSY "\n" EXTERN);
	ck_assert_double_eq(use.gpus, 2);
	ck_assert_double_eq(use.busy, 1);
	ck_assert_double_eq(use.idle, 1);
	ck_assert_double_eq(use.memory_mb, 38888);
	/* As without --noconvert. */
	parse(JOB "1000|1900|1|gres/gpu=2|gres/gpumem=38888M,gres/gpuutil=41|"
		  "\n");
	ck_assert_double_eq(use.busy, 0.41);
	ck_assert_double_eq(use.idle, 1);
	ck_assert_double_eq(use.memory_mb, 38888);
}
END_TEST

START_TEST(test_tasks)
{
	/* Both work; or the second does nothing. */
	parse("1000|1900|2|" TWO "|gres/gpuutil=97|gres/gpuutil=95\n");
	ck_assert_double_eq(use.idle, 0);
	ck_assert_double_eq(use.busy, 1.92);
	ck_assert_double_eq(use.memory_mb, 0);
	parse("1000|1900|2|" TWO "|gres/gpuutil=97|gres/gpuutil=0\n");
	ck_assert_double_eq(use.idle, 1);
	/* The second of three may be as busy as the first. */
	parse("1000|1900|3|" TWO "|gres/gpuutil=97|gres/gpuutil=0\n");
	ck_assert_double_eq(use.idle, 0);
	/* No more than there are. */
	parse("1000|1900|9|" TWO "|gres/gpuutil=97|gres/gpuutil=90\n");
	ck_assert_double_eq(use.busy, 2);
}
END_TEST

/* One after the other, then at the same time. */
START_TEST(test_steps)
{
	parse(JOB "1000|1500|1|" TWO "|" BUSY "|" BUSY "\n"
		  "1500|1900|1|" TWO "|" BUSY "|" BUSY "\n" EXTERN);
	ck_assert_double_eq(use.idle, 1);
	parse(JOB "1000|1500|1|" TWO "|" BUSY "|" BUSY "\n"
		  "1499|1900|1|" TWO "|" BUSY "|" BUSY "\n" EXTERN);
	ck_assert_double_eq(use.idle, 0);
}
END_TEST

START_TEST(test_not_known)
{
	static const char *const texts[] = {
		"",
		"\n|||||\n||||||\n",
		"sacct: error: Slurm accounting storage is disabled\n",
		/* No such TRES; no GPU; a GPU that Slurm cannot read. */
		JOB "1000|1900|1|" TWO "|cpu=00:56:24," REST "|" REST "\n",
		"1000|1900|1|cpu=8|" BUSY "|" BUSY "\n",
		JOB EXTERN,
		JOB "1000|1900|1|" TWO "|gres/gpuutil=18446744073709551614|\n",
		JOB "1000|1900|1|" TWO "|agres/gpuutil=7|\n",
		NULL,
	};

	for (int i = 0; texts[i]; i++)
		ck_assert_int_eq(try_parse(texts[i]), -1);
	ck_assert_double_eq(use.idle, 77);
}
END_TEST

/* So many that the last one is not read; whether it is the busiest? */
START_TEST(test_too_many_steps)
{
	static char text[200000];
	char *at = text;

	for (int i = 0; i < 1000; i++)
		at += sprintf(at, "%d|%d|1|gres/gpu=2|gres/gpuutil=41|\n",
			      1000 + i, 1001 + i);
	strcpy(at, "2000|2001|1|gres/gpu=2|gres/gpuutil=200|\n");
	ck_assert_int_eq(gpu_use_parse(text, &use), -1);
	at = text;
	for (int i = 0; i < 1000; i++)
		at += sprintf(at, "%d|%d|1|gres/gpu=2|gres/gpuutil=41|\n",
			      1000 + i, 1001 + i);
	ck_assert_int_eq(gpu_use_parse(text, &use), 0);
	ck_assert_double_eq(use.busy, 0.41);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_of_two_idle, test_tasks,          test_steps,
		test_not_known,       test_too_many_steps, NULL,
	};

	return suite_run("gpu_use", tests);
}
