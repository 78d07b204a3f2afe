/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_explain_script.c - spredict explain-script: how a script is understood
 *
 * The script is read here, as predictd reads it; nothing is sent.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/cli/sbatch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/features/script/identify.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell_unknown.h"

#define COMMAND_SIZE 256
#define UNKNOWN_SIZE 1024

static const struct table_column columns[] = {
	{ .header = "LINE", .right = true },
	{ .header = "TAKEN FOR" },
	{ .header = "USED" },
	{ .header = "COMMAND" },
	{ .header = NULL },
};

struct explanation {
	struct table *table;
	enum command_rank rank;     /* of the application */
	char unknown[UNKNOWN_SIZE]; /* words, with a blank before each */
};

static const char *const rank_names[] = {
	[COMMAND_NONE] = "shell",
	[COMMAND_TRIVIAL] = "takes no time",
	[COMMAND_TOOL] = "tool",
	[COMMAND_STAGE] = "preparation or server",
	[COMMAND_UNKNOWN] = "unknown program",
	[COMMAND_PROGRAM] = "program",
	[COMMAND_LAUNCHED] = "launched program",
};

static void append_word(char *text, size_t size, const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static void add_step(void *context, const struct script_step *step)
{
	struct explanation *to = context;
	const struct shell_command *command = step->command;
	bool used = step->chosen && step->rank == to->rank;
	char text[COMMAND_SIZE] = "";

	if (step->rank == COMMAND_NONE)
		return;
	for (int i = 0; i < command->count; i++) {
		append_word(text, sizeof(text), command->words[i]);
		if (used && (command->unsure[i] ||
			     shell_has_unknown(command->words[i])))
			append_word(to->unknown, sizeof(to->unknown),
				    command->words[i]);
	}
	if (step->line)
		table_cell(to->table, "%zu", step->line);
	else
		table_cell(to->table, "inside");
	table_cell(to->table, "%s", rank_names[step->rank]);
	table_cell(to->table, "%s", used ? "yes" : "");
	table_cell(to->table, "%s", text);
}

static void print_application(const struct submission *job,
			      const struct explanation *found)
{
	struct application application;

	application_identify(job, &application);
	printf("application: %s\nparameters: ", application.name);
	for (int i = 0; i < application.parameters.count; i++)
		printf(" %s=%.12g", application.parameters.of[i].name,
		       application.parameters.of[i].value);
	printf("%s\n", application.parameters.count ? "" : " none");
	if (*found->unknown)
		printf("not known before the job runs:  %s\n", found->unknown);
}

static int explain(const struct sbatch *sbatch, struct sp_error *err)
{
	struct explanation found = { .table = table_create(columns) };
	struct script_result result;
	const struct submission *job = &sbatch->job;
	size_t size =
		job->script ? strnlen(job->script, SUBMISSION_SCRIPT_MAX) : 0;

	if (size) {
		script_read(job, size, &result, NULL);
		found.rank = result.rank;
		script_observe(job, size, add_step, &found, &result);
	}

	int rc = table_print(found.table, stdout, err);

	table_destroy(found.table);
	if (!rc)
		print_application(job, &found);
	return rc;
}

static int run_explain_script(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch;
	struct sp_error err;
	int status = CLI_OK;

	if (sbatch_read(cli, argc, argv, NULL, 0, &sbatch, &err))
		status = cli_usage(cli, &err);
	else if (!cli_only_about(cli) && explain(&sbatch, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}

const struct subcommand subcommand_explain_script = {
	.name = "explain-script",
	.function = run_explain_script,
	.options_usage = "[SBATCH OPTION...]",
	.operands = "SCRIPT [ARGUMENT...]",
	.help = "show how a job script is understood, line by line",
};
