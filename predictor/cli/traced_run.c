/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_run.c - the trace of a job, from predictd or a file, and
 * conditions now */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/duration.h"
#include "predictor/base/small_file.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/timestamp.h"
#include "predictor/cli/traced_run.h"
#include "predictor/cli/url_path.h"
#include "predictor/wire/trace/json_trace.h"

#define FILE_BYTES_MAX  (1UL << 30)
#define REPLY_BYTES_MAX (32 << 20) /* two traces of 8 MiB, as base64 */

/* --- The command line ----------------------------------------------------- */

int traced_run_check(struct cli *cli, void *options, struct sp_error *err)
{
	struct traced_source *s = options;

	s->job = cli->operand;
	if (!s->job && !s->trace && !s->application)
		return sp_error_set(err,
				    "%s takes the id of a job with a trace",
				    cli->subcommand->name);
	if (s->application && (s->job || s->trace))
		return sp_error_set(err,
				    "--application goes with no job and no "
				    "--trace");
	if (s->ranks && !s->application)
		return sp_error_set(err, "--ranks goes with --application");
	return 0;
}

/* --- The trace ------------------------------------------------------------ */

static int read_file(const char *path, struct json_object **ret,
		     struct sp_error *err)
{
	struct sp_error why;
	size_t size;
	char *text = small_file_text(path, FILE_BYTES_MAX + 1, &size, err);

	if (!text)
		return -1;
	if (size > FILE_BYTES_MAX)
		sp_error_set(&why, "too large");
	*ret = size > FILE_BYTES_MAX ? NULL : wire_parse(text, size, &why);
	free(text);
	return *ret ? 0 : sp_error_set(err, "%s: %s", path, why.text);
}

static int fetch_traces(struct cli *cli, const struct traced_source *source,
			struct json_object **ret, struct sp_error *err)
{
	char path[URL_PATH_SIZE] = "/v1/traces";
	const char *cluster = cli_cluster(cli);

	if (url_path_add(path, "job_id", source->job, err) ||
	    url_path_add(path, "application", source->application, err) ||
	    url_path_add(path, "ranks", source->ranks, err) ||
	    url_path_add(path, "cluster", *cluster ? cluster : NULL, err))
		return -1;
	return fetch_large(cli, path, REPLY_BYTES_MAX, ret, err);
}

static int read_reply(struct cli *cli, const struct traced_source *source,
		      struct json_object **ret, struct sp_error *err)
{
	return source->trace ? read_file(source->trace, ret, err)
			     : fetch_traces(cli, source, ret, err);
}

/* Return the i-th element of an array, or NULL if it has fewer. */
static struct json_object *reply_row(struct json_object *reply,
				     const char *array, size_t i)
{
	struct json_object *rows = reply_array(reply, array);

	return rows ? json_object_array_get_idx(rows, i) : NULL;
}

static struct json_object *trace_of(struct json_object *reply, size_t i)
{
	if (reply_array(reply, "traces"))
		return reply_row(reply, "traces", i);
	return i ? NULL : reply;
}

static int no_trace(const struct traced_source *source, struct sp_error *err)
{
	if (source->trace)
		return sp_error_set(err, "no trace in %s", source->trace);
	return sp_error_set(err, "no trace of %s %s: see spredict(1)",
			    source->job ? "job" : "application",
			    source->job ? source->job : source->application);
}

int traced_run_read(struct cli *cli, const struct traced_source *source,
		    struct run_trace *ret, struct sp_error *err)
{
	struct json_object *reply;

	if (read_reply(cli, source, &reply, err))
		return -1;

	struct json_object *traces = reply_array(reply, "traces");
	int rc;

	if (!trace_of(reply, 0))
		rc = no_trace(source, err);
	else if (traces)
		rc = wire_trace_choose(traces, ret, err);
	else
		rc = wire_trace_decode(reply, ret, err);

	json_object_put(reply);
	return rc;
}

int traced_runs_each(struct cli *cli, const struct traced_source *source,
		     int (*each)(const struct run_trace *run, void *argument,
				 struct sp_error *err),
		     void *argument, struct sp_error *err)
{
	struct json_object *reply;

	if (read_reply(cli, source, &reply, err))
		return -1;

	int rc = trace_of(reply, 0) ? 0 : no_trace(source, err);

	for (size_t i = 0; !rc && trace_of(reply, i); i++) {
		struct run_trace run;

		rc = wire_trace_decode(trace_of(reply, i), &run, err);
		if (!rc) {
			rc = each(&run, argument, err);
			run_trace_clear(&run);
		}
	}
	json_object_put(reply);
	return rc;
}

/* Which of the job's programs, and how much of its time that was. */
static void show_program(struct table *facts, const struct run_trace *run)
{
	const char *name = *run->program ? run->program : "not named";

	if (!*run->program && run->programs < 2)
		return;
	if (run->programs < 2)
		table_fact(facts, "program", "%s", name);
	else
		table_fact(facts, "program",
			   "%s, begun %s: one of %d in the job's %s%s", name,
			   TIMESTAMP(run->begun_at), run->programs,
			   DURATION_BRIEF(run->job_s),
			   run->programs == 2 ? ", the longest" : "");
}

void traced_run_show(struct table *facts, const struct run_trace *run)
{
	if (run->job_id)
		table_fact(facts, "job", "%u%s%s", run->job_id,
			   *run->user ? " of " : "", run->user);
	show_program(facts, run);
	if (run->whole && run->seen >= 1)
		return;
	if (run->seen < 1)
		table_fact(facts, "trace", "sampled: %.2g %% of the work%s",
			   100 * run->seen,
			   run->whole ? "" : ", without its end");
	else
		table_fact(facts, "trace",
			   "without its end: up to where all ranks got");
}

/* --- Conditions now ------------------------------------------------------- */

static int fetch_list(struct cli *cli, const char *array,
		      struct json_object **ret, struct sp_error *err)
{
	char path[URL_PATH_SIZE];
	const char *cluster = cli_cluster(cli);
	const struct reply_list list = { .path = path, .array = array };

	snprintf(path, sizeof(path), "/v1/%s", array);
	if (url_path_add(path, "cluster", *cluster ? cluster : NULL, err))
		return -1;
	return reply_list_read(&list, cli, ret, err);
}

int traced_place_now(void *context, const char *cluster UNUSED,
		     struct traced_place *place, struct sp_error *err)
{
	struct json_object *nodes = NULL, *links = NULL, *row;

	if (fetch_list(context, "nodes", &nodes, err))
		return -1;
	for (size_t i = 0; (row = reply_row(nodes, "nodes", i)); i++)
		whatif_set_node(place, reply_text(row, "node"),
				reply_number(row, "cpu_available"),
				reply_number(row, "cpu_speed"),
				reply_number(row, "cpu_turn_s"));
	json_object_put(nodes);
	if (whatif_check_nodes(place, "--as-recorded", err) ||
	    fetch_list(context, "links", &links, err))
		return -1;
	for (size_t i = 0; (row = reply_row(links, "links", i)); i++)
		whatif_set_link(place, reply_text(row, "from"),
				reply_text(row, "to"),
				reply_number(row, "latency_s"),
				reply_number(row, "bandwidth_bps"));
	json_object_put(links);
	return 0;
}
