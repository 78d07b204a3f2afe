/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spank_predict.c - options of sbatch, srun and salloc; records of jobs
 *
 * plugstack.conf: `optional spank_predict.so [spool=/var/spool/slurm-predict]
 * [files=no] [order=no] [library=/PATH/libpredict_mpi.so]`.
 *
 * In the commands of users: --predict, --predict-nodes, --predict-param,
 * --predict-files, --predict-profile, and parameters of the command line
 * (command.h).  In srun within a job, too: the order of ranks (step_order.h).
 * In slurmd and slurmstepd: starts and ends of jobs and tasks are written to
 * files for collectord (spool_events.h); a few file operations, no network, no
 * lock.  No error here ever fails a job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* These are found by name when Slurm loads us; all else stays hidden. */
#pragma GCC visibility push(default)
#include <slurm/spank.h>
SPANK_PLUGIN(predict, 1)
#pragma GCC visibility pop

#include "plugin/spank/command.h"
#include "plugin/spank/hosts_file.h"
#include "plugin/spank/preload.h"
#include "plugin/spank/profile_kinds.h"
#include "plugin/spank/shares_file.h"
#include "plugin/spank/spool_events.h"
#include "plugin/spank/spool_path.h"
#include "plugin/spank/step_order.h"
#include "plugin/spank/user_options.h"
#include "predictor/base/clock.h"
#include "predictor/base/job_memory.h"
#include "predictor/features/script/command/submit_line.h"

#define DEFAULT_LIBRARY SP_LIBDIR "/libpredict_mpi.so"

static struct user_options user;

static struct option_row {
	struct spank_option option;
	int (*set)(struct user_options *user, const char *text,
		   struct sp_error *err);
} options[] = {
	{ { "predict", .arginfo = "off|observe|advise|act",
	    .usage = "what the prediction of the run time is used for; "
		     "can only lower what the site allows" },
	  user_options_set_mode },
	{ { "predict-nodes", .arginfo = "off|observe|advise|act",
	    .usage = "what is done about the number of nodes of a job with a "
		     "range of them; can only lower what the site allows" },
	  user_options_set_nodes },
	{ { "predict-param", .arginfo = "name=value",
	    .usage = "a number or text that the run time depends on "
		     "(repeatable)" },
	  user_options_add_parameter },
	{ { "predict-files", .arginfo = "yes|no",
	    .usage = "whether sizes of files that the command is given are "
		     "read" },
	  user_options_set_files },
	{ { "predict-profile", .arginfo = "packets|mpi|trace|lbf|no",
	    .usage = "whether to profile how the job uses CPUs and links: "
		     "from its packets, by a library before MPI, or not" },
	  user_options_set_profile },
};

/* An option with its position in the table. */
static int on_option(int value, const char *text, int remote)
{
	struct sp_error err;

	if (remote || !options[value].set(&user, text, &err))
		return 0;
	slurm_error("%s", err.text);
	return -1;
}

static bool has_argument(int count, char *arguments[], const char *text)
{
	for (int i = 0; i < count; i++)
		if (strcmp(arguments[i], text) == 0)
			return true;
	return false;
}

/* srun reads these after this; options of its line go before them. */
static void order_ranks(int count, char *arguments[])
{
	static struct hosts_file hosts;
	const char *id = getenv("SLURM_JOB_ID");
	const char *const *words;
	char *end;

	if (!id || *id < '0' || *id > '9' ||
	    has_argument(count, arguments, "order=no"))
		return;

	unsigned long job_id = strtoul(id, &end, 10);

	if (*end || job_id > UINT32_MAX ||
	    !hosts_read(spool_path(count, arguments), (uint32_t)job_id,
			&hosts) ||
	    !hosts.act)
		return;

	int words_count = command_own_words(&words);

	if (!step_order_fits(&hosts, words, words_count, getenv))
		return;
	setenv("SLURM_HOSTFILE", hosts.path, 1);
	setenv("SLURM_DISTRIBUTION", "arbitrary", 1);
	slurm_verbose("predict: ranks are in the order of %s: this step should "
		      "be at least %.0f %% faster",
		      hosts.path, 100 * (hosts.gain - 1));
}

int slurm_spank_init(spank_t spank, int count, char *arguments[])
{
	for (int i = 0; i < (int)(sizeof(options) / sizeof(options[0])); i++) {
		struct spank_option *o = &options[i].option;

		o->has_arg = 1;
		o->val = i;
		o->cb = on_option;
		if (spank_option_register(spank, o) != ESPANK_SUCCESS)
			slurm_debug("predict: no option --%s", o->name);
	}
	if (!spank_remote(spank) && spank_context() == S_CTX_LOCAL)
		order_ranks(count, arguments);
	return ESPANK_SUCCESS;
}

static bool reads_file_sizes(int count, char *arguments[])
{
	return !user.no_files && !has_argument(count, arguments, "files=no");
}

/* Parameters of the options, then those of the command line. */
static void join_parameters(int count, char *arguments[],
			    const char *const words[], int words_count,
			    char ret_text[OPTION_PARAMETERS_TEXT_SIZE])
{
	size_t used;

	user_options_parameters(&user, ret_text);
	used = strlen(ret_text);
	/* The separator, if there are both. */
	if (used)
		ret_text[used++] = ' ';
	command_parameters(words, words_count,
			   OPTION_PARAMETERS_MAX - user.parameters_count,
			   reads_file_sizes(count, arguments), ret_text + used,
			   OPTION_PARAMETERS_TEXT_SIZE - used);
	if (used && !ret_text[used])
		ret_text[used - 1] = '\0';
}

/* A prolog that runs because a step reaches a node sees the options of the
 * step, not of the job. */
static void repeat_profile(spank_t spank)
{
	const char *value = getenv("SLURM_SPANK_" OPTION_PROFILE_VARIABLE);
	struct user_options job = { .mode = NULL };

	if (value && !user_options_set_profile(&job, value, NULL))
		spank_job_control_setenv(spank, OPTION_PROFILE_VARIABLE,
					 job.profile, 1);
}

int slurm_spank_init_post_opt(spank_t spank, int count, char *arguments[])
{
	char parameters[OPTION_PARAMETERS_TEXT_SIZE];
	const char *const *words;
	struct submit_line line;

	/* An srun within a job is a step of it: the job's options came with
	 * its submission, and here only the last of each would show. */
	if (spank_remote(spank))
		return ESPANK_SUCCESS;
	if (spank_context() == S_CTX_LOCAL && getenv("SLURM_JOB_ID")) {
		repeat_profile(spank);
		return ESPANK_SUCCESS;
	}
	if (user.mode)
		spank_job_control_setenv(spank, OPTION_MODE_VARIABLE, user.mode,
					 1);
	if (user.nodes)
		spank_job_control_setenv(spank, OPTION_NODES_VARIABLE,
					 user.nodes, 1);
	if (user.profile)
		spank_job_control_setenv(spank, OPTION_PROFILE_VARIABLE,
					 user.profile, 1);

	int words_count = command_own_words(&words);

	if (submit_line_read(words, words_count, &line) && line.test_only)
		spank_job_control_setenv(spank, OPTION_TEST_VARIABLE, "1", 1);
	join_parameters(count, arguments, words, words_count, parameters);
	if (parameters[0])
		spank_job_control_setenv(spank, OPTION_PARAMETERS_VARIABLE,
					 parameters, 1);
	return ESPANK_SUCCESS;
}

/* Runs in a short-lived process with the environment of a prolog. */
static void record_job(spank_t spank, const char *kind, int count,
		       char *arguments[])
{
	bool starts = strcmp(kind, "start") == 0;
	uint32_t job_id = 0;
	uid_t user_id = (uid_t)-1;
	struct sp_error err;

	if (spank_get_item(spank, S_JOB_ID, &job_id) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_UID, &user_id) != ESPANK_SUCCESS) {
		slurm_debug("predict: a job without id");
		return;
	}

	struct event event = {
		.kind = kind,
		.job_id = job_id,
		.user_id = user_id,
		.time_s = clock_now_s(),
		.cluster = getenv("SLURM_CLUSTER_NAME"),
		.node = getenv("SLURMD_NODENAME"),
		.nodes = getenv("SLURM_NODELIST"),
		.partition = getenv("SLURM_JOB_PARTITION"),
		.restarts = getenv("SLURM_JOB_RESTART_COUNT"),
		.exit = getenv("SLURM_JOB_EXIT_CODE2"),
		.profile = getenv("SPANK_" OPTION_PROFILE_VARIABLE),
		.parameters = getenv("SPANK_" OPTION_PARAMETERS_VARIABLE),
		.arguments = getenv("SPANK_" OPTION_ARGUMENTS_VARIABLE),
		.prediction = getenv("SPANK_" OPTION_PREDICTION_VARIABLE),
	};

	if (!event.nodes)
		event.nodes = getenv("SLURM_JOB_NODELIST");
	const char *spool = spool_path(count, arguments);
	const struct profile_kind *profile = profile_kind_find(event.profile);

	/* Before the event, which collectord acts on at once. */
	if (starts) {
		hosts_forget(spool, job_id);
		event_forget_steps(spool, job_id);
		if (profile && profile->library &&
		    event_make_folders(spool, profile->trace, job_id,
				       (uint32_t)user_id, &err))
			slurm_debug("predict: job %u: %s", job_id, err.text);
		if (shares_expect(spool, job_id, (uint32_t)user_id, &err))
			slurm_debug("predict: job %u: %s", job_id, err.text);
	} else {
		shares_forget(spool, job_id);
		hosts_forget(spool, job_id);
		event_close_folders(spool, job_id, (uint32_t)user_id,
				    event.time_s);
	}
	if (event_write(spool, &event, &err))
		slurm_debug("predict: job %u: %s", job_id, err.text);
}

int slurm_spank_job_prolog(spank_t spank, int count, char *arguments[])
{
	record_job(spank, "start", count, arguments);
	return ESPANK_SUCCESS;
}

int slurm_spank_job_epilog(spank_t spank, int count, char *arguments[])
{
	record_job(spank, "end", count, arguments);
	return ESPANK_SUCCESS;
}

static const char *library_path(int count, char *arguments[])
{
	static const char key[] = "library=";

	for (int i = 0; i < count; i++)
		if (strncmp(arguments[i], key, strlen(key)) == 0)
			return arguments[i] + strlen(key);
	return DEFAULT_LIBRARY;
}

/* Copy the value of a variable, which the caller frees; NULL: it is
 * too long. */
static char *variable_copy(spank_t spank, const char *name)
{
	for (size_t size = 4096; size <= 2 * PRELOAD_TEXT_MAX; size *= 2) {
		char *text = malloc(size);
		int rc = text ? spank_getenv(spank, name, text, (int)size)
			      : ESPANK_ERROR;

		if (rc == ESPANK_ENV_NOEXIST)
			*text = '\0';
		if (rc == ESPANK_SUCCESS || rc == ESPANK_ENV_NOEXIST)
			return text;
		free(text);
		if (rc != ESPANK_NOSPACE)
			return NULL;
	}
	return NULL;
}

/* What the user preloads stays, whole. */
static void preload(spank_t spank, const char *library)
{
	char *loaded = variable_copy(spank, "LD_PRELOAD");
	char *text = loaded ? preload_join(library, loaded) : NULL;

	if (text)
		spank_setenv(spank, "LD_PRELOAD", text, 1);
	free(text);
	free(loaded);
}

/* Without the library the program runs unprofiled. */
static void export_profile(spank_t spank, const char *spool, uint32_t job_id,
			   const char *library)
{
	char name[16], text[2 * SPOOL_PATH_SIZE];

	if (spank_getenv(spank, "SLURM_SPANK_" OPTION_PROFILE_VARIABLE, name,
			 sizeof(name)) != ESPANK_SUCCESS ||
	    access(library, R_OK))
		return;

	const struct profile_kind *profile = profile_kind_find(name);

	if (!profile || !profile->library)
		return;
	snprintf(text, sizeof(text), "%s/users/mpi/%u", spool, job_id);
	spank_setenv(spank, "PREDICT_MPI_DIR", text, 1);
	if (profile->trace) {
		snprintf(text, sizeof(text), "%s/users/traces/%u", spool,
			 job_id);
		spank_setenv(spank, "PREDICT_TRACE_DIR", text, 1);
	}
	if (profile->online)
		spank_setenv(spank, "PREDICT_TRACE_ONLINE", "1", 1);
	preload(spank, library);
}

/* For programs that hand out their work by it.  A job that was submitted by
 * another one has the variables of that. */
static void export_shares(spank_t spank, const char *spool, uint32_t job_id)
{
	struct job_shares found;

	shares_read(spool, job_id, &found);
	spank_unsetenv(spank, "PREDICT_SHARES");
	if (!found.shares)
		return;
	spank_setenv(spank, "PREDICT_SHARES", found.shares, 1);
	if (found.slowdown)
		spank_setenv(spank, "PREDICT_SLOWDOWN", found.slowdown, 1);
}

/* For `$PREDICT_IN_ORDER mpirun`, which may be started when the order has come:
 * the program that waits for no order, and its file. */
static void export_in_order(spank_t spank, int count, char *arguments[],
			    const char *hosts_path)
{
	char text[HOSTS_IN_ORDER_SIZE];

	spank_unsetenv(spank, "PREDICT_IN_ORDER");
	if (!has_argument(count, arguments, "order=no") &&
	    hosts_in_order(library_path(count, arguments), hosts_path, text))
		spank_setenv(spank, "PREDICT_IN_ORDER", text, 1);
}

/* For `srun -m arbitrary` of the user.  What order_ranks() set is for one step,
 * not for those that a task starts. */
static void export_order(spank_t spank, int count, char *arguments[],
			 uint32_t job_id)
{
	static struct hosts_file hosts;
	char taken[HOSTS_PATH_SIZE];

	spank_unsetenv(spank, "PREDICT_HOSTFILE");
	if (hosts_read(spool_path(count, arguments), job_id, &hosts))
		spank_setenv(spank, "PREDICT_HOSTFILE", hosts.path, 1);
	export_in_order(spank, count, arguments, hosts.path);
	/* hosts.path is set in any case. */
	if (spank_getenv(spank, "SLURM_HOSTFILE", taken, sizeof(taken)) ==
		    ESPANK_SUCCESS &&
	    strcmp(taken, hosts.path) == 0) {
		spank_unsetenv(spank, "SLURM_HOSTFILE");
		spank_unsetenv(spank, "SLURM_DISTRIBUTION");
	}
}

/* In the task, just before exec of the user's program. */
int slurm_spank_task_init(spank_t spank, int count, char *arguments[])
{
	const char *spool = spool_path(count, arguments);
	uint32_t job_id;

	if (spank_get_item(spank, S_JOB_ID, &job_id) != ESPANK_SUCCESS)
		return ESPANK_SUCCESS;
	export_profile(spank, spool, job_id, library_path(count, arguments));
	export_shares(spank, spool, job_id);
	export_order(spank, count, arguments, job_id);
	return ESPANK_SUCCESS;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* In slurmstepd, after it waited for a task, so that the task and all it
 * waited for count among our children. */
int slurm_spank_task_exit(spank_t spank, int count, char *arguments[])
{
	/* Found only once: a slurmstepd has one step. */
	static char folder[CONTROL_GROUP_PATH_SIZE + 1] = "?";
	uint32_t job_id, step_id;
	int status;
	struct rusage used;
	struct sp_error err;

	if (spank_get_item(spank, S_JOB_ID, &job_id) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_STEPID, &step_id) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_TASK_EXIT_STATUS, &status) !=
		    ESPANK_SUCCESS ||
	    getrusage(RUSAGE_CHILDREN, &used))
		return ESPANK_SUCCESS;
	/* While it is there: Slurm removes the group after the last step. */
	if (*folder == '?')
		job_memory_folder("", "self", job_id, folder);

	struct task_end end = {
		.job_id = job_id,
		.step_id = step_id,
		.stepd_pid = (int)getpid(),
		.time_s = clock_now_s(),
		.wait_status = status,
		.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime),
		.peak_kb = (double)used.ru_maxrss,
		.cached_mb = job_memory_most_mb(folder),
	};

	if (event_append_task(spool_path(count, arguments), &end, &err))
		slurm_debug("predict: job %u: %s", job_id, err.text);
	return ESPANK_SUCCESS;
}
