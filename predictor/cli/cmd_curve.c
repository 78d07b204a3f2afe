/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_curve.c - spredict curve: run time of a job over the number of nodes
 *
 * The options are those of spredict predict, whose help lists them.
 */
#include <stdio.h>

#include "predictor/cli/fetch.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"

static const struct table_column columns[] = {
	{ .header = "NODES", .right = true },
	{ .header = "EXPECTED", .right = true },
	{ .header = "90%_UNDER", .right = true },
	{ .header = "EFFICIENCY", .right = true },
	{ .header = "NODE_HOURS", .right = true },
	{ .header = "NOTE" },
	{ .header = NULL },
};

static const char *note_of(double nodes, double fastest, double best)
{
	if (nodes == best)
		return nodes == fastest ? "best, fastest" : "best";
	return nodes == fastest ? "fastest" : "";
}

static int print_points(struct json_object *curve, struct sp_error *err)
{
	struct table *table = table_create(columns);
	struct json_object *points = reply_array(curve, "points");
	double fastest = reply_number(curve, "fastest");
	double best = reply_number(curve, "best");
	char span[SHOW_TEXT_SIZE];

	for (size_t i = 0; points && i < json_object_array_length(points);
	     i++) {
		struct json_object *point =
			json_object_array_get_idx(points, i);
		double nodes = reply_number(point, "nodes");

		table_number(table, "%.0f", nodes);
		table_cell(table, "%s",
			   show_span(reply_number(point, "median_s"), span));
		table_cell(table, "%s",
			   show_span(reply_number(point, "p90_s"), span));
		table_number(table, "%.0f %%",
			     100 * reply_number(point, "efficiency"));
		table_number(table, "%.4g", reply_number(point, "node_hours"));
		table_cell(table, "%s", note_of(nodes, fastest, best));
	}

	int rc = table_print(table, stdout, err);

	table_destroy(table);
	return rc;
}

static int print_curve(struct json_object *reply, struct sp_error *err)
{
	struct json_object *curve = NULL;

	if (!json_object_object_get_ex(reply, "curve", &curve))
		return sp_error_set(err, "predictd's reply has no curve");
	printf("%s: %.0f runs on %.0f to %.0f nodes\n",
	       reply_text(curve, "application"), reply_number(curve, "runs"),
	       reply_number(curve, "nodes_min"),
	       reply_number(curve, "nodes_max"));
	return print_points(curve, err);
}

static int show_curve(struct cli *cli, const struct sbatch *sbatch,
		      struct sp_error *err)
{
	struct wire_request request = {
		.job = sbatch->job,
		.mode = sbatch->mode,
		.quantile = cli_site(cli)->quantile,
		.dry_run = true,
	};
	struct json_object *body = wire_request_encode(&request);
	struct json_object *reply;

	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = fetch(cli, "/v1/curve", body, &reply, NULL, err);

	json_object_put(body);
	if (rc)
		return -1;
	if (cli->json)
		reply_print(reply);
	else
		rc = print_curve(reply, err);
	json_object_put(reply);
	return rc;
}

static int run_curve(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch;
	struct sp_error err;
	int status = CLI_OK;

	if (sbatch_read(cli, argc, argv, NULL, 0, &sbatch, &err))
		status = cli_usage(cli, &err);
	else if (!cli_only_about(cli) && show_curve(cli, &sbatch, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}

const struct subcommand subcommand_curve = {
	.name = "curve",
	.function = run_curve,
	.options_usage = "[SBATCH OPTION...]",
	.operands = "SCRIPT [ARGUMENT...]",
	.help = "show the run time of a job over the number of nodes",
};
