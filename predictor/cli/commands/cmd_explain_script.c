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

/* json-c takes NULL for null, which is what a line within code is. */
static struct json_object *encode_command(const struct explained_command *c)
{
	struct json_object *object = json_object_new_object();
	const char *kind = explanation_rank_name(c->rank);

	json_object_object_add(object, "line",
			       c->line ? json_object_new_int64((int64_t)c->line)
				       : NULL);
	json_object_object_add(object, "taken_for",
			       json_object_new_string(kind));
	json_object_object_add(object, "used",
			       json_object_new_boolean(c->used));
	json_object_object_add(object, "command",
			       json_object_new_string(c->text));
	return object;
}

static struct json_object *encode_parameters(const struct parameters *set)
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < set->count; i++)
		json_object_object_add(
			object, set->of[i].name,
			json_object_new_double(set->of[i].value));
	return object;
}

static void print_json(const struct explanation *e, struct json_object *reply)
{
	struct json_object *commands = json_object_new_array();

	for (size_t i = 0; i < e->count; i++)
		json_object_array_add(commands,
				      encode_command(&e->commands[i]));
	json_object_object_add(reply, "application",
			       json_object_new_string(e->application.name));
	json_object_object_add(reply, "parameters",
			       encode_parameters(&e->application.parameters));
	json_object_object_add(reply, "traits",
			       json_object_new_string(e->application.traits));
	json_object_object_add(reply, "commands", commands);
	json_object_object_add(reply, "skipped",
			       json_object_new_int64((int64_t)e->skipped));
	json_object_object_add(reply, "unknown",
			       json_object_new_string(e->unknown));
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
