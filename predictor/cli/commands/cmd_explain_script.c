/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_explain_script.c - spredict explain-script: how a script is understood
 *
 * The script is read here, as predictd reads it; nothing is sent.  With --json
 * the output is the reply of POST /v1/explanations.
 */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/cli/fetch.h"
#include "predictor/cli/fold.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/features/script/explanation.h"

static const char columns[] = ">LINE, TAKEN FOR, USED, ~COMMAND";

static int print_commands(const struct explanation *e, struct sp_error *err)
{
	struct table *table = table_create_heads(columns);

	table_fit(table, fold_width());

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
	return table_finish(table, err);
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
	if (*e->application.traits) {
		int column = printf("traits: ");

		fold_print(stdout, e->application.traits, (size_t)column,
			   fold_width());
	}
	if (*e->unknown)
		printf("not known before the job runs:  %s\n", e->unknown);
	return 0;
}

/* --- As JSON -------------------------------------------------------------- */

static void print_json(const struct explanation *e, struct json_object *reply)
{
	const struct parameters *set = &e->application.parameters;
	struct json_object *parameters, *commands;

	reply_add_text(reply, "application", e->application.name);
	parameters = reply_add_object(reply, "parameters");
	for (int i = 0; i < set->count; i++)
		reply_add_number(parameters, set->of[i].name, set->of[i].value);
	reply_add_text(reply, "traits", e->application.traits);
	commands = reply_add_array(reply, "commands");
	for (size_t i = 0; i < e->count; i++) {
		const struct explained_command *c = &e->commands[i];
		struct json_object *row = reply_add_row(commands);

		/* A command within code has no line. */
		if (c->line)
			reply_add_count(row, "line", c->line);
		else
			json_object_object_add(row, "line", NULL);
		reply_add_text(row, "taken_for",
			       explanation_rank_name(c->rank));
		reply_add_flag(row, "used", c->used);
		reply_add_text(row, "command", c->text);
	}
	reply_add_count(reply, "skipped", e->skipped);
	reply_add_text(reply, "unknown", e->unknown);
	reply_print(reply);
}

static int show_explanation(const struct cli *cli, const struct explanation *e,
			    struct sp_error *err)
{
	struct json_object *reply;

	if (!cli->json)
		return print_tables(e, err);
	reply = wire_reply_create();
	if (!reply)
		return sp_error_set(err, "out of memory");
	print_json(e, reply);
	json_object_put(reply);
	return 0;
}

/* --- The subcommand ------------------------------------------------------- */

static int explain(const struct cli *cli, const struct sbatch *sbatch,
		   struct sp_error *err)
{
	struct explanation *e = malloc(sizeof(*e));

	if (!e)
		return sp_error_set(err, "out of memory");
	explanation_make(&sbatch->job, e);

	int rc = show_explanation(cli, e, err);

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
	else if (!cli_only_about(cli) && explain(cli, &sbatch, &err))
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
