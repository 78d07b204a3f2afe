/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sacct.c - what sacct prints, in all its forms */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/predictor/logs/sacct_runs.h"

START_TEST(test_common_fields)
{
	struct run runs[4];
	const struct run *r = runs;

	ck_assert_uint_eq(
		read_all("State|JobIDRaw|UID|User|Account|Partition|JobName|"
			 "Submit|Start|End|Timelimit|NNodes|NCPUS|ReqMem|"
			 "ExitCode|NodeList|Elapsed|AdminComment\n"
			 "FAILED|17|1000|ada|chem|main|relax_12|" TIMES
			 "|1-02:00:00|2|16|4000Mc|3:9|n[1-2]|00:30:00|"
			 "x predict=0123456789abcdef,y\n",
			 runs, 4),
		1);
	ck_assert_str_eq(r->cluster, "little");
	ck_assert_uint_eq(r->job_id, 17);
	ck_assert_uint_eq(r->user_id, 1000);
	ck_assert_str_eq(r->user, "ada");
	ck_assert_str_eq(r->account, "chem");
	ck_assert_str_eq(r->partition, "main");
	ck_assert_str_eq(r->job_name, "relax_12");
	ck_assert_str_eq(r->prediction_id, "0123456789abcdef");
	ck_assert_uint_eq(r->nodes, 2);
	ck_assert_uint_eq(r->cpus, 16);
	ck_assert_uint_eq(r->tasks, 16);
	ck_assert_double_eq(r->memory_mb, 64000);
	ck_assert_double_eq(r->limit_s, 26 * 3600);
	ck_assert_str_eq(r->node_list, "n[1-2]");
	ck_assert_double_eq(r->started_at_s - r->submitted_at_s, 60);
	ck_assert_double_eq(r->ended_at_s - r->started_at_s, 1800);
	ck_assert_int_eq(r->state, RUN_FAILED);
	ck_assert_int_eq(r->exit_code, 3);
	ck_assert_int_eq(r->exit_signal, 9);
	ck_assert_str_ne(r->application.name, "");
}
END_TEST

/* What a site's own fields say in other words. */
START_TEST(test_fields_of_sites)
{
	static const struct {
		const char *text, *gres;
		uint32_t cpus;
	} rows[] = {
		{ COMMON "|NCPUS|AllocTRES\n17|n|" TIMES
			 "|COMPLETED|16.0|billing=4,cpu=4,gres/gpu:a100=2,"
			 "gres/gpu=2,mem=16G\n",
		  "gpu:a100:2", 16 },
		/* A job alone on its node has all of its GPUs. */
		{ COMMON "|NCPUS|AllocTRES|ReqTRES\n17|n|" TIMES
			 "|COMPLETED|12|cpu=12,gres/gpu=4|cpu=12\n",
		  "", 12 },
		{ COMMON "|NCPUS|ReqTRES|AllocTRES\n17|n|" TIMES
			 "|COMPLETED|12.00||cpu=12,gres/gpu=4\n",
		  "gpu:4", 12 },
		{ COMMON "|NCPUS|ReqTRES|AllocTRES\n17|n|" TIMES
			 "|COMPLETED|1.5|cpu=12,gres/gpu=3|gres/gpu=4\n",
		  "gpu:3", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct run runs[4];

		ck_assert_uint_eq(read_all(rows[i].text, runs, 4), 1);
		ck_assert_str_eq(runs[0].gres, rows[i].gres);
		ck_assert_uint_eq(runs[0].cpus, rows[i].cpus);
	}
}
END_TEST

/* -16 seconds in 32 bits. */
START_TEST(test_elapsed_that_wrapped)
{
	struct run runs[4];

	ck_assert_uint_eq(read_all(COMMON "|ElapsedRaw\n17|n|" TIMES
					  "|COMPLETED|4294967280\n"
					  "18|n|" TIMES "|COMPLETED|600\n",
				   runs, 4),
			  1);
	ck_assert_uint_eq(runs[0].job_id, 18);
	ck_assert_double_eq(run_runtime_s(&runs[0]), 600);
	ck_assert_uint_eq(counts.bad, 1);
	ck_assert_str_eq(counts.bad_lines[0].why.text,
			 "job 17: ran for 136.1 years: a clock was wrong");
}
END_TEST

/* '|' stands in constraints and in command lines. */
START_TEST(test_requests)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all("JobID|QOS|Submit|Start|End|ReqTRES|Constraints|"
			 "ExitCode|State|SubmitLine\n"
			 "5|low|" TIMES "|cpu=8,gres/gpu:a100=2,gres/gpu=2,"
			 "node=1|a|b&c|0:0|COMPLETED|sbatch -C a|b&c x\n"
			 "6|normal|" TIMES "|cpu=8,mem=4G,node=1||0:0|"
			 "COMPLETED|sbatch x\n",
			 runs, 4),
		2);
	ck_assert_str_eq(runs[0].qos, "low");
	ck_assert_str_eq(runs[0].gres, "gpu:a100:2");
	ck_assert_str_eq(runs[0].features, "a|b&c");
	ck_assert_str_eq(runs[1].qos, "normal");
	ck_assert_str_eq(runs[1].gres, "");
	ck_assert_str_eq(runs[1].features, "");
}
END_TEST

/* From the column that 24.11 and later have; else from those TRES that the
 * site accounts for. */
START_TEST(test_licenses)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all("JobID|Submit|Start|End|ReqTRES|Licenses|State\n"
			 "5|" TIMES "|cpu=8,license/matlab=2,node=1,"
			 "license/flex@srv=11||COMPLETED\n"
			 "6|" TIMES "|cpu=8,license/a=2|a:2,b:1|COMPLETED\n"
			 "7|" TIMES "|cpu=8,mem=4G||COMPLETED\n",
			 runs, 4),
		3);
	ck_assert_str_eq(runs[0].licenses, "matlab:2,flex@srv:11");
	ck_assert_str_eq(runs[1].licenses, "a:2,b:1");
	ck_assert_str_eq(runs[2].licenses, "");
}
END_TEST

START_TEST(test_steps_tell_tasks)
{
	struct run runs[4];

	ck_assert_uint_eq(read_all("JobID|NTasks|NCPUS|Submit|Start|End|State\n"
				   "5||16|" TIMES "|COMPLETED\n"
				   "5.batch|1|8|" TIMES "|COMPLETED\n"
				   "5.0|12|16|" TIMES "|COMPLETED\n"
				   "5.1|4|16|" TIMES "|COMPLETED\n"
				   "6||16|" TIMES "|COMPLETED\n",
				   runs, 4),
			  2);
	ck_assert_uint_eq(runs[0].tasks, 12);
	ck_assert_uint_eq(runs[1].tasks, 16);
	ck_assert_uint_eq(counts.bad + counts.no_runs, 0);
}
END_TEST

/* As sacct(1) writes them, with --noconvert and without; the last site
 * measures nothing. */
START_TEST(test_steps_tell_use)
{
	static const struct {
		const char *peak, *text;
		double cpu_s, peak_mb, energy_j, gpus;
	} rows[] = {
		{ "MaxRSS",
		  "17|n|" TIMES "|COMPLETED|2|16||01:10:00|||9000\n"
		  "17.batch|batch|" TIMES "|COMPLETED|1|8|1|00:12.345|7340032||"
		  "1000\n"
		  "17.extern|extern|" TIMES "|COMPLETED|2|16|2|00:00:00|0||\n"
		  "17.0|n|" TIMES "|COMPLETED|2|16|6|01:09:47|2048M|"
		  "cpu=01:09:47,gres/gpumem=3G,gres/gpuutil=150|8000\n",
		  4199, 6144, 9000, 1.5 },
		{ "TRESUsageInMax",
		  "17|n|" TIMES "|TIMEOUT|1|4|||||\n"
		  "17.batch|batch|" TIMES "|CANCELLED|1|4|1|1-00:00:01|"
		  "cpu=24:00:01,mem=1572864||18446744073709551614\n",
		  86401, 1.5, 0, 0 },
		{ "MaxRSS", "17|n|" TIMES "|COMPLETED|1|4||00:00:00|||0\n", 0,
		  0, 0, 0 },
		/* what nobody knows */
		{ "TRESUsageInMax",
		  "17|n|" TIMES "|COMPLETED|1|4|||||\n"
		  "17.0|n|" TIMES "|COMPLETED|1|4|1|00:00:03|"
		  "mem=18446744073709551614|gres/gpuutil=18446744073709551614|"
		  "\n",
		  3, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[2048];
		struct run runs[4];

		snprintf(text, sizeof(text),
			 COMMON
			 "|NNodes|NCPUS|NTasks|TotalCPU|%s|"
			 "TRESUsageInTot|ConsumedEnergyRaw\n%s18|m|" TIMES
			 "|COMPLETED|1|1|||||\n",
			 rows[i].peak, rows[i].text);
		ck_assert_uint_eq(read_all(text, runs, 4), 2);
		ck_assert_double_eq(runs[0].cpu_s, rows[i].cpu_s);
		ck_assert_double_eq(runs[0].peak_memory_mb, rows[i].peak_mb);
		ck_assert_double_eq(runs[0].energy_j, rows[i].energy_j);
		ck_assert_double_eq(runs[0].gpus_busy, rows[i].gpus);
		/* The next job has nothing of it. */
		ck_assert_double_eq(runs[1].cpu_s, 0);
		ck_assert_double_eq(runs[1].peak_memory_mb, 0);
	}
}
END_TEST

/* With --duplicates: an attempt that never ran, or is not understood, ends
 * those steps that belong to the attempt before. */
START_TEST(test_use_of_attempts)
{
	static const char *const attempts[] = {
		"17|n|2026-03-02T07:00:00|Unknown|Unknown|PENDING|1|4|||\n",
		"17|n|2026-03-02T07:00:00|2026-03-02T07:10:00|"
		"2094-01-01T00:00:00|COMPLETED|1|4|||\n",
		"17|n|" TIMES "|RESIZING|1|4|||\n",
	};

	for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		char text[2048];
		struct run runs[4];

		snprintf(text, sizeof(text),
			 COMMON "|NNodes|NCPUS|NTasks|TotalCPU|MaxRSS\n"
				"17|n|" TIMES "|NODE_FAIL|1|4|||\n"
				"17.0|n|" TIMES "|FAILED|1|4|1|00:00:03|3M\n%s"
				"17.0|n|" TIMES
				"|COMPLETED|1|4|1|00:00:40|77M\n",
			 attempts[i]);
		ck_assert_uint_ge(read_all(text, runs, 4), 1);
		ck_assert_double_eq(runs[0].cpu_s, 3);
		ck_assert_double_eq(runs[0].peak_memory_mb, 3);
	}
}
END_TEST

START_TEST(test_arrays_and_components)
{
	struct run runs[8];

	ck_assert_uint_eq(read_all("JobID|JobIDRaw|Submit|Start|End|State\n"
				   "20_4|31|" TIMES "|TIMEOUT\n"
				   "20_[5-9%2]|20|" TIMES "|PENDING\n"
				   "40+1|41|" TIMES "|COMPLETED\n",
				   runs, 8),
			  2);
	ck_assert_uint_eq(runs[0].job_id, 31);
	ck_assert_uint_eq(runs[0].array_job_id, 20);
	ck_assert_uint_eq(runs[0].array_task_id, 4);
	ck_assert_uint_eq(runs[0].het_job_id, 0);
	ck_assert_uint_eq(runs[1].job_id, 41);
	ck_assert_uint_eq(runs[1].het_job_id, 40);
	ck_assert_uint_eq(runs[1].het_offset, 1);
	ck_assert_uint_eq(counts.no_runs, 1);

	/* Without JobIDRaw tasks get numbers that no job has. */
	ck_assert_uint_eq(read_all("JobID|Submit|Start|End|State\n"
				   "20_4|" TIMES "|TIMEOUT\n"
				   "20_5|" TIMES "|TIMEOUT\n"
				   "20_4|" TIMES "|TIMEOUT\n"
				   "40+1|" TIMES "|COMPLETED\n"
				   "50[3]|" TIMES "|COMPLETED\n",
				   runs, 8),
			  5);
	ck_assert_uint_ge(runs[0].job_id, 0x80000000u);
	ck_assert_uint_ne(runs[0].job_id, runs[1].job_id);
	ck_assert_uint_eq(runs[0].job_id, runs[2].job_id);
	ck_assert_uint_eq(runs[1].array_task_id, 5);
	ck_assert_uint_eq(runs[3].job_id, 41);
	ck_assert_uint_eq(runs[4].array_job_id, 50);
}
END_TEST

/* A line of sbatch says of the order of jobs what sacct does not. */
START_TEST(test_submit_order)
{
	struct run runs[8];
	char text[4096], many[1024];

	ck_assert_uint_eq(
		read_all("JobID|Submit|Start|End|State|SubmitLine\n"
			 "3|" TIMES "|COMPLETED|sbatch -n4 -d afterok:12:13 "
			 "--array 1-8%3 a.sh -d 9\n"
			 "4|" TIMES "|COMPLETED|sbatch --dependency=after:12+5 "
			 "--wrap=srun -d 77 a\n"
			 "5|" TIMES "|COMPLETED|sbatch --array=1-4 a.sh\n"
			 "6|" TIMES "|COMPLETED|\n",
			 runs, 8),
		4);
	ck_assert_str_eq(runs[0].dependency, "afterok:12:13");
	ck_assert_uint_eq(runs[0].array_most, 3);
	ck_assert_str_eq(runs[1].dependency, "after:12+5");
	ck_assert_str_eq(runs[2].dependency, "");
	ck_assert_uint_eq(runs[2].array_most, 0);
	for (int i = 0; i < 4; i++)
		ck_assert_double_nan(runs[i].think_s);

	/* No id is cut to another one. */
	strcpy(many, "afterok");
	for (int i = 0; i < 100; i++)
		strcat(many, ":123457");
	snprintf(text, sizeof(text),
		 "JobID|Submit|Start|End|State|SubmitLine\n"
		 "3|" TIMES "|COMPLETED|sbatch -d %s a.sh\n",
		 many);
	ck_assert_uint_eq(read_all(text, runs, 8), 1);
	ck_assert_uint_eq(strlen(runs[0].dependency), 7 + 35 * 7);
	ck_assert(!strncmp(runs[0].dependency, many, 7 + 35 * 7));
}
END_TEST

START_TEST(test_jobs_that_are_no_runs)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all(COMMON
			 "\n"
			 "1|a|2026-01-05T10:00:00|Unknown|Unknown|PENDING\n"
			 "2|a|2026-01-05T10:00:00|2026-01-05T10:00:00|Unknown|"
			 "RUNNING\n"
			 "3|a|2026-01-05T10:00:00|None|2026-01-05T10:01:00|"
			 "CANCELLED by 1000\n"
			 "4|a|2026-01-05T10:00:00|2026-01-05T10:01:00|"
			 "2026-01-05T10:01:00|CANCELLED\n"
			 "5|a|" TIMES "|CANCELLED by 1000\n",
			 runs, 4),
		1);
	ck_assert_uint_eq(runs[0].job_id, 5);
	ck_assert_int_eq(runs[0].state, RUN_CANCELLED);
	ck_assert_uint_eq(counts.no_runs, 4);
	ck_assert_uint_eq(counts.bad, 0);
}
END_TEST

START_TEST(test_bad_lines)
{
	struct run runs[4];
	static const char *const why[] = {
		"State: 'ODD' makes no sense",
		"Start: 'yesterday' makes no sense",
		"JobID: 'x' makes no sense",
		"job 4: ends before it starts",
	};

	ck_assert_uint_eq(read_all("JobID|Submit|Start|End|State\n"
				   "1|" TIMES "|ODD\n"
				   "2|2026-01-05T10:00:00|yesterday|"
				   "2026-01-05T10:00:00|FAILED\n"
				   "x|" TIMES "|FAILED\n"
				   "4|2026-01-05T10:00:00|2026-01-05T10:00:09|"
				   "2026-01-05T10:00:00|FAILED\n"
				   "5|Unknown|2026-01-05T10:00:09|"
				   "2026-01-05T10:00:10|FAILED\n",
				   runs, 4),
			  1);
	ck_assert_double_eq(runs[0].submitted_at_s, runs[0].started_at_s);
	ck_assert_uint_eq(counts.bad, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_str_eq(counts.bad_lines[i].why.text, why[i]);
		ck_assert_uint_eq(counts.bad_lines[i].line, 2 + i);
	}
	ck_assert_uint_eq(read_all("", runs, 4), 0);
}
END_TEST

/* What another release or an odd clock writes loses itself, not the run. */
START_TEST(test_odd_fields)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all("JobID|UID|AllocNodes|AllocCPUS|ReqMem|Submit|Start|"
			 "End|State\n"
			 "7|nobody|2K|?|16GB|soon|2026-01-05T10:01:00|"
			 "2026-01-05 10:31:00|FAILED\n"
			 "8|-2|2|12|4gb|1970-01-01T05:00:00|"
			 "2026-01-05T10:01:00|2026-01-05T10:31:00|FAILED\n"
			 "9|5|2|1.5K|512mb|2026-01-05T10:09:00|"
			 "2026-01-05T10:01:00|2026-01-05T10:31:00|FAILED\n",
			 runs, 4),
		3);
	ck_assert_uint_eq(runs[0].user_id, UINT32_MAX);
	ck_assert_uint_eq(runs[0].nodes, 2048);
	ck_assert_double_eq(runs[0].memory_mb, 16384);
	ck_assert_uint_eq(runs[1].user_id, UINT32_MAX);
	ck_assert_double_eq(runs[1].memory_mb, 4096);
	ck_assert_uint_eq(runs[2].cpus, 1536);
	ck_assert_double_eq(runs[2].memory_mb, 512);
	for (int i = 0; i < 3; i++)
		ck_assert_double_eq(runs[i].submitted_at_s,
				    runs[i].started_at_s);
}
END_TEST

START_TEST(test_users_by_name)
{
	struct run runs[4];

	ck_assert_uint_eq(read_all("JobID|User|Submit|Start|End|State\n"
				   "1|ada|" TIMES "|FAILED\n"
				   "2|bob|" TIMES "|FAILED\n"
				   "3|ada|" TIMES "|FAILED\n"
				   "4||" TIMES "|FAILED\n",
				   runs, 4),
			  4);
	ck_assert_uint_ge(runs[0].user_id, 0x80000000u);
	ck_assert_uint_ne(runs[0].user_id, runs[1].user_id);
	ck_assert_uint_eq(runs[0].user_id, runs[2].user_id);
	ck_assert_uint_eq(runs[3].user_id, UINT32_MAX);
}
END_TEST

START_TEST(test_time_that_it_ran)
{
	static const char header[] = "JobIDRaw|JobName|Submit|Start|End|"
				     "Elapsed|Suspended|State|ReqMem\n";
	struct run runs[4];
	char text[1024];

#define DAY "2026-03-02T"
	/* suspended; the clock put back; an odd field of no weight */
	snprintf(text, sizeof(text), "%s%s", header,
		 "4|a|" DAY "07:00:00|" DAY "07:10:00|" DAY
		 "09:10:00|00:45:00|01:15:00|COMPLETED|4G\n"
		 "5|a|" DAY "02:00:00|" DAY "02:50:00|" DAY
		 "02:20:00|00:30:00|00:00:00|COMPLETED|4G\n"
		 "6|a|" DAY "07:00:00|" DAY "07:10:00|" DAY
		 "07:15:00|INVALID||COMPLETED|7?\n");
	ck_assert_uint_eq(read_all(text, runs, 4), 3);
	ck_assert_double_eq(run_runtime_s(&runs[0]), 2700);
	/* which is no waiting */
	ck_assert_double_eq(runs[0].suspended_s, 4500);
	ck_assert_double_eq(runs[0].started_at_s - runs[0].submitted_at_s, 600);
	ck_assert_double_eq(runs[1].suspended_s, 0);
	ck_assert_double_eq(run_runtime_s(&runs[1]), 1800);
	ck_assert_double_eq(run_runtime_s(&runs[2]), 300);
	/* clocks that were wrong by years */
	snprintf(text, sizeof(text), "%s%s", header,
		 "7|a|" DAY "07:00:00|1970-01-02T00:00:00|" DAY
		 "09:10:00|||COMPLETED|\n"
		 "8|a|" DAY "07:00:00|" DAY "07:10:00|2094-01-01T00:00:00|||"
		 "COMPLETED|\n");
	ck_assert_uint_eq(read_all(text, runs, 4), 0);
	/* a resized job is one run */
	snprintf(text, sizeof(text), "%s%s", header,
		 "9|a|" DAY "07:00:00|" DAY "07:10:00|" DAY
		 "07:30:00|00:20:00||RESIZING|\n"
		 "9|a|" DAY "07:00:00|" DAY "07:30:00|" DAY
		 "08:10:00|00:40:00||COMPLETED|\n");
	ck_assert_uint_eq(read_all(text, runs, 4), 1);
	ck_assert_double_eq(run_runtime_s(&runs[0]), 3600);
	/* of whose use only the end is known */
	ck_assert_uint_eq(
		read_all("JobIDRaw|Submit|Start|End|State|TotalCPU|MaxRSS|"
			 "NTasks|ConsumedEnergyRaw\n"
			 "9|" DAY "07:00:00|" DAY "07:10:00|" DAY
			 "07:30:00|RESIZING||||900\n"
			 "9.0|" DAY "07:10:00|" DAY "07:10:00|" DAY
			 "07:30:00|COMPLETED|00:05:00|9M|4|\n"
			 "9|" DAY "07:00:00|" DAY "07:30:00|" DAY
			 "08:10:00|COMPLETED||||70\n"
			 "9.1|" DAY "07:30:00|" DAY "07:30:00|" DAY
			 "08:10:00|COMPLETED|00:00:07|7M|3|\n",
			 runs, 4),
		1);
	ck_assert_uint_eq(runs[0].tasks, 3);
	ck_assert_double_eq(runs[0].cpu_s, 0);
	ck_assert_double_eq(runs[0].peak_memory_mb, 0);
	ck_assert_double_eq(runs[0].energy_j, 0);
#undef DAY
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_common_fields,
				       test_fields_of_sites,
				       test_elapsed_that_wrapped,
				       test_requests,
				       test_licenses,
				       test_steps_tell_tasks,
				       test_steps_tell_use,
				       test_use_of_attempts,
				       test_arrays_and_components,
				       test_submit_order,
				       test_jobs_that_are_no_runs,
				       test_bad_lines,
				       test_time_that_it_ran,
				       test_users_by_name,
				       test_odd_fields,
				       NULL };

	return suite_run("sacct", tests);
}
