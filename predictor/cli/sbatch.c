/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sbatch.c - the submission that sbatch would make
 *
 * The options are parsed twice: first to find the script, then, after its
 * #SBATCH lines and the environment, so that they override these.  Components
 * of a heterogeneous job have options of their own, and some of the one before.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/small_file.h"
#include "predictor/features/script/identify.h"
#include "predictor/base/file_size.h"
#include "predictor/cli/sbatch.h"

#define COMPONENTS_MAX 128 /* Slurm's MAX_HET_JOB_COMPS */

/* Read at most SUBMISSION_SCRIPT_MAX bytes; predictd does not use more. */
static int read_script(const char *path, char **ret_script,
		       struct sp_error *err)
{
	const char *name = path ? path : "standard input";
	const size_t most = SUBMISSION_SCRIPT_MAX;
	size_t size;
	char *script = path ? small_file_text(path, most, &size, err)
			    : small_file_rest(stdin, name, most, &size, err);

	if (!script)
		return -1;
	if (strncmp(script, "#!", 2) != 0 || strlen(script) != size) {
		free(script);
		return sp_error_set(err,
				    "%s does not look like a batch script: its "
				    "first line must start with #!",
				    name);
	}
	*ret_script = script;
	return 0;
}

/* Find the script that sbatch makes of --wrap. */
static int wrap_script(const char *command, char **ret_script,
		       struct sp_error *err)
{
	if (asprintf(ret_script,
		     "#!/bin/sh\n"
		     "# This script was created by sbatch --wrap.\n\n%s\n",
		     command) < 0) {
		*ret_script = NULL;
		return sp_error_set(err, "out of memory");
	}
	return 0;
}

static int load_script(struct cli *cli, const char *path, const char *wrap,
		       struct sbatch *ret, struct sp_error *err)
{
	if (path && wrap)
		return sp_error_set(err,
				    "--wrap and a script (%s) exclude "
				    "each other",
				    path);
	if (wrap)
		return wrap_script(wrap, &ret->script, err);
	if (!path && isatty(STDIN_FILENO))
		return sp_error_set(err, "the script is missing");
	cli->unreadable = read_script(path, &ret->script, err) != 0;
	return cli->unreadable ? -1 : 0;
}

/* Variables PREDICT_* of the environment are settings. */
static int add_variables(struct sbatch *ret, struct sp_error *err)
{
	struct submission *job = &ret->job;

	for (char **v = environ; *v; v++) {
		const char *equals = strchr(*v, '=');

		if (strncmp(*v, "PREDICT_", 8) != 0 || !equals ||
		    strlen(*v) >= SUBMISSION_TEXT_MAX ||
		    job->settings_count == SUBMISSION_SETTINGS_MAX)
			continue;

		char *name = strndup(*v, (size_t)(equals - *v));

		if (!name)
			return sp_error_set(err, "out of memory");
		ret->names[ret->names_count++] = name;
		job->settings[job->settings_count++] =
			(struct setting){ .name = name, .value = equals + 1 };
	}
	return 0;
}

static void add_setting(struct sbatch *ret, const char *name, const char *value)
{
	struct submission *job = &ret->job;

	if (job->settings_count < SUBMISSION_SETTINGS_MAX)
		job->settings[job->settings_count++] =
			(struct setting){ .name = name, .value = value };
}

/* Variables that the script reads, and those of --export, which may name all
 * that the job gets: "NONE", "A,B=5". */
static void add_environment(struct sbatch *ret)
{
	const char *read[JOB_ENVIRONMENT_MAX], *pair;
	const char *text = ret->exported ? ret->exported : "ALL";
	bool all = strstr(text, "ALL") || strstr(text, "NIL");
	int count = all ? job_environment_find(ret->script, environ, UINT32_MAX,
					       read)
			: 0;
	size_t length;

	for (int i = 0; i < count; i++)
		add_setting(ret, JOB_ENVIRONMENT_READ, read[i]);
	for (int i = 0; i < JOB_ENVIRONMENT_MAX &&
			(pair = job_environment_exported(&text, &length));
	     i++) {
		snprintf(ret->exports[i], sizeof(ret->exports[i]), "%.*s",
			 (int)length, pair);
		add_setting(ret, JOB_ENVIRONMENT_EXPORTED, ret->exports[i]);
	}
}

static void add_arguments(struct sbatch *ret, int argc, char **argv)
{
	struct submission *job = &ret->job;
	const char *path = argv[0];
	int length;

	if (argc == 0)
		return;
	if (path[0] == '/')
		length = snprintf(ret->path, sizeof(ret->path), "%s", path);
	else
		length = snprintf(ret->path, sizeof(ret->path), "%s/%s",
				  ret->directory, path);
	if (length >= (int)sizeof(ret->path))
		ret->path[0] = '\0';
	job->arguments[job->arguments_count++] = ret->path;
	for (int i = 1; i < argc && i < SUBMISSION_ARGUMENTS_MAX; i++)
		job->arguments[job->arguments_count++] = argv[i];
}

/* Add the sizes of the files in the arguments, as the SPANK plugin
 * sends them. */
static void add_sizes(struct sbatch *ret)
{
	struct submission *job = &ret->job;
	struct file_arguments files;
	size_t used = 0;
	int count = 0, folder;

	if (ret->no_files || job->settings_count == SUBMISSION_SETTINGS_MAX)
		return;
	folder = open(ret->work_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	application_files(job, &files);
	for (int i = 0; i < files.count && count < FILE_ARGUMENTS_SENT; i++) {
		double size = file_size(folder, files.of[i].path);

		if (size < 0)
			continue;
		used += (size_t)snprintf(ret->sizes + used,
					 sizeof(ret->sizes) - used, "%s=%.0f ",
					 files.of[i].name, size);
		count++;
	}
	if (folder >= 0)
		close(folder);
	if (count)
		job->settings[job->settings_count++] =
			(struct setting){ "param", .value = ret->sizes };
}

/* Both --gres and --gpus-per-node count. */
static int add_gpus(struct sbatch *ret, struct sp_error *err)
{
	struct gres_request *gres = &ret->job.gres;
	char *per_node = ret->gpus.per_node;
	size_t used = strlen(per_node);

	if (*per_node && gres->per_node &&
	    snprintf(per_node + used, SBATCH_GPUS_SIZE - used, ",%s",
		     gres->per_node) >= (int)(SBATCH_GPUS_SIZE - used))
		return sp_error_set(err, "--gres: longer than %d bytes",
				    SBATCH_GPUS_SIZE);
	if (*per_node)
		gres->per_node = per_node;
	if (*ret->gpus.per_job)
		gres->per_job = ret->gpus.per_job;
	if (*ret->gpus.per_socket)
		gres->per_socket = ret->gpus.per_socket;
	if (*ret->gpus.per_task)
		gres->per_task = ret->gpus.per_task;
	return 0;
}

/* Add the defaults of sbatch. */
static void add_defaults(struct cli *cli, struct sbatch *ret)
{
	struct submission *job = &ret->job;
	struct job_size *size = &job->size;
	const char *slash = strrchr(ret->path, '/');

	if (ret->use_min_nodes)
		size->nodes_want = size->nodes_min;
	if (!job->name)
		job->name = ret->wrap ? "wrap" : slash ? slash + 1 : "sbatch";
	if (!ret->work_dir)
		ret->work_dir = ret->directory;
	if (size->tasks || size->cpus_per_task)
		size->cpus_min = job_size_cpus(size, job_size_nodes(size, 0));
	if (*cli_cluster(cli))
		job->cluster = cli_cluster(cli);
	job->user_id = getuid();
}

/* --- Heterogeneous jobs --------------------------------------------------- */

/* The options of one component; [0] is skipped. */
struct component_words {
	int count;
	char **words;
};

/* Split off the components of the command line, between ":"; the last one goes
 * on with the script and its arguments, which are not counted. */
static int split_command_line(struct cli *cli, int argc, char **argv,
			      struct component_words ret[COMPONENTS_MAX],
			      int *ret_count, const char **ret_wrap,
			      struct sp_error *err)
{
	struct sbatch first_pass = { .mode = MODE_ADVISE };
	int first;

	for (*ret_count = 0; *ret_count < COMPONENTS_MAX;) {
		if (sbatch_options_parse(cli, argc, argv, &first_pass, &first,
					 err))
			return -1;
		ret[(*ret_count)++] = (struct component_words){ first, argv };
		*ret_wrap = first_pass.wrap;
		if (first == argc || strcmp(argv[first], ":") != 0)
			return 0;
		argc -= first;
		argv += first;
	}
	return sp_error_set(err, "more than %d components", COMPONENTS_MAX);
}

/* Split off the components of the script, between lines "#SBATCH hetjob". */
static int split_script(const struct sbatch *sbatch,
			struct component_words ret[COMPONENTS_MAX],
			struct sp_error *err)
{
	int count = 0, start = 0;

	for (int i = 1; i <= sbatch->words_count; i++) {
		if (i < sbatch->words_count &&
		    strcmp(sbatch->words[i], "hetjob") != 0 &&
		    strcmp(sbatch->words[i], "packjob") != 0)
			continue;
		if (count == COMPONENTS_MAX)
			return sp_error_set(err, "more than %d components",
					    COMPONENTS_MAX);
		ret[count++] = (struct component_words){
			i - start, (char **)sbatch->words + start
		};
		start = i;
	}
	return count;
}

/* What sbatch does not hand on to the next component. */
static void component_begin(struct sbatch *ret)
{
	struct submission fresh;

	submission_init(&fresh);
	ret->job.size = fresh.size;
	ret->job.gres = fresh.gres;
	ret->job.partition = fresh.partition;
	ret->job.features = fresh.features;
	ret->job.required_nodes = fresh.required_nodes;
	memset(&ret->gpus, 0, sizeof(ret->gpus));
}

static int parse_script_words(struct cli *cli,
			      const struct component_words *words,
			      struct sbatch *ret, struct sp_error *err)
{
	int first;

	if (sbatch_options_parse(cli, words->count, words->words, ret, &first,
				 err))
		return -1;
	if (first < words->count)
		return sp_error_set(err, "#SBATCH: %s is no option",
				    words->words[first]);
	return 0;
}

/* Apply the options of all components up to the one that is read. */
static int parse_components(struct cli *cli, const struct component_words *line,
			    int lines, int component, struct sbatch *ret,
			    struct sp_error *err)
{
	struct component_words script[COMPONENTS_MAX];
	int scripts = split_script(ret, script, err);
	int first;

	if (scripts < 0)
		return -1;
	ret->components = scripts > lines ? scripts : lines;
	for (int i = 0; i <= component; i++) {
		if (i > 0)
			component_begin(ret);
		if (i < scripts &&
		    parse_script_words(cli, &script[i], ret, err))
			return -1;
		if (sbatch_environment(ret, err))
			return -1;
		if (i < lines &&
		    sbatch_options_parse(cli, line[i].count, line[i].words, ret,
					 &first, err))
			return -1;
	}
	return 0;
}

int sbatch_read(struct cli *cli, int argc, char **argv,
		const struct sbatch *head, int component, struct sbatch *ret,
		struct sp_error *err)
{
	struct component_words line[COMPONENTS_MAX];
	const char *wrap;
	int lines, words;

	*ret = (struct sbatch){ .mode = MODE_ADVISE, .components = 1 };
	submission_init(&ret->job);

	/* The script is the first argument after the options. */
	if (split_command_line(cli, argc, argv, line, &lines, &wrap, err))
		return -1;
	if (cli_only_about(cli))
		return 0;

	char **operands = line[lines - 1].words + line[lines - 1].count;

	if (!getcwd(ret->directory, sizeof(ret->directory)))
		ret->directory[0] = '\0';
	if (head)
		ret->script = strdup(head->script);
	else if (load_script(cli, *operands, wrap, ret, err))
		return -1;

	ret->words[0] = strdup(argv[0]); /* for getopt_long() */
	if (!ret->words[0] || !ret->script)
		return sp_error_set(err, "out of memory");

	int rc = sbatch_script_words(ret->script, ret->words + 1,
				     SBATCH_WORDS_MAX - 2, &words, err);

	ret->words_count = 1 + words;
	if (rc || parse_components(cli, line, lines, component, ret, err) ||
	    add_gpus(ret, err) || add_variables(ret, err))
		return -1;
	ret->job.script = ret->script;
	add_arguments(ret, (int)(argv + argc - operands), operands);
	add_environment(ret);
	add_defaults(cli, ret);
	add_sizes(ret);
	return 0;
}

void sbatch_clear(struct sbatch *sbatch)
{
	free(sbatch->script);
	for (int i = 0; i < sbatch->words_count; i++)
		free(sbatch->words[i]);
	for (int i = 0; i < sbatch->names_count; i++)
		free(sbatch->names[i]);
	*sbatch = (struct sbatch){ .mode = MODE_ADVISE };
}

int sbatch_send(struct cli *cli, const struct sbatch *sbatch, const char *path,
		struct json_object **ret_reply, struct sp_error *err)
{
	const struct wire_request request = {
		.job = sbatch->job,
		.mode = sbatch->mode,
		.quantile = cli_site(cli)->quantile,
		.dry_run = true,
	};
	struct json_object *body = wire_request_encode(&request);
	int rc = body ? fetch(cli, path, body, ret_reply, NULL, err)
		      : sp_error_set(err, "out of memory");

	json_object_put(body);
	return rc;
}
