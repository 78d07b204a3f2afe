/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spank_predict.c - Slurm's calls of the SPANK plugin
 *
 * In the commands of users, in prolog and epilog, and in tasks; a call
 * never fails.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugin/site/spank_options.h"
#include "plugin/spank/preload.h"
#include "tests/unit/folder.h"
#include "tests/unit/plugin/spank_stub.h"
#include "tests/unit/suite.h"

extern char stub_log[]; /* of slurm_stub.h, whose slurm_error() is an int */

#define JOB 17

static char spool_argument[300], library_argument[300];
static char *arguments[] = { spool_argument, library_argument, NULL };

typedef int call(spank_t spank, int count, char *arguments[]);

/* Call the plugin as Slurm does: whatever happens, it goes on. */
static void run(call *function)
{
	ck_assert_int_eq(function(NULL, 2, arguments), ESPANK_SUCCESS);
}

static void case_begin(void)
{
	static const char *const kinds[] = {
		"events", "steps",     "shares",       "hosts",
		"users",  "users/mpi", "users/traces", "users/removed",
	};

	folder_make();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		ck_assert_int_eq(mkdir(folder_path(kinds[i]), 0755), 0);
	snprintf(spool_argument, sizeof(spool_argument), "spool=%s", folder);
	snprintf(library_argument, sizeof(library_argument),
		 "library=%s/library.so", folder);
	folder_put("library.so", "");
	spank_stub = (struct spank_stub){
		.context = S_CTX_LOCAL,
		.job_id = JOB,
		.step_id = 3,
		.user_id = getuid(),
		.exit_status = 256,
	};
}

static void case_end(void)
{
	folder_remove();
}

/* --- Options -------------------------------------------------------------- */

/* Give an option its text, as the command line does; -1: it was refused. */
static int option_set(const char *name, const char *text, int remote)
{
	for (int i = 0; i < spank_stub.options_count; i++) {
		struct spank_option *option = spank_stub.options[i];

		if (!strcmp(option->name, name))
			return option->cb(option->val, text, remote);
	}
	ck_abort_msg("no option --%s", name);
	return -1;
}

START_TEST(test_options)
{
	unsetenv("SLURM_JOB_ID");
	run(slurm_spank_init);
	ck_assert_int_eq(spank_stub.options_count, 5);
	ck_assert_int_eq(option_set("predict", "observe", 0), 0);
	ck_assert_int_eq(option_set("predict-nodes", "advise", 0), 0);
	ck_assert_int_eq(option_set("predict-param", "atoms=64000", 0), 0);
	ck_assert_int_eq(option_set("predict-files", "no", 0), 0);
	ck_assert_int_eq(option_set("predict-profile", "mpi", 0), 0);
	run(slurm_spank_init_post_opt);
	ck_assert_str_eq(spank_stub_control(OPTION_MODE_VARIABLE), "observe");
	ck_assert_str_eq(spank_stub_control(OPTION_NODES_VARIABLE), "advise");
	ck_assert_str_eq(spank_stub_control(OPTION_PROFILE_VARIABLE), "mpi");
	ck_assert_int_eq(strncmp(spank_stub_control(OPTION_PARAMETERS_VARIABLE),
				 "atoms=64000", 11),
			 0);
	ck_assert_ptr_null(spank_stub_control(OPTION_TEST_VARIABLE));
}
END_TEST

/* A bad value is refused where the user sees it; on a node, where the job is
 * long accepted, it is ignored. */
START_TEST(test_bad_options)
{
	static const char *const names[] = { "predict", "predict-nodes",
					     "predict-param", "predict-files",
					     "predict-profile" };

	run(slurm_spank_init);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		stub_log[0] = '\0';
		ck_assert_int_eq(option_set(names[i], "no such", 0), -1);
		ck_assert_ptr_nonnull(strstr(stub_log, "error: "));
		stub_log[0] = '\0';
		ck_assert_int_eq(option_set(names[i], "no such", 1), 0);
		ck_assert_str_eq(stub_log, "");
	}
	/* Without options nothing is set. */
	unsetenv("SLURM_JOB_ID");
	run(slurm_spank_init_post_opt);
	ck_assert_ptr_null(spank_stub_control(OPTION_MODE_VARIABLE));
	ck_assert_ptr_null(spank_stub_control(OPTION_NODES_VARIABLE));
	ck_assert_ptr_null(spank_stub_control(OPTION_PROFILE_VARIABLE));
}
END_TEST

/* Slurm may refuse an option: the command works all the same. */
START_TEST(test_no_options)
{
	spank_stub.fails = ESPANK_BAD_ARG;
	run(slurm_spank_init);
	ck_assert_int_eq(spank_stub.options_count, 0);
	ck_assert_ptr_nonnull(strstr(stub_log, "no option --predict-profile"));
}
END_TEST

/* A step of a job has no options of its own, but its nodes' prologs see its
 * environment. */
START_TEST(test_step)
{
	run(slurm_spank_init);
	option_set("predict", "off", 0);
	setenv("SLURM_JOB_ID", "17", 1);
	setenv("SLURM_SPANK_" OPTION_PROFILE_VARIABLE, "trace", 1);
	run(slurm_spank_init_post_opt);
	ck_assert_ptr_null(spank_stub_control(OPTION_MODE_VARIABLE));
	ck_assert_str_eq(spank_stub_control(OPTION_PROFILE_VARIABLE), "trace");
	/* In slurmstepd nothing is set. */
	spank_stub.context = S_CTX_REMOTE;
	setenv("SLURM_SPANK_" OPTION_PROFILE_VARIABLE, "mpi", 1);
	run(slurm_spank_init_post_opt);
	ck_assert_str_eq(spank_stub_control(OPTION_PROFILE_VARIABLE), "trace");
}
END_TEST

/* --- srun within a job: the order of ranks -------------------------------- */

#define HOSTS  "# slurm-predict mode=act gain=1.25\nn1\nn0\n"
#define ADVICE "# slurm-predict mode=advise gain=1.25\nn1\nn0\n"

/* What a command that is called so leaves in the environment, in static
 * memory: the line is that of the process, so this program is started again by
 * that name. */
static const char *order_seen(const char *command, const char *id,
			      const char *more)
{
	static char text[512];
	int out[2];

	ck_assert_int_eq(pipe(out), 0);

	pid_t child = fork();

	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		setenv("SLURM_JOB_ID", id, 1);
		setenv("SLURM_JOB_NODELIST", "n[0-1]", 1);
		setenv("SLURM_TASKS_PER_NODE", "1(x2)", 1);
		setenv("SLURM_NTASKS", "2", 1);
		setenv("SLURM_NPROCS", "2", 1);
		setenv("SLURM_NNODES", "2", 1);
		setenv("SP_TEST_SPOOL", spool_argument, 1);
		setenv("SP_TEST_MORE", more, 1);
		execl("/proc/self/exe", command, "./solver", (char *)NULL);
		_exit(1);
	}
	close(out[1]);

	ssize_t size = read(out[0], text, sizeof(text) - 1);
	int status;

	close(out[0]);
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	text[size > 0 ? size : 0] = '\0';
	return text;
}

/* main() of the command above. */
static int order_show(void)
{
	char *given[] = { getenv("SP_TEST_SPOOL"), getenv("SP_TEST_MORE"),
			  NULL };
	const char *file, *distribution;

	spank_stub.context =
		strcmp(given[1], "remote") ? S_CTX_LOCAL : S_CTX_REMOTE;
	if (slurm_spank_init(NULL, 2, given))
		return 1;
	file = getenv("SLURM_HOSTFILE");
	distribution = getenv("SLURM_DISTRIBUTION");
	printf("%s %s", file ? strrchr(file, '/') : "none",
	       distribution ? distribution : "none");
	fflush(stdout);
	return 0;
}

START_TEST(test_order_of_ranks)
{
	folder_put("hosts/17", HOSTS);
	ck_assert_str_eq(order_seen("srun", "17", "files=no"), "/17 arbitrary");
	ck_assert_str_eq(order_seen("srun", "17", "order=no"), "none none");
	ck_assert_str_eq(order_seen("srun", "17", "remote"), "none none");
	ck_assert_str_eq(order_seen("srun", "18", "files=no"), "none none");
	/* No number of a job. */
	folder_put("hosts/0", HOSTS);
	ck_assert_str_eq(order_seen("srun", "17x", "files=no"), "none none");
	ck_assert_str_eq(order_seen("srun", "-17", "files=no"), "none none");
	ck_assert_str_eq(order_seen("srun", "", "files=no"), "none none");
	ck_assert_str_eq(order_seen("srun", "4294967313", "files=no"),
			 "none none");
	/* Asked to advise only. */
	folder_put("hosts/17", ADVICE);
	ck_assert_str_eq(order_seen("srun", "17", "files=no"), "none none");
}
END_TEST

/* --- Prolog and epilog ---------------------------------------------------- */

/* The only file in a folder of the spool, in static memory; empty: there
 * is none. */
static const char *only_file(const char *name)
{
	static char text[4096], path[512];
	DIR *stream = opendir(folder_path(name));
	struct dirent *entry;
	int count = 0;
	size_t size = 0;

	ck_assert_ptr_nonnull(stream);
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.') {
			count++;
			snprintf(path, sizeof(path), "%.128s/%.16s/%.255s",
				 folder, name, entry->d_name);
		}
	closedir(stream);
	ck_assert_int_le(count, 1);
	if (count) {
		FILE *file = fopen(path, "re");

		ck_assert_ptr_nonnull(file);
		size = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
		unlink(path);
	}
	text[size] = '\0';
	return text;
}

START_TEST(test_start_and_end)
{
	const char *text;

	setenv("SLURM_CLUSTER_NAME", "little", 1);
	setenv("SLURMD_NODENAME", "n0", 1);
	setenv("SLURM_JOB_NODELIST", "n[0-1]", 1);
	setenv("SLURM_JOB_PARTITION", "debug", 1);
	setenv("SPANK_" OPTION_PREDICTION_VARIABLE, "0123456789abcdef", 1);
	setenv("SPANK_" OPTION_PROFILE_VARIABLE, "trace", 1);
	folder_put("hosts/17", HOSTS); /* of an earlier start */
	run(slurm_spank_job_prolog);
	text = only_file("events");
	ck_assert_ptr_nonnull(strstr(text, "0123456789abcdef"));
	ck_assert_ptr_nonnull(strstr(text, "n[0-1]"));
	ck_assert_ptr_nonnull(strstr(text, "debug"));
	ck_assert_int_eq(access(folder_path("hosts/17"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("shares/17"), F_OK), 0);
	ck_assert_int_eq(access(folder_path("users/mpi/17"), F_OK), 0);
	ck_assert_int_eq(access(folder_path("users/traces/17"), F_OK), 0);
	folder_put("hosts/17", HOSTS);
	ck_assert_int_eq(symlink("/etc", folder_path("users/traces/17/x")), 0);
	setenv("SLURM_JOB_EXIT_CODE2", "1:0", 1);
	run(slurm_spank_job_epilog);
	ck_assert_ptr_nonnull(strstr(only_file("events"), "1:0"));
	ck_assert_int_eq(access(folder_path("hosts/17"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("shares/17"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("users/traces/17"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("users/mpi/17.ended"), F_OK), 0);
}
END_TEST

/* Only a traced job has a folder for traces, one of packets none at all. */
START_TEST(test_folders)
{
	setenv("SPANK_" OPTION_PROFILE_VARIABLE, "mpi", 1);
	run(slurm_spank_job_prolog);
	ck_assert_int_eq(access(folder_path("users/mpi/17"), F_OK), 0);
	ck_assert_int_eq(access(folder_path("users/traces/17"), F_OK), -1);
	spank_stub.job_id = 18;
	setenv("SPANK_" OPTION_PROFILE_VARIABLE, "packets", 1);
	run(slurm_spank_job_prolog);
	ck_assert_int_eq(access(folder_path("users/mpi/18"), F_OK), -1);
}
END_TEST

/* Without a job, or without a spool, nothing is written and nothing fails. */
START_TEST(test_no_record)
{
	spank_stub.fails = ESPANK_BAD_ARG;
	run(slurm_spank_job_prolog);
	run(slurm_spank_job_epilog);
	run(slurm_spank_task_init);
	run(slurm_spank_task_exit);
	ck_assert_str_eq(only_file("events"), "");
	ck_assert_str_eq(only_file("steps"), "");
	ck_assert_ptr_null(spank_stub_task("LD_PRELOAD"));
	spank_stub.fails = ESPANK_SUCCESS;
	snprintf(spool_argument, sizeof(spool_argument), "spool=/nonexistent");
	run(slurm_spank_job_prolog);
	run(slurm_spank_job_epilog);
	run(slurm_spank_task_init);
	run(slurm_spank_task_exit);
	ck_assert_str_eq(only_file("events"), "");
}
END_TEST

START_TEST(test_task_exit)
{
	double time_s, cpu_s, peak_kb;
	unsigned step;
	int pid, status;

	run(slurm_spank_task_exit);
	ck_assert_int_eq(sscanf(only_file("steps"), "%lf %u %d %d %lf %lf",
				&time_s, &step, &pid, &status, &cpu_s,
				&peak_kb),
			 6);
	ck_assert_uint_eq(step, 3);
	ck_assert_int_eq(pid, getpid());
	ck_assert_int_eq(status, 256);
	ck_assert_double_ge(cpu_s, 0);
}
END_TEST

/* --- Tasks ---------------------------------------------------------------- */

static void profile_set(const char *kind)
{
	spank_setenv(NULL, "SLURM_SPANK_" OPTION_PROFILE_VARIABLE, kind, 1);
}

START_TEST(test_profiled_task)
{
	char expected[700];

	profile_set("mpi");
	spank_setenv(NULL, "LD_PRELOAD", "theirs.so", 1);
	run(slurm_spank_task_init);
	snprintf(expected, sizeof(expected), "%s/users/mpi/17", folder);
	ck_assert_str_eq(spank_stub_task("PREDICT_MPI_DIR"), expected);
	snprintf(expected, sizeof(expected), "%s/library.so", folder);
	ck_assert_ptr_nonnull(strstr(spank_stub_task("LD_PRELOAD"), expected));
	ck_assert_ptr_nonnull(
		strstr(spank_stub_task("LD_PRELOAD"), "theirs.so"));
	ck_assert_ptr_null(spank_stub_task("PREDICT_TRACE_DIR"));
	profile_set("trace");
	run(slurm_spank_task_init);
	snprintf(expected, sizeof(expected), "%s/users/traces/17", folder);
	ck_assert_str_eq(spank_stub_task("PREDICT_TRACE_DIR"), expected);
	ck_assert_ptr_null(spank_stub_task("PREDICT_TRACE_ONLINE"));
	profile_set("lbf");
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("PREDICT_TRACE_ONLINE"), "1");
}
END_TEST

/* Not asked for, unknown, or without the library: the program runs as it is. */
START_TEST(test_unprofiled_task)
{
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("LD_PRELOAD"));
	profile_set("packets");
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("LD_PRELOAD"));
	profile_set("no such kind");
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("LD_PRELOAD"));
	profile_set("mpi");
	unlink(folder_path("library.so"));
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("LD_PRELOAD"));
	ck_assert_ptr_null(spank_stub_task("PREDICT_MPI_DIR"));
}
END_TEST

/* What the user preloads is never cut: a long one stays, alone if need be. */
START_TEST(test_long_preload)
{
	static char theirs[2 * PRELOAD_TEXT_MAX + 1];

	profile_set("mpi");
	memset(theirs, 'x', sizeof(theirs) - 1);
	theirs[20000] = '\0';
	spank_setenv(NULL, "LD_PRELOAD", theirs, 1);
	run(slurm_spank_task_init);
	ck_assert_uint_gt(strlen(spank_stub_task("LD_PRELOAD")), 20000);
	ck_assert_ptr_nonnull(strstr(spank_stub_task("LD_PRELOAD"), theirs));
	theirs[20000] = 'x';
	theirs[PRELOAD_TEXT_MAX - 2] = '\0';
	spank_setenv(NULL, "LD_PRELOAD", theirs, 1);
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("LD_PRELOAD"), theirs);
}
END_TEST

START_TEST(test_shares)
{
	/* A variable of the job that submitted this one. */
	spank_setenv(NULL, "PREDICT_SHARES", "n9=0.1", 1);
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("PREDICT_SHARES"));
	folder_put("shares/17", "shares=n0=0.49,n1=1.00\nend=1\n");
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("PREDICT_SHARES"), "n0=0.49,n1=1.00");
	ck_assert_ptr_null(spank_stub_task("PREDICT_SLOWDOWN"));
	folder_put("shares/17",
		   "slowdown=2.04\nshares=n0=0.49,n1=1.00\nend=1\n");
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("PREDICT_SLOWDOWN"), "2.04");
}
END_TEST

START_TEST(test_order_for_tasks)
{
	char path[600], expected[1300];

	spank_setenv(NULL, "PREDICT_HOSTFILE", "/of/another", 1);
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("PREDICT_HOSTFILE"));
	ck_assert_ptr_null(spank_stub_task("PREDICT_IN_ORDER"));
	folder_put("hosts/17", HOSTS);
	folder_put("in-order", "#!/bin/sh\n");
	chmod(folder_path("in-order"), 0755);
	snprintf(path, sizeof(path), "%s/hosts/17", folder);
	snprintf(expected, sizeof(expected), "%s/in-order %s", folder, path);
	/* What srun was given is for one step, not for those of a task; a file
	 * of the user's stays. */
	spank_setenv(NULL, "SLURM_HOSTFILE", path, 1);
	spank_setenv(NULL, "SLURM_DISTRIBUTION", "arbitrary", 1);
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("PREDICT_HOSTFILE"), path);
	ck_assert_str_eq(spank_stub_task("PREDICT_IN_ORDER"), expected);
	ck_assert_ptr_null(spank_stub_task("SLURM_HOSTFILE"));
	ck_assert_ptr_null(spank_stub_task("SLURM_DISTRIBUTION"));
	spank_setenv(NULL, "SLURM_HOSTFILE", "/of/the/user", 1);
	spank_setenv(NULL, "SLURM_DISTRIBUTION", "arbitrary", 1);
	run(slurm_spank_task_init);
	ck_assert_str_eq(spank_stub_task("SLURM_HOSTFILE"), "/of/the/user");
	ck_assert_str_eq(spank_stub_task("SLURM_DISTRIBUTION"), "arbitrary");
	arguments[1] = "order=no";
	run(slurm_spank_task_init);
	ck_assert_ptr_null(spank_stub_task("PREDICT_IN_ORDER"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_options,       test_bad_options,     test_no_options,
		test_step,          test_order_of_ranks,  test_start_and_end,
		test_folders,       test_no_record,       test_task_exit,
		test_profiled_task, test_unprofiled_task, test_long_preload,
		test_shares,        test_order_for_tasks, NULL,
	};

	if (getenv("SP_TEST_SPOOL"))
		return order_show();
	return suite_run_each("spank_predict", tests, case_begin, case_end);
}
