/* route_metrics.c - figures for monitoring, as OpenMetrics text
 *
 * Counts only, nothing that names a user or a job, so that anybody may read
 * them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"

#define OPENMETRICS_TYPE \
	"application/openmetrics-text; version=1.0.0; charset=utf-8"

#define ACCURACIES_MAX 64 /* there are far fewer models */

static void family(FILE *out, const char *name, const char *type,
		   const char *help)
{
	fprintf(out, "# TYPE predict_%s %s\n# HELP predict_%s %s\n", name, type,
		name, help);
}

static void gauge(FILE *out, const char *name, const char *help, double value)
{
	family(out, name, "gauge", help);
	fprintf(out, "predict_%s %.17g\n", name, value);
}

static void counter(FILE *out, const char *name, const char *help,
		    uint64_t value)
{
	family(out, name, "counter", help);
	fprintf(out, "predict_%s_total %" PRIu64 "\n", name, value);
}

static void write_engine(FILE *out, struct engine *engine)
{
	struct engine_counts counts;

	engine_count(engine, &counts);
	counter(out, "predictions", "Predictions answered.",
		counts.predictions);
	counter(out, "predictions_with_history",
		"Predictions that rest on finished runs.", counts.with_history);
	gauge(out, "runs", "Finished runs in memory.", (double)counts.runs);
	gauge(out, "jobs_running", "Jobs under way.", (double)counts.running);
	gauge(out, "nodes", "Nodes that were ever measured.",
	      (double)counts.nodes);
	gauge(out, "links", "Links that were ever measured.",
	      (double)counts.links);
	counter(out, "measurements", "Measurements of nodes taken in.",
		counts.measurements);
	counter(out, "link_measurements", "Measurements of links taken in.",
		counts.link_measurements);
}

static void write_resources(FILE *out, struct engine *engine)
{
	struct engine_resources counts;
	struct sp_error err;

	if (engine_count_resources(engine, clock_now_s(), &counts, &err))
		return;
	gauge(out, "nodes_fresh", "Nodes whose measurements are used.",
	      (double)counts.nodes_fresh);
	gauge(out, "nodes_slow",
	      "Nodes slower than they were, or than their peers.",
	      (double)counts.nodes_slow);
	gauge(out, "links_fresh", "Links whose measurements are used.",
	      (double)counts.links_fresh);
}

static void write_store(FILE *out, const struct http_config *config)
{
	struct store_status status;

	config->store_ops->status(config->store, &status);
	gauge(out, "ready", "1 once the history has been read.",
	      atomic_load(config->ready));
	gauge(out, "store_up", "1 while the history store is connected.",
	      status.up);
	gauge(out, "store_waiting",
	      "Predictions and measurements not stored yet.",
	      (double)status.waiting);
	counter(out, "store_runs", "Runs stored.", status.runs_stored);
	counter(out, "store_dropped", "Predictions and measurements given up.",
		status.dropped);
}

struct accuracies {
	size_t count;
	struct engine_accuracy of[ACCURACIES_MAX];
};

static void keep_accuracy(void *context, const struct engine_accuracy *a)
{
	struct accuracies *all = context;

	if (all->count < ACCURACIES_MAX)
		all->of[all->count++] = *a;
}

static void write_accuracy(FILE *out, struct engine *engine)
{
	struct accuracies all = { 0 };

	engine_visit_accuracy(engine, UINT32_MAX, keep_accuracy, &all);
	family(out, "error_ratio", "gauge",
	       "Sum of absolute errors over sum of run times, by model.");
	for (size_t i = 0; i < all.count; i++)
		if (isfinite(all.of[i].error))
			fprintf(out, "predict_error_ratio{model=\"%s\"} %.6g\n",
				all.of[i].model, all.of[i].error);
	family(out, "scored_runs", "gauge",
	       "Runs that the error of a model was taken of.");
	for (size_t i = 0; i < all.count; i++)
		fprintf(out, "predict_scored_runs{model=\"%s\"} %" PRIu32 "\n",
			all.of[i].model, all.of[i].runs);
}

static void write_requests(FILE *out, struct http *http)
{
	const struct route *table = http->config.routes;

	family(out, "http_requests", "counter", "Requests answered.");
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

	family(out, "http_busy_seconds", "counter",
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
	family(out, "build", "info", "The program.");
	fprintf(out, "predict_build_info{version=\"" SP_VERSION "\"} 1\n");
	write_engine(out, r->http->config.engine);
	write_resources(out, r->http->config.engine);
	write_store(out, &r->http->config);
	write_accuracy(out, r->http->config.engine);
	write_requests(out, r->http);
	fputs("# EOF\n", out);

	/* Neither half a document nor a buffer that may not be there. */
	bool failed = ferror(out);

	if (fclose(out) || failed) {
		free(r->text);
		r->text = NULL;
		return request_out_of_memory(r);
	}
	r->text_type = OPENMETRICS_TYPE;
	return 200;
}
