/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_translate.c - Slurm's job description as a submission */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/job_submit/translate.h"
#include "tests/unit/suite.h"

static job_desc_msg_t desc;
static struct translation t;

/* What Slurm's clients send for options that are not given. */
static void set_up(void)
{
	memset(&desc, 0, sizeof(desc));
	desc.min_nodes = NO_VAL;
	desc.max_nodes = NO_VAL;
	desc.num_tasks = NO_VAL;
	desc.ntasks_per_node = NO_VAL16;
	desc.cpus_per_task = NO_VAL16;
	desc.min_cpus = NO_VAL;
	desc.pn_min_memory = NO_VAL64;
	desc.time_limit = NO_VAL;
	desc.shared = NO_VAL16;
	memset(&t, 0x5a, sizeof(t)); /* all of it is set */
}

START_TEST(test_nothing_given)
{
	set_up();
	translate(&desc, "little", &t);
	ck_assert_str_eq(t.request.job.cluster, "little");
	ck_assert_ptr_null(t.request.job.script);
	ck_assert_ptr_null(t.request.job.gres.per_node);
	ck_assert_uint_eq(t.request.job.size.nodes_want, 0);
	ck_assert_uint_eq(t.request.job.size.cpus_per_node_min, 0);
	ck_assert(!t.request.job.size.overcommit);
	ck_assert_uint_eq(t.request.job.size.nodes_min, 0);
	ck_assert_uint_eq(t.request.job.size.nodes_max, 0);
	ck_assert_uint_eq(t.request.job.size.tasks, 0);
	ck_assert_uint_eq(t.request.job.size.tasks_per_node, 0);
	ck_assert_uint_eq(t.request.job.size.cpus_per_task, 0);
	ck_assert_uint_eq(t.request.job.size.cpus_min, 0);
	ck_assert_double_eq(t.request.job.size.memory_per_node_mb, 0);
	ck_assert_double_eq(t.request.job.size.memory_per_cpu_mb, 0);
	ck_assert(isnan(t.request.job.limit_s));
	ck_assert(!t.request.job.size.exclusive);
	ck_assert_uint_eq(t.request.job.arguments_count, 0);
	ck_assert_uint_eq(t.request.job.settings_count, 0);
}
END_TEST

START_TEST(test_numbers)
{
	set_up();
	desc.user_id = 1007;
	desc.min_nodes = 3;
	desc.max_nodes = 5;
	desc.num_tasks = 12;
	desc.ntasks_per_node = 4;
	desc.cpus_per_task = 2;
	desc.min_cpus = 24;
	desc.pn_min_cpus = 7;
	desc.overcommit = 1;
	desc.pn_min_memory = 1500 | MEM_PER_CPU;
	desc.time_limit = 90;
	desc.shared = JOB_SHARED_NONE;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.user_id, 1007);
	ck_assert_uint_eq(t.request.job.size.nodes_min, 3);
	ck_assert_uint_eq(t.request.job.size.nodes_max, 5);
	ck_assert_uint_eq(t.request.job.size.tasks, 12);
	ck_assert_uint_eq(t.request.job.size.tasks_per_node, 4);
	ck_assert_uint_eq(t.request.job.size.cpus_per_task, 2);
	ck_assert_uint_eq(t.request.job.size.cpus_min, 24);
	ck_assert_double_eq(t.request.job.size.memory_per_cpu_mb, 1500);
	ck_assert_double_eq(t.request.job.size.memory_per_node_mb, 0);
	ck_assert_double_eq(t.request.job.limit_s, 5400);
	ck_assert(t.request.job.size.exclusive);
	ck_assert_uint_eq(t.request.job.size.cpus_per_node_min, 7);
	ck_assert(t.request.job.size.overcommit);
	ck_assert_uint_eq(t.request.job.size.nodes_want, 0);
	desc.bitflags |= USE_MIN_NODES;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.size.nodes_want, 3);

	desc.pn_min_memory = 2000;
	desc.time_limit = INFINITE;
	translate(&desc, NULL, &t);
	ck_assert_double_eq(t.request.job.size.memory_per_node_mb, 2000);
	ck_assert_double_eq(t.request.job.size.memory_per_cpu_mb, 0);
	ck_assert(isinf(t.request.job.limit_s));
}
END_TEST

START_TEST(test_texts)
{
	static char *arguments[] = { "job.sh", "-n", "5000", NULL };

	set_up();
	desc.script = "#!/bin/sh\n";
	desc.partition = "a,b";
	desc.tres_per_node = "gres:shard:3";
	desc.tres_per_task = "gres:gpu:2";
	desc.features = "avx2";
	desc.qos = "low";
	desc.argv = arguments;
	desc.argc = 3;
	translate(&desc, NULL, &t);
	ck_assert_str_eq(t.request.job.script, "#!/bin/sh\n");
	ck_assert_str_eq(t.request.job.partition, "a,b");
	ck_assert_str_eq(t.request.job.gres.per_node, "gres:shard:3");
	ck_assert_str_eq(t.request.job.gres.per_task, "gres:gpu:2");
	ck_assert_str_eq(t.request.job.features, "avx2");
	ck_assert_str_eq(t.request.job.qos, "low");
	ck_assert_uint_eq(t.request.job.arguments_count, 3);
	ck_assert_str_eq(t.request.job.arguments[2], "5000");
	desc.argc = 4; /* a count above the length of the array */
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.arguments_count, 3);
	desc.argc = 2; /* one below it */
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.arguments_count, 2);
	desc.argv = NULL; /* a count without an array */
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.arguments_count, 0);
}
END_TEST

START_TEST(test_settings)
{
	static char *options[] = {
		"_SLURM_SPANK_OPTION_predict_predict_param=b=2",
		"PREDICT_MODE=observe", NULL, "PREDICT_PARAMS=a=1  b=2.5 ",
		"PREDICT_PARAMSX=1"
	};
	static char *environment[] = { "PATH=/bin", "PREDICT_SIZE=12=13", NULL,
				       "PREDICT_ODD", "XPREDICT_A=1" };

	set_up();
	desc.spank_job_env = options;
	desc.spank_job_env_size = 5;
	desc.environment = environment;
	desc.env_size = 5;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.settings_count, 4);

	static const char *const expected[][2] = { { "mode", "observe" },
						   { "param", "a=1" },
						   { "param", "b=2.5" },
						   { "PREDICT_SIZE",
						     "12=13" } };

	for (size_t i = 0; i < 4; i++) {
		ck_assert_str_eq(t.request.job.settings[i].name,
				 expected[i][0]);
		ck_assert_str_eq(t.request.job.settings[i].value,
				 expected[i][1]);
	}
}
END_TEST

START_TEST(test_test_only)
{
	static char *options[] = { "PREDICT_TEST_ONLY=1", "PREDICT_MODE=act" };

	set_up();
	translate(&desc, NULL, &t);
	ck_assert(!t.request.job.test_only);
	desc.spank_job_env = options;
	desc.spank_job_env_size = 2;
	translate(&desc, NULL, &t);
	ck_assert(t.request.job.test_only);
}
END_TEST

/* What the script reads of the environment, and what --export gives. */
START_TEST(test_variables)
{
	static char *environment[] = { (char *)"N=400", (char *)"M=5",
				       (char *)"SECRET=6" };

	set_up();
	desc.script = (char *)"#!/bin/sh\n./app -n $N -s $SECRET\n";
	desc.submit_line = (char *)"sbatch --export=ALL,EPOCHS=3 run.sh";
	desc.environment = environment;
	desc.env_size = 3;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.settings_count, 2);
	ck_assert_str_eq(t.request.job.settings[0].name, "env");
	ck_assert_str_eq(t.request.job.settings[0].value, "N=400");
	ck_assert_str_eq(t.request.job.settings[1].name, "export");
	ck_assert_str_eq(t.request.job.settings[1].value, "EPOCHS=3");
}
END_TEST

/* More than can be taken is left out, and nothing is overrun. */
START_TEST(test_too_much)
{
	static char names[300][64];
	static char *many[300];
	static char *arguments[300];
	static char huge[3 * TRANSLATION_TEXT_SIZE] = "PREDICT_PARAMS=";

	set_up();
	memset(huge + 15, 'a', sizeof(huge) - 16);
	for (int i = 0; i < 300; i++) {
		snprintf(names[i], sizeof(names[i]), "PREDICT_V%d=%d", i, i);
		many[i] = names[i];
		arguments[i] = names[i];
	}
	desc.environment = many;
	desc.env_size = 300;
	desc.argv = arguments;
	desc.argc = 300;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.settings_count,
			  SUBMISSION_SETTINGS_MAX);
	ck_assert_str_eq(t.request.job.settings[63].name, "PREDICT_V63");
	ck_assert_uint_eq(t.request.job.arguments_count,
			  SUBMISSION_ARGUMENTS_MAX);

	many[0] = huge;
	desc.spank_job_env = many;
	desc.spank_job_env_size = 1;
	desc.env_size = 0;
	translate(&desc, NULL, &t);
	ck_assert_uint_eq(t.request.job.settings_count, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_given, test_numbers,   test_texts,
		test_settings,      test_test_only, test_variables,
		test_too_much,      NULL,
	};

	return suite_run("translate", tests);
}
