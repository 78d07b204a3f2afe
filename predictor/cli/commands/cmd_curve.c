/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_curve.c - spredict curve: run time of a job over the number of nodes
 *
 * The options are those of spredict predict, whose help lists them, and --svg,
 * which is taken out first: sbatch has none.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/small_file.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/cli/commands/curve_plot.h"

static const char columns[] =
	">NODES, >EXPECTED, >90%_UNDER, >EFFICIENCY, >NODE_TIME, NOTE";

/* A small integer of a reply; 0: there is none. */
static int count_of(struct json_object *object, const char *name)
{
	double number = reply_number(object, name);

	return number >= 1 && number <= 1e9 ? (int)number : 0;
}

static const char *note_of(double nodes, double fastest, double best)
{
	if (nodes == best)
		return nodes == fastest ? "best, fastest" : "best";
	return nodes == fastest ? "fastest" : "";
}

static int print_points(struct json_object *curve, struct sp_error *err)
{
	struct table *table = table_create_heads(columns);
	struct json_object *points = reply_array(curve, "points");
	double fastest = reply_number(curve, "fastest");
	double best = reply_number(curve, "best");

	for (size_t i = 0; points && i < json_object_array_length(points);
	     i++) {
		struct json_object *point =
			json_object_array_get_idx(points, i);
		double nodes = reply_number(point, "nodes");

		table_number(table, "%.0f", nodes);
		table_span(table, reply_number(point, "median_s"));
		table_span(table, reply_number(point, "p90_s"));
		table_number(table, "%.0f %%",
			     100 * reply_number(point, "efficiency"));
		table_span(table, 3600 * reply_number(point, "node_hours"));
		table_cell(table, "%s", note_of(nodes, fastest, best));
	}
	return table_finish(table, err);
}

static int print_curve(struct json_object *curve, struct sp_error *err)
{
	printf("%s: %.0f runs on %.0f to %.0f nodes%s\n",
	       reply_text(curve, "application"), reply_number(curve, "runs"),
	       reply_number(curve, "nodes_min"),
	       reply_number(curve, "nodes_max"),
	       reply_flag(curve, "from_farm") ? "; a farm, simulated" : "");
	if (count_of(curve, "saturated_beyond"))
		printf("The master is saturated beyond %d nodes.\n",
		       count_of(curve, "saturated_beyond"));
	return print_points(curve, err);
}

/* --- The plot ------------------------------------------------------------ */

/* Fails if there is no point, or more of them than a curve has. */
static int curve_decode(struct json_object *object, struct curve *ret,
			struct sp_error *err)
{
	struct json_object *points = reply_array(object, "points");
	size_t count = points ? json_object_array_length(points) : 0;

	if (count < 1 || count > CURVE_POINTS_MAX)
		return sp_error_set(err, "predictd's curve has %zu points",
				    count);
	*ret = (struct curve){ .count = (int)count };
	for (int i = 0; i < ret->count; i++) {
		struct json_object *point =
			json_object_array_get_idx(points, (size_t)i);

		ret->points[i] = (struct curve_point){
			.n = count_of(point, "nodes"),
			.median_s = reply_number(point, "median_s"),
			.p90_s = reply_number(point, "p90_s"),
			.efficiency = reply_number(point, "efficiency"),
		};
		if (ret->points[i].n == count_of(object, "fastest"))
			ret->fastest = i;
		if (ret->points[i].n == count_of(object, "best"))
			ret->worth = i;
	}
	return 0;
}

static int write_plot(struct json_object *object, const char *path,
		      struct sp_error *err)
{
	struct curve curve;

	if (curve_decode(object, &curve, err))
		return -1;

	const struct curve_plot plot = {
		.title = reply_text(object, "application"),
		.runs = count_of(object, "runs"),
		.n_min = count_of(object, "nodes_min"),
		.n_max = count_of(object, "nodes_max"),
		.curve = &curve,
	};
	FILE *file = fopen(path, "we");
	int rc = file ? curve_plot_write(file, &plot, err) : 0;

	return small_file_finish(file, path, rc, err);
}

/* --- The subcommand ------------------------------------------------------ */

static int show_curve(struct cli *cli, const struct sbatch *sbatch,
		      const char *plot, struct sp_error *err)
{
	struct json_object *reply;

	if (sbatch_send(cli, sbatch, "/v1/curve", &reply, err))
		return -1;

	struct json_object *curve = json_object_object_get(reply, "curve");
	int rc = curve ? 0 : sp_error_set(err, "predictd sent no curve");

	if (!rc && plot)
		rc = write_plot(curve, plot, err);
	if (!rc && cli->json)
		reply_print(reply);
	else if (!rc)
		rc = print_curve(curve, err);
	json_object_put(reply);
	return rc;
}

/* Take --svg=FILE and --svg FILE out of the arguments, wherever they are before
 * "--". */
static int take_plot(int *argc, char **argv, const char **ret,
		     struct sp_error *err)
{
	static const char name[] = "--svg";
	const size_t length = sizeof(name) - 1;
	int kept = 1, i = 1;

	*ret = NULL;
	for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], name, length) != 0 ||
		    (argv[i][length] && argv[i][length] != '=')) {
			argv[kept++] = argv[i];
			continue;
		}
		if (argv[i][length])
			*ret = argv[i] + length + 1;
		else
			*ret = i + 1 < *argc ? argv[++i] : "";
		if (!**ret)
			return sp_error_set(
				err, "option --svg: its value is missing");
	}
	while (i < *argc)
		argv[kept++] = argv[i++];
	argv[kept] = NULL;
	*argc = kept;
	return 0;
}

static int run_curve(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch = { .mode = MODE_ADVISE };
	const char *plot;
	struct sp_error err;
	int status = CLI_OK;

	if (take_plot(&argc, argv, &plot, &err) ||
	    sbatch_read(cli, argc, argv, NULL, 0, &sbatch, &err))
		status = cli_usage(cli, &err);
	else if (!cli_only_about(cli) && show_curve(cli, &sbatch, plot, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}

/* For the help; take_plot() parses it. */
static const struct cli_option options[] = {
	{ "svg", .argument = "FILE",
	  .help = "plot the run time and the efficiency" },
	{ .name = NULL },
};

const struct subcommand subcommand_curve = {
	.name = "curve",
	.function = run_curve,
	.options = options,
	.options_usage = "[--svg=FILE] [SBATCH OPTION...]",
	.operands = "SCRIPT [ARGUMENT...]",
	.help = "show the run time of a job over the number of nodes",
};
