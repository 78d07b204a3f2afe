/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_metrics.c - metrics for monitoring, in OpenMetrics format
 *
 * Anybody may read them: nothing in them names a user or a job.
 */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/engine/resources.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

#define OPENMETRICS_TYPE \
	"application/openmetrics-text; version=1.0.0; charset=utf-8"

#define ACCURACIES_MAX 64 /* there are far fewer models */

static void print_family(FILE *out, const char *name, const char *type,
			 const char *help)
{
	fprintf(out, "# TYPE predict_%s %s\n# HELP predict_%s %s\n", name, type,
		name, help);
}

static void print_gauge(FILE *out, const char *name, const char *help,
			double value)
{
	print_family(out, name, "gauge", help);
	fprintf(out, "predict_%s %.17g\n", name, value);
}

static void print_counter(FILE *out, const char *name, const char *help,
			  uint64_t value)
{
	print_family(out, name, "counter", help);
	fprintf(out, "predict_%s_total %" PRIu64 "\n", name, value);
}

static void write_starts(FILE *out, struct engine *engine)
{
	uint64_t judged, within;

	engine_starts_judged(engine, &judged, &within);
	print_counter(out, "starts",
		      "Jobs that have started after their start was predicted.",
		      judged);
	print_counter(out, "starts_within",
		      "Those within the predicted interval, 80 % at best.",
		      within);
}

static void write_engine(FILE *out, struct engine *engine)
{
	struct engine_counts counts;

	engine_count(engine, &counts);
	print_counter(out, "predictions", "Predictions made.",
		      counts.predictions);
	print_counter(out, "predictions_with_history",
		      "Predictions that rest on finished runs.",
		      counts.with_history);
	print_counter(out, "missed",
		      "Jobs that were submitted without a reply in time.",
		      counts.missed);
	write_starts(out, engine);
	print_gauge(out, "runs", "Finished runs in memory.",
		    (double)counts.runs);
	print_gauge(out, "jobs_running", "Running jobs.",
		    (double)counts.running);
	print_gauge(out, "nodes", "Nodes with measurements.",
		    (double)counts.nodes);
	print_gauge(out, "links", "Links with measurements.",
		    (double)counts.links);
	print_counter(out, "measurements", "Measurements of nodes received.",
		      counts.measurements);
	print_counter(out, "link_measurements",
		      "Measurements of links received.",
		      counts.link_measurements);
}

static void write_resources(FILE *out, struct engine *engine)
{
	struct engine_resources counts;
	struct sp_error err;

	if (engine_count_resources(engine, clock_now_s(), &counts, &err))
		return;
	print_gauge(out, "nodes_fresh", "Nodes with recent measurements.",
		    (double)counts.nodes_fresh);
	print_gauge(out, "nodes_slow",
		    "Nodes slower than they were, or than their peers.",
		    (double)counts.nodes_slow);
	print_gauge(out, "nodes_spool_full",
		    "Nodes whose disk has no room for reports of jobs.",
		    (double)counts.nodes_spool_full);
	print_gauge(out, "spool_failed",
		    "Files that collectors could not write to their spools.",
		    counts.spool_failed);
	print_gauge(out, "links_fresh", "Links with recent measurements.",
		    (double)counts.links_fresh);
}

static void write_store(FILE *out, const struct http_config *config)
{
	struct store_status status;

	config->store_ops->status(config->store, &status);
	print_gauge(out, "ready", "1 once the history is loaded.",
		    atomic_load(config->ready));
	print_gauge(out, "store_up", "1 while the history store is connected.",
		    status.up);
	print_gauge(out, "store_waiting",
		    "Predictions and measurements not stored yet.",
		    (double)status.waiting);
	print_counter(out, "store_runs", "Runs stored.", status.runs_stored);
	print_counter(out, "store_dropped",
		      "Predictions and measurements dropped.", status.dropped);
}

struct accuracy_list {
	size_t count;
	struct engine_accuracy rows[ACCURACIES_MAX];
};

static void accuracy_list_add(void *context, const struct engine_accuracy *a)
{
	struct accuracy_list *all = context;

	if (all->count < ACCURACIES_MAX)
		all->rows[all->count++] = *a;
}

static void write_accuracy(FILE *out, struct engine *engine)
{
	struct accuracy_list all = { 0 };

	engine_visit_accuracy(engine, UINT32_MAX, accuracy_list_add, &all);
	print_family(out, "error_ratio", "gauge",
		     "Sum of absolute errors over sum of run times, by model.");
	for (size_t i = 0; i < all.count; i++)
		if (isfinite(all.rows[i].error))
			fprintf(out, "predict_error_ratio{model=\"%s\"} %.6g\n",
				all.rows[i].model, all.rows[i].error);
	print_family(out, "scored_runs", "gauge",
		     "Runs that the error of a model is computed from.");
	for (size_t i = 0; i < all.count; i++)
		fprintf(out, "predict_scored_runs{model=\"%s\"} %" PRIu32 "\n",
			all.rows[i].model, all.rows[i].runs);
}

static void write_requests(FILE *out, struct http *http)
{
	const struct route *table = http->config.routes;

	print_family(out, "http_requests", "counter", "Requests handled.");
	for (const struct route *row = table; row->method; row++) {
		struct http_counts *c = &http->counts[row - table];
		const struct {
			const char *code;
			atomic_uint_fast64_t *count;
		} codes[] = {
			{ "2xx", &c->good },
			{ "4xx", &c->refused },
			{ "5xx", &c->failed },
		};

		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			fprintf(out,
				"predict_http_requests_total{method=\"%s\","
				"route=\"%s\",code=\"%s\"} %" PRIuFAST64 "\n",
				row->method, row->pattern, codes[i].code,
				atomic_load(codes[i].count));
	}
	fprintf(out,
		"predict_http_requests_total{method=\"\",route=\"\","
		"code=\"4xx\"} %" PRIuFAST64 "\n",
		atomic_load(&http->counts[ROUTES_MAX - 1].refused));

	print_family(out, "http_refused", "counter",
		     "Requests refused and connections closed, by reason.");
	for (int i = BUDGET_GRANTED + 1; i < BUDGET_VERDICTS; i++)
		fprintf(out,
			"predict_http_refused_total{reason=\"%s\"} %" PRIu64
			"\n",
			budget_reasons[i].name,
			i == BUDGET_ADDRESS
				? budget_count(http->addresses, BUDGET_REQUESTS)
				: budget_count(http->budget,
					       (enum budget_verdict)i));
	fprintf(out,
		"predict_http_refused_total{reason=\"deadline\"} %" PRIuFAST64
		"\n"
		"predict_http_refused_total{reason=\"connections\"} "
		"%" PRIuFAST64 "\n",
		atomic_load(&http->late), atomic_load(&http->crowded));

	print_family(out, "http_busy_seconds", "counter",
		     "Time from the first line of requests to their replies.");
	for (const struct route *row = table; row->method; row++)
		fprintf(out,
			"predict_http_busy_seconds_total{method=\"%s\","
			"route=\"%s\"} %.6f\n",
			row->method, row->pattern,
			(double)atomic_load(
				&http->counts[row - table].busy_us) /
				1e6);
}

int metrics_show(struct request *r)
{
	FILE *out = open_memstream(&r->text, &r->text_size);

	if (!out)
		return request_out_of_memory(r);
	print_family(out, "build", "info", "Version of predictd.");
	fprintf(out, "predict_build_info{version=\"" SP_VERSION "\"} 1\n");
	write_engine(out, r->http->config.engine);
	write_resources(out, r->http->config.engine);
	write_store(out, &r->http->config);
	write_accuracy(out, r->http->config.engine);
	write_requests(out, r->http);
	fputs("# EOF\n", out);

	/* Half a document must not be sent. */
	bool failed = ferror(out);

	if (fclose(out) || failed) {
		free(r->text);
		r->text = NULL;
		return request_out_of_memory(r);
	}
	r->text_type = OPENMETRICS_TYPE;
	return 200;
}
