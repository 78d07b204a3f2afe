/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_explain_script.c - spredict explain-script: how a script is understood
 *
 * The script is read here, as predictd reads it; nothing is sent.
 */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/cli/sbatch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/features/script/explanation.h"

static const struct table_column columns[] = {
	{ .header = "LINE", .right = true },
	{ .header = "TAKEN FOR" },
	{ .header = "USED" },
	{ .header = "COMMAND" },
	{ .header = NULL },
};

static int print_commands(const struct explanation *e, struct sp_error *err)
{
	struct table *table = table_create(columns);

	for (size_t i = 0; i < e->count; i++) {
		const struct explained_command *c = &e->commands[i];

		if (c->line)
			table_cell(table, "%zu", c->line);
		else
			table_cell(table, "inside");
		table_cell(table, "%s", explanation_rank_name(c->rank));
		table_cell(table, "%s", c->used ? "yes" : "");
		table_cell(table, "%s", c->text);
	}

	int rc = table_print(table, stdout, err);

	table_destroy(table);
	return rc;
}

static int print_tables(const struct explanation *e, struct sp_error *err)
{
	const struct parameters *set = &e->application.parameters;

	if (print_commands(e, err))
		return -1;
	if (e->skipped)
		printf("and %zu more commands\n", e->skipped);
	printf("application: %s\nparameters: ", e->application.name);
	for (int i = 0; i < set->count; i++)
		printf(" %s=%.12g", set->of[i].name, set->of[i].value);
	printf("%s\n", set->count ? "" : " none");
	if (*e->application.traits)
		printf("traits: %s\n", e->application.traits);
	if (*e->unknown)
		printf("not known before the job runs:  %s\n", e->unknown);
	return 0;
}

static int explain(const struct sbatch *sbatch, struct sp_error *err)
{
	struct explanation *e = malloc(sizeof(*e));

	if (!e)
		return sp_error_set(err, "out of memory");
	explanation_make(&sbatch->job, e);

	int rc = print_tables(e, err);

	free(e);
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
