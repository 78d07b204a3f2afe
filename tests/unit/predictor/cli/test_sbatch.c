/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sbatch.c - a submission as sbatch would make it */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/cli/sbatch.h"

#define WORDS_MAX 64

static char folder[] = "/tmp/test_sbatch.XXXXXX";
static char script_path[64];

static void set_up(void)
{
	static const char *const variables[] = {
		"SBATCH_ACCOUNT",   "SBATCH_PARTITION",    "SBATCH_TIMELIMIT",
		"SBATCH_JOB_NAME",  "PREDICT_n",           "SBATCH_CONSTRAINT",
		"SBATCH_QOS",       "SBATCH_EXCLUSIVE",    "SBATCH_RESERVATION",
		"SBATCH_ARRAY_INX", "SBATCH_MEM_PER_NODE", NULL,
	};

	for (int i = 0; variables[i]; i++)
		unsetenv(variables[i]);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(script_path, sizeof(script_path), "%s/job.sbatch", folder);
}

static void tear_down(void)
{
	unlink(script_path);
	rmdir(folder);
}

static void write_script(const char *text)
{
	FILE *file = fopen(script_path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

/* Reads "predict WORD... SCRIPT WORD..."; the words end with NULL. */
static int read_component(const char *const words[], const char *const after[],
			  int component, struct sbatch *ret,
			  struct sp_error *err)
{
	static char storage[WORDS_MAX][256];
	char *argv[WORDS_MAX + 1] = { NULL };
	/* scontrol is not run: the tests must not depend on Slurm. */
	static struct cli cli;
	int argc = 0;

	cli = (struct cli){ .cluster = "tern", .site_read = true };
	snprintf(storage[argc], sizeof(storage[0]), "predict");
	argv[argc] = storage[argc];
	argc++;
	for (int i = 0; words && words[i]; i++, argc++)
		argv[argc] = strcpy(storage[argc], words[i]);
	if (after)
		argv[argc] = strcpy(storage[argc], script_path), argc++;
	for (int i = 0; after && after[i]; i++, argc++)
		argv[argc] = strcpy(storage[argc], after[i]);
	if (component == 0)
		return sbatch_read(&cli, argc, argv, NULL, 0, ret, err);

	static struct sbatch head;

	ck_assert_int_eq(sbatch_read(&cli, argc, argv, NULL, 0, &head, err), 0);

	int rc = sbatch_read(&cli, argc, argv, &head, component, ret, err);

	sbatch_clear(&head);
	return rc;
}

static int read_command(const char *const words[], const char *const after[],
			struct sbatch *ret, struct sp_error *err)
{
	return read_component(words, after, 0, ret, err);
}

static const char *const nothing[] = { NULL };

/* Each has its own size; what the job is called and its limit are handed on. */
START_TEST(test_components)
{
	const char *const words[] = { "-n64", "-p", "wide", "-t", "30", ":",
				      "-n",   "3",  ":",    "-N", "2",  NULL };
	const char *const arguments[] = { "17", NULL };
	struct sbatch job;
	struct sp_error err;

	write_script("#!/bin/sh\n"
		     "#SBATCH -J coupled -c 7 --gres=gpu:5\n"
		     "#SBATCH hetjob\n"
		     "#SBATCH -p narrow -n 9 --mem=3G\n"
		     "./x\n");
	for (int i = 0; i < 3; i++) {
		static const uint32_t tasks[] = { 64, 3, 0 };
		static const char *const partitions[] = { "wide", "narrow",
							  "" };

		ck_assert_msg(!read_component(words, arguments, i, &job, &err),
			      "%s", err.text);
		ck_assert_int_eq(job.components, 3);
		ck_assert_str_eq(job.job.name, "coupled");
		ck_assert_double_eq(job.job.limit_s, 1800);
		ck_assert_uint_eq(job.job.size.tasks, tasks[i]);
		ck_assert_str_eq(job.job.partition ? job.job.partition : "",
				 partitions[i]);
		ck_assert_uint_eq(job.job.size.cpus_per_task, i ? 0 : 7);
		ck_assert(!job.job.gres.per_node == (i > 0));
		ck_assert_uint_eq(job.job.arguments_count, 2);
		ck_assert_str_eq(job.job.arguments[1], "17");
		sbatch_clear(&job);
	}
	ck_assert_int_eq(read_command(nothing, nothing, &job, &err), 0);
	ck_assert_int_eq(job.components, 2);
	sbatch_clear(&job);
}
END_TEST

START_TEST(test_command_line)
{
	const char *const words[] = { "-N2-3",
				      "-n",
				      "12",
				      "--cpus-per-task=2",
				      "-t",
				      "1:30",
				      "-p",
				      "main,debug",
				      "-Aphysics",
				      "--job-n=x",
				      "-w",
				      "n[1-2]",
				      "-xn3",
				      "--mem=3G",
				      "--exclusive",
				      "--qos=low",
				      "-C",
				      "avx2",
				      "-o",
				      "out.txt",
				      "-d",
				      "after:3",
				      "--gres=shard:1",
				      "--gpus-per-node=a100:2",
				      "-G4",
				      "--use-min-nodes",
				      "--mincpus=5",
				      "-O",
				      "--predict=observe",
				      "--predict-param=n=8000",
				      NULL };
	const char *const after[] = { "-N", "7", "file", NULL };
	struct sbatch s;
	struct sp_error err;

	write_script("#!/bin/sh\ntrue\n");
	ck_assert_int_eq(read_command(words, after, &s, &err), 0);

	const struct submission *job = &s.job;

	ck_assert_str_eq(job->cluster, "tern");
	ck_assert_uint_eq(job->user_id, getuid());
	ck_assert_uint_eq(job->size.nodes_min, 2);
	ck_assert_uint_eq(job->size.nodes_max, 3);
	ck_assert_uint_eq(job->size.tasks, 12);
	ck_assert_uint_eq(job->size.cpus_per_task, 2);
	ck_assert_uint_eq(job->size.cpus_min, 10);
	ck_assert_double_eq(job->limit_s, 90);
	ck_assert_str_eq(job->partition, "main,debug");
	ck_assert_str_eq(job->account, "physics");
	ck_assert_str_eq(job->name, "x");
	ck_assert_str_eq(job->required_nodes, "n[1-2]");
	ck_assert_str_eq(job->excluded_nodes, "n3");
	ck_assert_double_eq(job->size.memory_per_node_mb, 3072);
	ck_assert(job->size.exclusive);
	ck_assert_str_eq(job->qos, "low");
	ck_assert_str_eq(job->features, "avx2");
	ck_assert_str_eq(job->gres.per_node, "gpu:a100:2,shard:1");
	ck_assert_str_eq(job->gres.per_job, "gpu:4");
	ck_assert_ptr_null(job->gres.per_task);
	ck_assert_uint_eq(job->size.nodes_want, 2);
	ck_assert_uint_eq(job->size.cpus_per_node_min, 5);
	ck_assert(job->size.overcommit);
	ck_assert_int_eq(s.mode, MODE_OBSERVE);
	ck_assert_uint_eq(job->settings_count, 1);
	ck_assert_str_eq(job->settings[0].name, "param");
	ck_assert_str_eq(job->settings[0].value, "n=8000");
	ck_assert_uint_eq(job->arguments_count, 4);
	ck_assert_str_eq(job->arguments[0], script_path);
	ck_assert_str_eq(job->arguments[1], "-N");
	ck_assert_str_eq(job->arguments[3], "file");
	ck_assert_str_eq(job->script, "#!/bin/sh\ntrue\n");
	sbatch_clear(&s);
}
END_TEST

START_TEST(test_who_outranks_whom)
{
	const char *const words[] = { "-t5", NULL };
	struct sbatch s;
	struct sp_error err;

	setenv("SBATCH_TIMELIMIT", "6", 1);
	setenv("SBATCH_PARTITION", "debug", 1);
	setenv("PREDICT_n", "31", 1);
	write_script(
		"#!/bin/sh\n\n# a comment\n#SBATCH -t 7 -p main # not -n3\n"
		"#SBATCH --job-name=\"two words\"\n  # more\n"
		"#SBATCH -A 'a '\\ b --predict-param=m=2\n"
		"#SBATCHX -N 9\n"
		"true\n#SBATCH -N 8\n");
	ck_assert_int_eq(read_command(words, nothing, &s, &err), 0);
	ck_assert_double_eq(s.job.limit_s, 300);
	ck_assert_str_eq(s.job.partition, "debug");
	ck_assert_str_eq(s.job.name, "two words");
	ck_assert_str_eq(s.job.account, "a  b");
	ck_assert_uint_eq(s.job.size.nodes_min, 0);
	ck_assert_uint_eq(s.job.size.tasks, 0);

	bool found = false;

	for (size_t i = 0; i < s.job.settings_count; i++)
		found |= strcmp(s.job.settings[i].name, "PREDICT_n") == 0 &&
			 strcmp(s.job.settings[i].value, "31") == 0;
	ck_assert(found);
	sbatch_clear(&s);
}
END_TEST

/* Also what nobody knows, with a warning. */
START_TEST(test_as_sbatch)
{
	const char *const words[] = { "-N0", "--no-such", "-W", NULL };
	struct sbatch s;
	struct sp_error err;

	write_script("#!/bin/sh\n#SBATCH -c 3# CPUs\n"
		     "#SBATCH --tasks-per-node=7 --mem=16GB\n"
		     "#SBATCH -t -1 --context=x\n");
	ck_assert_int_eq(read_command(words, nothing, &s, &err), 0);
	ck_assert_uint_eq(s.job.size.nodes_min, 0);
	ck_assert_uint_eq(s.job.size.cpus_per_task, 3);
	ck_assert_uint_eq(s.job.size.tasks_per_node, 7);
	ck_assert_double_eq(s.job.size.memory_per_node_mb, 16384);
	ck_assert(isinf(s.job.limit_s));
	sbatch_clear(&s);
}
END_TEST

START_TEST(test_defaults)
{
	struct sbatch s;
	struct sp_error err;

	write_script("#!/bin/sh\n");
	ck_assert_int_eq(read_command(NULL, nothing, &s, &err), 0);
	ck_assert_str_eq(s.job.name, "job.sbatch");
	ck_assert(isnan(s.job.limit_s));
	ck_assert_ptr_null(s.job.partition);
	ck_assert_int_eq(s.mode, MODE_ADVISE);
	ck_assert_str_eq(s.work_dir, s.directory);
	sbatch_clear(&s);
}
END_TEST

START_TEST(test_wrap)
{
	const char *const words[] = { "--wrap=sleep 31", "-t0", NULL };
	struct sbatch s;
	struct sp_error err;

	ck_assert_int_eq(read_command(words, NULL, &s, &err), 0);
	ck_assert_str_eq(s.job.name, "wrap");
	ck_assert_ptr_nonnull(strstr(s.job.script, "\n\nsleep 31\n"));
	ck_assert(isinf(s.job.limit_s));
	ck_assert_uint_eq(s.job.arguments_count, 0);
	sbatch_clear(&s);
	write_script("#!/bin/sh\n");
	ck_assert_int_eq(read_command(words, nothing, &s, &err), -1);
	sbatch_clear(&s);
}
END_TEST

START_TEST(test_sizes_of_files)
{
	static const char *const chdir_there[] = { "-D", folder, NULL };
	static const char *const no_files[] = { "-D", folder,
						"--predict-files=no", NULL };
	struct sbatch sbatch;
	struct sp_error err;

	write_script("#!/bin/sh\n./app -in job.sbatch missing.dat\n");
	ck_assert_int_eq(read_command(chdir_there, nothing, &sbatch, &err), 0);
	ck_assert_uint_eq(sbatch.job.settings_count, 1);
	ck_assert_str_eq(sbatch.job.settings[0].name, "param");
	ck_assert_str_eq(sbatch.job.settings[0].value, "size.in=43 ");
	sbatch_clear(&sbatch);
	ck_assert_int_eq(read_command(no_files, nothing, &sbatch, &err), 0);
	ck_assert_uint_eq(sbatch.job.settings_count, 0);
	sbatch_clear(&sbatch);
}
END_TEST

START_TEST(test_nodes_kept)
{
	static const char *const act[] = { "--predict-nodes=act", NULL };
	static const char *const odd[] = { "--predict-nodes=8", NULL };
	struct sbatch sbatch;
	struct sp_error err;

	write_script("#!/bin/sh\n#SBATCH --predict-nodes advise\n./app\n");
	ck_assert_int_eq(read_command(nothing, nothing, &sbatch, &err), 0);
	ck_assert(sbatch.nodes_kept);
	sbatch_clear(&sbatch);
	ck_assert_int_eq(read_command(act, nothing, &sbatch, &err), 0);
	ck_assert(!sbatch.nodes_kept);
	sbatch_clear(&sbatch);
	ck_assert_int_eq(read_command(odd, nothing, &sbatch, &err), -1);
	sbatch_clear(&sbatch);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const bad[] = {
		"-N3-2",
		"-Nx",
		"-n-1",
		"-n99999999999",
		"-n",
		"--mem=12Q",
		"--mem=3GG",
		"--mem=-1",
		"--time=soon",
		"--predict=maybe",
		"--predict-param=n",
		"-Ma,b",
		"--predict-param==3",
		"--url=ftp://x",
	};

	write_script("#!/bin/sh\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const words[] = { bad[i], NULL };
		struct sbatch s;
		struct sp_error err = { "" };

		/* "-n" would swallow the script. */
		ck_assert_msg(
			read_command(words,
				     strcmp(bad[i], "-n") != 0 ? nothing : NULL,
				     &s, &err) == -1,
			"%s was taken", bad[i]);
		ck_assert_str_ne(err.text, "");
		sbatch_clear(&s);
	}
}
END_TEST

START_TEST(test_bad_scripts)
{
	static const char *const bad[] = {
		"",
		"echo no interpreter\n",
		"#!/bin/sh\n#SBATCH word\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sbatch s;
		struct sp_error err = { "" };

		write_script(bad[i]);
		ck_assert_int_eq(read_command(NULL, nothing, &s, &err), -1);
		ck_assert_str_ne(err.text, "");
		sbatch_clear(&s);
	}
	unlink(script_path);

	struct sbatch s;
	struct sp_error err = { "" };

	ck_assert_int_eq(read_command(NULL, nothing, &s, &err), -1);
	sbatch_clear(&s);
}
END_TEST

/* Lines and words without end are refused, not followed. */
START_TEST(test_bounds)
{
	static char text[3 * SUBMISSION_SCRIPT_MAX];
	struct sbatch s;
	struct sp_error err;

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "#!/bin/sh\n", 10);
	write_script(text);
	ck_assert_int_eq(read_command(NULL, nothing, &s, &err), 0);
	ck_assert_uint_eq(strlen(s.job.script), SUBMISSION_SCRIPT_MAX);
	sbatch_clear(&s);

	memcpy(text + 10, "#SBATCH -", 9);
	write_script(text);
	ck_assert_int_eq(read_command(NULL, nothing, &s, &err), -1);
	sbatch_clear(&s);

	size_t used = 10;

	for (int i = 0; i < 2 * SBATCH_WORDS_MAX; i++)
		used += (size_t)sprintf(text + used, "#SBATCH -H\n");
	write_script(text);
	ck_assert_int_eq(read_command(NULL, nothing, &s, &err), -1);
	sbatch_clear(&s);
}
END_TEST

/* The value of the setting that begins so; NULL: none. */
static const char *find_setting(const struct sbatch *sbatch, const char *name,
				const char *begin)
{
	for (size_t i = 0; i < sbatch->job.settings_count; i++) {
		const struct setting *s = &sbatch->job.settings[i];

		if (!strcmp(s->name, name) &&
		    !strncmp(s->value, begin, strlen(begin)))
			return s->value;
	}
	return NULL;
}

/* What the script reads of the environment, and what --export gives. */
START_TEST(test_variables)
{
	static const char *const exports[] = { "--export=ALL,EPOCHS=3", NULL };
	static const char *const only[] = { "--export=EPOCHS=3", NULL };
	static const char *const none[] = { NULL };
	struct sbatch sbatch;
	struct sp_error err;

	write_script("#!/bin/sh\nsrun ./app -n $TEST_N -k $TEST_TOKEN\n");
	setenv("TEST_N", "400", 1);
	setenv("TEST_TOKEN", "abc", 1);
	unsetenv("SBATCH_EXPORT");
	ck_assert_int_eq(read_component(exports, none, 0, &sbatch, &err), 0);
	ck_assert_str_eq(find_setting(&sbatch, "env", "TEST_N"), "TEST_N=400");
	ck_assert_ptr_null(find_setting(&sbatch, "env", "TEST_TOKEN"));
	ck_assert_str_eq(find_setting(&sbatch, "export", ""), "EPOCHS=3");
	sbatch_clear(&sbatch);

	ck_assert_int_eq(read_component(only, none, 0, &sbatch, &err), 0);
	ck_assert_ptr_null(find_setting(&sbatch, "env", ""));
	ck_assert_str_eq(find_setting(&sbatch, "export", ""), "EPOCHS=3");
	sbatch_clear(&sbatch);

	setenv("SBATCH_EXPORT", "ALL,X=1", 1);
	ck_assert_int_eq(read_component(NULL, none, 0, &sbatch, &err), 0);
	ck_assert_str_eq(find_setting(&sbatch, "export", ""), "X=1");
	sbatch_clear(&sbatch);
	unsetenv("SBATCH_EXPORT");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sbatch");
	TCase *tests = tcase_create("sbatch");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_command_line);
	tcase_add_test(tests, test_components);
	tcase_add_test(tests, test_who_outranks_whom);
	tcase_add_test(tests, test_as_sbatch);
	tcase_add_test(tests, test_defaults);
	tcase_add_test(tests, test_wrap);
	tcase_add_test(tests, test_sizes_of_files);
	tcase_add_test(tests, test_nodes_kept);
	tcase_add_test(tests, test_refused);
	tcase_add_test(tests, test_bad_scripts);
	tcase_add_test(tests, test_bounds);
	tcase_add_test(tests, test_variables);
	suite_add_tcase(suite, tests);

	SRunner *runner = srunner_create(suite);

	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? 1 : 0;
}
