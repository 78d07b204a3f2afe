/* sbatch_options.c - the options of sbatch, and what they mean to us
 *
 * All options that sbatch knows stand in the table, so that a command line
 * that works with sbatch works with spredict.  Those without a function do not
 * change how long a job runs, as far as is known, and are passed over.
 */
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/conf.h"
#include "predictor/base/duration.h"
#include "predictor/cli/sbatch.h"

#define COUNT_MAX 1000000000L /* nodes, tasks, CPUs; far above any machine */

/* A row of the table.  `set` puts `value` (NULL where the option has none)
 * into *into, for the simple ones at `offset`. */
struct sbatch_option {
	const char *name;
	char letter;  /* 0: no short form */
	int argument; /* as in getopt_long(): no, required or optional */
	int (*set)(const struct sbatch_option *row, struct cli *cli,
		   struct sbatch *into, const char *value,
		   struct sp_error *err);
	size_t offset;
	const char *variable; /* of the environment; NULL: none */
};

#define SETTER(name)                                                 \
	static int name(const struct sbatch_option *row,             \
			struct cli *cli __attribute__((unused)),     \
			struct sbatch *into __attribute__((unused)), \
			const char *value __attribute__((unused)),   \
			struct sp_error *err __attribute__((unused)))

SETTER(set_text)
{
	if (strlen(value) >= SUBMISSION_TEXT_MAX)
		return sp_error_set(err, "--%s: longer than %d bytes",
				    row->name, SUBMISSION_TEXT_MAX - 1);
	*(const char **)((char *)into + row->offset) = value;
	return 0;
}

/* A count with Slurm's suffixes k (1024) and m. */
static int count_of(const char *name, const char *text, size_t length,
		    uint32_t *ret, struct sp_error *err)
{
	char digits[16];
	long factor = 1;
	long value;

	if (length > 0 && strchr("kK", text[length - 1]))
		factor = 1024;
	else if (length > 0 && strchr("mM", text[length - 1]))
		factor = 1024L * 1024;
	if (factor > 1)
		length--;
	if (length == 0 || length >= sizeof(digits))
		return sp_error_set(err, "--%s: %s is no count", name, text);
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (conf_integer(digits, 1, COUNT_MAX / factor, &value, NULL))
		return sp_error_set(err, "--%s: %s is no count", name, text);
	*ret = (uint32_t)(value * factor);
	return 0;
}

SETTER(set_count)
{
	return count_of(row->name, value, strlen(value),
			(uint32_t *)(void *)((char *)into + row->offset), err);
}

/* N, or MIN-MAX. */
SETTER(set_nodes)
{
	size_t length = strcspn(value, "-");
	uint32_t min, max;

	if (count_of(row->name, value, length, &min, err))
		return -1;
	max = min;
	if (value[length] && count_of(row->name, value + length + 1,
				      strlen(value + length + 1), &max, err))
		return -1;
	if (max < min)
		return sp_error_set(err,
				    "--%s: %s: the most is less than the "
				    "least",
				    row->name, value);
	into->job.nodes_min = min;
	into->job.nodes_max = max;
	return 0;
}

/* In MB, or with a suffix K, M, G or T. */
SETTER(set_memory)
{
	static const struct {
		char letter;
		double mb;
	} units[] = { { 'K', 1.0 / 1024 },
		      { 'M', 1 },
		      { 'G', 1024 },
		      { 'T', 1024.0 * 1024 } };
	char number[32];
	size_t length = strcspn(value, "kKmMgGtT");
	double factor = 1;
	double mb;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (value[length] && (value[length] & ~0x20) == units[i].letter)
			factor = units[i].mb;
	if (length == 0 || length >= sizeof(number) ||
	    (value[length] && value[length + 1]))
		return sp_error_set(err, "--%s: %s is no size", row->name,
				    value);
	memcpy(number, value, length);
	number[length] = '\0';
	if (conf_number(number, 0, 1e12, &mb, NULL))
		return sp_error_set(err, "--%s: %s is no size", row->name,
				    value);
	*(double *)(void *)((char *)into + row->offset) = mb * factor;
	return 0;
}

SETTER(set_time)
{
	double seconds;

	if (duration_parse(value, &seconds, err))
		return -1;
	/* Slurm takes 0 for "no limit". */
	into->job.limit_s = seconds > 0 ? seconds : HUGE_VAL;
	(void)row;
	return 0;
}

SETTER(set_exclusive)
{
	(void)row;
	into->job.exclusive = true;
	return 0;
}

SETTER(set_test_only)
{
	(void)row;
	into->job.test_only = true;
	return 0;
}

SETTER(set_wrap)
{
	(void)row;
	into->wrap = value;
	return 0;
}

SETTER(set_mode)
{
	(void)row;
	if (prediction_mode_parse(value, &into->mode))
		return sp_error_set(err,
				    "--predict: %s is not one of off, "
				    "observe, advise, act",
				    value);
	return 0;
}

SETTER(set_parameter)
{
	struct submission *job = &into->job;
	const char *equals = strchr(value, '=');

	(void)row;
	if (!equals || equals == value || !equals[1])
		return sp_error_set(err,
				    "--predict-param: %s is not "
				    "name=value",
				    value);
	if (job->settings_count == SUBMISSION_SETTINGS_MAX)
		return sp_error_set(err, "--predict-param: more than %d",
				    SUBMISSION_SETTINGS_MAX);
	job->settings[job->settings_count++] =
		(struct setting){ .name = "param", .value = value };
	return 0;
}

SETTER(set_files)
{
	(void)row;
	into->no_files = strcmp(value, "no") == 0;
	if (!into->no_files && strcmp(value, "yes") != 0)
		return sp_error_set(err, "--predict-files: %s is not yes or no",
				    value);
	return 0;
}

/* --- spredict's own ------------------------------------------------------- */

SETTER(set_cluster)
{
	(void)row;
	return cli_set_cluster(cli, value, err);
}

SETTER(set_url)
{
	(void)row;
	if (client_check_url(value, err))
		return -1;
	cli->url = value;
	return 0;
}

SETTER(set_flag)
{
	*(bool *)((char *)cli + row->offset) = true;
	return 0;
}

#define JOB(member) offsetof(struct sbatch, job.member)
#define CLI(member) offsetof(struct cli, member)

enum { NONE = no_argument, ONE = required_argument, MAYBE = optional_argument };

static const struct sbatch_option table[] = {
	{ "account", 'A', ONE, set_text, JOB(account), "SBATCH_ACCOUNT" },
	{ "array", 'a', ONE, set_text, JOB(array), "SBATCH_ARRAY_INX" },
	{ "chdir", 'D', ONE, set_text, JOB(work_dir), NULL },
	{ "clusters", 'M', ONE, set_cluster, 0, NULL },
	{ "constraint", 'C', ONE, set_text, JOB(features),
	  "SBATCH_CONSTRAINT" },
	{ "cpus-per-task", 'c', ONE, set_count, JOB(cpus_per_task), NULL },
	{ "dependency", 'd', ONE, set_text, JOB(dependency), NULL },
	{ "exclude", 'x', ONE, set_text, JOB(excluded_nodes), NULL },
	{ "exclusive", 0, MAYBE, set_exclusive, 0, "SBATCH_EXCLUSIVE" },
	{ "gres", 0, ONE, set_text, JOB(gres), "SBATCH_GRES" },
	{ "job-name", 'J', ONE, set_text, JOB(name), "SBATCH_JOB_NAME" },
	{ "mem", 0, ONE, set_memory, JOB(memory_per_node_mb),
	  "SBATCH_MEM_PER_NODE" },
	{ "mem-per-cpu", 0, ONE, set_memory, JOB(memory_per_cpu_mb),
	  "SBATCH_MEM_PER_CPU" },
	{ "nodelist", 'w', ONE, set_text, JOB(required_nodes), NULL },
	{ "nodes", 'N', ONE, set_nodes, 0, NULL },
	{ "ntasks", 'n', ONE, set_count, JOB(tasks), NULL },
	{ "ntasks-per-node", 0, ONE, set_count, JOB(tasks_per_node), NULL },
	{ "partition", 'p', ONE, set_text, JOB(partition), "SBATCH_PARTITION" },
	{ "predict", 0, ONE, set_mode, 0, NULL },
	{ "predict-files", 0, ONE, set_files, 0, NULL },
	{ "predict-param", 0, ONE, set_parameter, 0, NULL },
	{ "qos", 'q', ONE, set_text, JOB(qos), "SBATCH_QOS" },
	{ "reservation", 0, ONE, set_text, JOB(reservation),
	  "SBATCH_RESERVATION" },
	{ "test-only", 0, NONE, set_test_only, 0, NULL },
	{ "time", 't', ONE, set_time, 0, "SBATCH_TIMELIMIT" },
	{ "wrap", 0, ONE, set_wrap, 0, NULL },

	/* spredict's own */
	{ "help", 'h', NONE, set_flag, CLI(help), NULL },
	{ "json", 0, NONE, set_flag, CLI(json), NULL },
	{ "url", 'u', ONE, set_url, 0, NULL },
	{ "verbose", 'v', NONE, set_flag, CLI(verbose), NULL },
	{ "version", 'V', NONE, set_flag, CLI(version), NULL },

	/* passed over */
	{ .name = "acctg-freq", .argument = ONE },
	{ .name = "batch", .argument = ONE },
	{ .name = "bb", .argument = ONE },
	{ .name = "bbf", .argument = ONE },
	{ .name = "begin", .letter = 'b', .argument = ONE },
	{ .name = "cluster-constraint", .argument = ONE },
	{ .name = "comment", .argument = ONE },
	{ .name = "container", .argument = ONE },
	{ .name = "container-id", .argument = ONE },
	{ .name = "contiguous", .argument = NONE },
	{ .name = "core-spec", .letter = 'S', .argument = ONE },
	{ .name = "cores-per-socket", .argument = ONE },
	{ .name = "cpu-freq", .argument = ONE },
	{ .name = "cpus-per-gpu", .argument = ONE },
	{ .name = "deadline", .argument = ONE },
	{ .name = "delay-boot", .argument = ONE },
	{ .name = "distribution", .letter = 'm', .argument = ONE },
	{ .name = "error", .letter = 'e', .argument = ONE },
	{ .name = "export", .argument = ONE },
	{ .name = "export-file", .argument = ONE },
	{ .name = "extra", .argument = ONE },
	{ .name = "extra-node-info", .letter = 'B', .argument = ONE },
	{ .name = "get-user-env", .argument = MAYBE },
	{ .name = "gid", .argument = ONE },
	{ .name = "gpu-bind", .argument = ONE },
	{ .name = "gpu-freq", .argument = ONE },
	{ .name = "gpus", .letter = 'G', .argument = ONE },
	{ .name = "gpus-per-node", .argument = ONE },
	{ .name = "gpus-per-socket", .argument = ONE },
	{ .name = "gpus-per-task", .argument = ONE },
	{ .name = "gres-flags", .argument = ONE },
	{ .name = "hint", .argument = ONE },
	{ .name = "hold", .letter = 'H', .argument = NONE },
	{ .name = "ignore-pbs", .argument = NONE },
	{ .name = "input", .letter = 'i', .argument = ONE },
	{ .name = "kill-on-invalid-dep", .argument = ONE },
	{ .name = "licenses", .letter = 'L', .argument = ONE },
	{ .name = "mail-type", .argument = ONE },
	{ .name = "mail-user", .argument = ONE },
	{ .name = "mcs-label", .argument = ONE },
	{ .name = "mem-bind", .argument = ONE },
	{ .name = "mem-per-gpu", .argument = ONE },
	{ .name = "mincpus", .argument = ONE },
	{ .name = "network", .argument = ONE },
	{ .name = "nice", .argument = MAYBE },
	{ .name = "no-kill", .letter = 'k', .argument = MAYBE },
	{ .name = "no-requeue", .argument = NONE },
	{ .name = "nodefile", .letter = 'F', .argument = ONE },
	{ .name = "ntasks-per-core", .argument = ONE },
	{ .name = "ntasks-per-gpu", .argument = ONE },
	{ .name = "ntasks-per-socket", .argument = ONE },
	{ .name = "oom-kill-step", .argument = MAYBE },
	{ .name = "open-mode", .argument = ONE },
	{ .name = "output", .letter = 'o', .argument = ONE },
	{ .name = "overcommit", .letter = 'O', .argument = NONE },
	{ .name = "oversubscribe", .letter = 's', .argument = NONE },
	{ .name = "parsable", .argument = NONE },
	{ .name = "power", .argument = ONE },
	{ .name = "prefer", .argument = ONE },
	{ .name = "priority", .argument = ONE },
	{ .name = "profile", .argument = ONE },
	{ .name = "propagate", .argument = MAYBE },
	{ .name = "quiet", .letter = 'Q', .argument = NONE },
	{ .name = "reboot", .argument = NONE },
	{ .name = "requeue", .argument = NONE },
	{ .name = "resv-ports", .argument = MAYBE },
	{ .name = "segment", .argument = ONE },
	{ .name = "signal", .argument = ONE },
	{ .name = "sockets-per-node", .argument = ONE },
	{ .name = "spread-job", .argument = NONE },
	{ .name = "stepmgr", .argument = NONE },
	{ .name = "switches", .argument = ONE },
	{ .name = "thread-spec", .argument = ONE },
	{ .name = "threads-per-core", .argument = ONE },
	{ .name = "time-min", .argument = ONE },
	{ .name = "tmp", .argument = ONE },
	{ .name = "tres-bind", .argument = ONE },
	{ .name = "tres-per-task", .argument = ONE },
	{ .name = "uid", .argument = ONE },
	{ .name = "usage", .argument = NONE },
	{ .name = "use-min-nodes", .argument = NONE },
	{ .name = "wait", .letter = 'W', .argument = NONE },
	{ .name = "wait-all-nodes", .argument = ONE },
	{ .name = "wckey", .argument = ONE },
};

#define ROWS (sizeof(table) / sizeof(table[0]))

/* --- The table as getopt_long() wants it ----------------------------------- */

struct getopt_form {
	struct option longs[ROWS + 1];
	char shorts[3 * ROWS + 2]; /* '+', then a letter and at most "::" */
};

/* A row is known by its place, counted from a number that is no letter. */
#define ROW_BASE 256

static void make_form(struct getopt_form *ret)
{
	static const char *const colons[] = {
		[NONE] = "", [ONE] = ":", [MAYBE] = "::"
	};
	size_t used = 0;

	*ret = (struct getopt_form){ .shorts = "" };
	ret->shorts[used++] = '+';
	for (size_t i = 0; i < ROWS; i++) {
		ret->longs[i] = (struct option){ .name = table[i].name,
						 .has_arg = table[i].argument,
						 .val = ROW_BASE + (int)i };
		if (!table[i].letter)
			continue;
		ret->shorts[used++] = table[i].letter;
		for (const char *c = colons[table[i].argument]; *c; c++)
			ret->shorts[used++] = *c;
	}
}

/* NULL: what getopt_long() gave stands for no row. */
static const struct sbatch_option *row_of(int option)
{
	if (option >= ROW_BASE)
		return &table[option - ROW_BASE];
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].letter == option)
			return &table[i];
	return NULL;
}

int sbatch_options(struct cli *cli, int argc, char **argv, struct sbatch *into,
		   int *ret_first, struct sp_error *err)
{
	struct getopt_form form;
	int option;

	make_form(&form);
	optind = 0; /* glibc: begin anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, form.shorts, form.longs,
				     NULL)) != -1) {
		const struct sbatch_option *row =
			option == '?' ? NULL : row_of(option);

		if (!row)
			return sp_error_set(err,
					    "option %s: unknown, or its "
					    "value is missing",
					    argv[optind > 0 ? optind - 1 : 0]);
		if (!row->set)
			cli_note(cli, "--%s makes no difference here",
				 row->name);
		else if (row->set(row, cli, into, optarg, err))
			return -1;
	}
	*ret_first = optind;
	return 0;
}

int sbatch_environment(struct cli *cli, struct sbatch *into,
		       struct sp_error *err)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct sbatch_option *row = &table[i];
		const char *value =
			row->variable ? getenv(row->variable) : NULL;

		if (value && *value && row->set(row, cli, into, value, err))
			return -1;
	}
	return 0;
}
