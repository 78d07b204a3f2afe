/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_metrics.c - metrics for monitoring, for Prometheus or as OpenMetrics
 *
 * Anybody may read them: nothing in them names a user or a job, and sums of a
 * partition are of five users at least (partition_sums.h).  What is said of
 * nodes is for those who may see nodes.
 */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/engine/resources.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/scheduler/partition_sums.h"

#define OPENMETRICS_NAME "application/openmetrics-text"
#define OPENMETRICS_TYPE OPENMETRICS_NAME "; version=1.0.0; charset=utf-8"
#define TEXT_TYPE        "text/plain; version=0.0.4; charset=utf-8"

#define QUEUE_FRESH_S 600.0 /* figures of an older queue are left out */

/* --- Text ----------------------------------------------------------------- */

struct metrics_text {
	FILE *out;
	bool openmetrics;
	bool old; /* names before 0.2.0: predict_ */
	const char *cluster;
	const char *prefix, *name, *suffix; /* of the family that was begun */
};

/* Begin a family.  A name that begins with process_ is left as it is. */
static void metrics_family(struct metrics_text *m, const char *type,
			   const char *name, const char *help)
{
	bool is_info = !strcmp(type, "info");
	const char *suffix;

	m->name = name;
	m->suffix = is_info                    ? "_info"
		    : !strcmp(type, "counter") ? "_total"
					       : "";
	m->prefix = !strncmp(name, "process_", 8) ? ""
		    : m->old                      ? "predict_"
						  : "slurm_predict_";
	suffix = m->openmetrics ? "" : m->suffix;
	fprintf(m->out, "# TYPE %s%s%s %s\n# HELP %s%s%s %s\n", m->prefix, name,
		suffix, is_info && !m->openmetrics ? "gauge" : type, m->prefix,
		name, suffix, help);
}

/* Print a sample of it, with the labels of `format` (NULL: none) behind that of
 * the cluster, and `more` behind its name. */
__attribute__((format(printf, 4, 5))) static void
metrics_sample(struct metrics_text *m, const char *more, double value,
	       const char *format, ...)
{
	va_list arguments;

	fprintf(m->out, "%s%s%s%s{cluster=\"%s\"%s", m->prefix, m->name,
		m->suffix, more, m->cluster, format ? "," : "");
	if (format) {
		va_start(arguments, format);
		vfprintf(m->out, format, arguments);
		va_end(arguments);
	}
	fprintf(m->out, "} %.17g\n", value);
}

static void metrics_gauge(struct metrics_text *m, const char *name,
			  const char *help, double value)
{
	metrics_family(m, "gauge", name, help);
	metrics_sample(m, "", value, NULL);
}

static void metrics_counter(struct metrics_text *m, const char *name,
			    const char *help, double value)
{
	metrics_family(m, "counter", name, help);
	metrics_sample(m, "", value, NULL);
}

/* --- Families ------------------------------------------------------------- */

static void write_starts(struct metrics_text *m, struct engine *engine)
{
	uint64_t judged, within;

	engine_starts_judged(engine, &judged, &within);
	metrics_counter(
		m, "starts",
		"Jobs that have started after their start was predicted.",
		judged);
	metrics_counter(m, "starts_within",
			"Those within the predicted interval, 80 % at best.",
			within);
}

static void write_engine(struct metrics_text *m, struct engine *engine)
{
	struct engine_counts counts;

	engine_count(engine, &counts);
	metrics_counter(m, "predictions", "Predictions made.",
			counts.predictions);
	metrics_counter(m, "predictions_with_history",
			"Predictions that rest on finished runs.",
			counts.with_history);
	metrics_counter(m, "missed",
			"Jobs that were submitted without a reply in time.",
			counts.missed);
	write_starts(m, engine);
	metrics_gauge(m, "runs", "Finished runs in memory.", counts.runs);
	metrics_gauge(m, "jobs_running", "Running jobs.", counts.running);
	metrics_counter(m, "measurements", "Measurements of nodes received.",
			counts.measurements);
	metrics_counter(m, "link_measurements",
			"Measurements of links received.",
			counts.link_measurements);
}

/* Write the families of nodes and links, which Slurm may hide. */
static void write_resources(struct metrics_text *m, struct engine *engine)
{
	struct engine_resources counts;
	struct engine_counts all;
	struct sp_error err;

	if (engine_count_resources(engine, clock_now_s(), &counts, &err))
		return;
	engine_count(engine, &all);
	metrics_gauge(m, "nodes", "Nodes with measurements.", all.nodes);
	metrics_gauge(m, "links", "Links with measurements.", all.links);
	metrics_gauge(m, "nodes_fresh", "Nodes with recent measurements.",
		      (double)counts.nodes_fresh);
	metrics_gauge(m, "nodes_slow",
		      "Nodes slower than they were, or than their peers.",
		      (double)counts.nodes_slow);
	if (isfinite(counts.cpu_available))
		metrics_gauge(
			m, "cpu_available_ratio",
			"Share of a CPU that a new process gets, the mean.",
			counts.cpu_available);
	metrics_gauge(m, "nodes_spool_full",
		      "Nodes whose disk has no room for reports of jobs.",
		      (double)counts.nodes_spool_full);
	metrics_gauge(m, "spool_failed",
		      "Files that collectors could not write to their spools.",
		      counts.spool_failed);
	metrics_gauge(m, "links_fresh", "Links with recent measurements.",
		      (double)counts.links_fresh);
}

static void write_store(struct metrics_text *m,
			const struct http_config *config)
{
	struct store_status status;

	config->store_ops->status(config->store, &status);
	metrics_gauge(m, "ready", "1 once the history is loaded.",
		      atomic_load(config->ready));
	metrics_gauge(m, "store_up", "1 while the history store is connected.",
		      status.up);
	metrics_gauge(m, "store_waiting",
		      "Predictions and measurements not stored yet.",
		      (double)status.waiting);
	metrics_counter(m, "store_runs", "Runs stored.", status.runs_stored);
	metrics_counter(m, "store_dropped",
			"Predictions and measurements dropped.",
			status.dropped);
}

static void error_print(void *context, const struct engine_accuracy *a)
{
	if (isfinite(a->error))
		metrics_sample(context, "", a->error, "model=\"%s\"", a->model);
}

static void runs_print(void *context, const struct engine_accuracy *a)
{
	metrics_sample(context, "", a->runs, "model=\"%s\"", a->model);
}

static void write_accuracy(struct metrics_text *m, struct engine *engine)
{
	metrics_family(
		m, "gauge", "error_ratio",
		"Sum of absolute errors over sum of run times, by model.");
	engine_visit_accuracy(engine, UINT32_MAX, error_print, m);
	metrics_family(m, "gauge", "scored_runs",
		       "Runs that the error of a model is computed from.");
	engine_visit_accuracy(engine, UINT32_MAX, runs_print, m);
}

static void metrics_process(struct metrics_text *m, double began_s)
{
	DIR *stream = opendir("/proc/self/fd");
	double descriptors = -3; /* itself, "." and ".." */
	char memory[64];
	long pages = 0;

	while (stream && readdir(stream))
		descriptors++;
	if (stream)
		closedir(stream);
	small_file_read(AT_FDCWD, "/proc/self/statm", memory, sizeof(memory));
	sscanf(memory, "%*s %ld", &pages);
	metrics_counter(m, "process_cpu_seconds", "User and system CPU time.",
			clock_read_s(CLOCK_PROCESS_CPUTIME_ID));
	metrics_gauge(m, "process_start_time_seconds",
		      "Start of the process since the epoch.", began_s);
	metrics_gauge(m, "process_resident_memory_bytes", "Resident memory.",
		      (double)(pages * sysconf(_SC_PAGESIZE)));
	metrics_gauge(m, "process_open_fds", "Open file descriptors.",
		      descriptors);
	metrics_gauge(m, "process_max_fds", "Most open file descriptors.",
		      (double)sysconf(_SC_OPEN_MAX));
}

/* --- Requests ------------------------------------------------------------- */

static void write_codes(struct metrics_text *m, struct http *http)
{
	const struct route *table = http->config.routes;

	metrics_family(m, "counter", "http_requests", "Requests handled.");
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
			metrics_sample(
				m, "", (double)atomic_load(codes[i].count),
				"method=\"%s\",route=\"%s\",code=\"%s\"",
				row->method, row->pattern, codes[i].code);
	}
	metrics_sample(
		m, "",
		(double)atomic_load(&http->counts[ROUTES_MAX - 1].refused),
		"method=\"\",route=\"\",code=\"4xx\"");
}

static void write_refused(struct metrics_text *m, struct http *http)
{
	metrics_family(m, "counter", "http_refused",
		       "Requests refused and connections closed, by reason.");
	for (int i = BUDGET_GRANTED + 1; i < BUDGET_VERDICTS; i++)
		metrics_sample(
			m, "",
			(double)(i == BUDGET_ADDRESS
					 ? budget_count(http->addresses,
							BUDGET_REQUESTS)
					 : budget_count(
						   http->budget,
						   (enum budget_verdict)i)),
			"reason=\"%s\"", budget_reasons[i].name);
	metrics_sample(m, "", (double)atomic_load(&http->late),
		       "reason=\"deadline\"");
	metrics_sample(m, "", (double)atomic_load(&http->crowded),
		       "reason=\"connections\"");
}

static double busy_s(struct http_counts *counts)
{
	return (double)atomic_load(&counts->busy_us) / 1e6;
}

static void write_duration(struct metrics_text *m, const struct route *row,
			   struct http_counts *counts)
{
	double sum_s = busy_s(counts), le_s = HTTP_BUCKET_S;
	uint64_t count = 0;
	char le[16];

	for (int i = 0; i < HTTP_BUCKETS; i++) {
		snprintf(le, sizeof(le), "%g", le_s);
		count += atomic_load(&counts->buckets[i]);
		metrics_sample(m, "_bucket", (double)count,
			       "method=\"%s\",route=\"%s\",le=\"%s\"",
			       row->method, row->pattern,
			       i == HTTP_BUCKETS - 1 ? "+Inf" : le);
		le_s *= HTTP_BUCKET_RATIO;
	}
	metrics_sample(m, "_sum", sum_s, "method=\"%s\",route=\"%s\"",
		       row->method, row->pattern);
	metrics_sample(m, "_count", (double)count, "method=\"%s\",route=\"%s\"",
		       row->method, row->pattern);
}

static void write_durations(struct metrics_text *m, struct http *http)
{
	const struct route *table = http->config.routes;

	if (m->old)
		metrics_family(m, "counter", "http_busy_seconds",
			       "Time from the first line of requests to their "
			       "replies.");
	for (const struct route *row = table; m->old && row->method; row++)
		metrics_sample(m, "", busy_s(&http->counts[row - table]),
			       "method=\"%s\",route=\"%s\"", row->method,
			       row->pattern);
	m->old = false;
	metrics_family(m, "histogram", "http_request_duration_seconds",
		       "Time from a request to its reply.");
	for (const struct route *row = table; row->method; row++)
		write_duration(m, row, &http->counts[row - table]);
}

/* --- Partitions ----------------------------------------------------------- */

static const struct {
	const char *type, *name, *help;
} figures[PARTITION_FIGURES] = {
	{ "gauge", "jobs_waiting", "Jobs with a predicted start." },
	{ "gauge", "wait_median_seconds", "Median of their predicted waits." },
	{ "gauge", "wait_p90_seconds", "Nine in ten of them wait less." },
	{ "gauge", "pending_cpu_seconds", "Their predicted CPU time." },
	{ "gauge", "new_wait_median_seconds", "New job: one CPU and hour." },
	{ "gauge", "new_wait_p90_seconds", "The same with probability 0.9." },
	{ "gauge", "jobs_late", "Jobs that run beyond their quantile." },
	{ "counter", "judged_runs", "Ended runs that were predicted." },
	{ "counter", "within_runs", "Those within their quantile." },
	{ "gauge", "error_ratio", "Their absolute errors over run times." },
};

static void write_figure(struct metrics_text *m,
			 const struct partition_list *list, int i)
{
	char name[64];

	snprintf(name, sizeof(name), "partition_%s", figures[i].name);
	metrics_family(m, figures[i].type, name, figures[i].help);
	for (size_t k = 0; k < list->count; k++) {
		const struct partition_row *row = &list->rows[k];

		m->cluster = row->cluster;
		if ((i < PARTITION_JUDGED || row->users.count == FEW_USERS) &&
		    isfinite(row->of[i]))
			metrics_sample(m, "", row->of[i], "partition=\"%s\"",
				       row->partition);
	}
}

static void write_partitions(struct metrics_text *m, struct engine *engine)
{
	struct partition_list *list = calloc(1, sizeof(*list));

	if (!list)
		return;
	engine_partitions(engine, false, list);
	if (clock_now_s() - list->made_at_s > QUEUE_FRESH_S)
		list->count = 0;
	for (int i = 0; i < PARTITION_FIGURES; i++) {
		if (i == PARTITION_JUDGED)
			engine_partitions(engine, true, list);
		write_figure(m, list, i);
	}
	free(list);
}

/* --- The reply ------------------------------------------------------------ */

/* The families that are new in 0.2.0 come last: they have no old names. */
static void write_all(struct metrics_text *m, struct http *http,
		      bool for_operator)
{
	struct engine *engine = http->config.engine;
	bool with_nodes = for_operator || !engine_hides_nodes(engine, "");

	metrics_family(m, "info", "build", "Version of predictd.");
	metrics_sample(m, "", 1, "version=\"" SP_VERSION "\"");
	write_engine(m, engine);
	if (with_nodes)
		write_resources(m, engine);
	write_store(m, &http->config);
	write_accuracy(m, engine);
	write_codes(m, http);
	write_refused(m, http);
	write_durations(m, http);
	metrics_process(m, http->began_at_s);
	if (for_operator ||
	    !(http->config.metrics_guarded || engine_hides_jobs(engine, "")))
		write_partitions(m, engine);
	if (m->openmetrics)
		fputs("# EOF\n", m->out);
}

static int render(struct request *r, bool openmetrics, bool for_operator)
{
	struct http *http = r->http;
	char cluster[RUN_NAME_SIZE];
	struct metrics_text m = {
		.out = open_memstream(&r->text, &r->text_size),
		.openmetrics = openmetrics,
		.old = http->config.metrics_old_names,
		.cluster = cluster,
	};

	if (!m.out)
		return request_out_of_memory(r);
	engine_own_cluster(http->config.engine, cluster);
	write_all(&m, http, for_operator);

	/* Half a document must not be sent. */
	bool failed = ferror(m.out);

	if (fclose(m.out) || failed) {
		free(r->text);
		r->text = NULL;
		return request_out_of_memory(r);
	}
	r->text_type = openmetrics ? OPENMETRICS_TYPE : TEXT_TYPE;
	return 200;
}

/* A text is made at most once a second for each format and for those who see
 * the same: others who come meanwhile wait for it. */
int metrics_show(struct request *r)
{
	struct kept_texts *texts = &r->http->metrics;
	const char *accept = request_header(r, "Accept");
	bool openmetrics = accept && strstr(accept, OPENMETRICS_NAME);
	bool for_operator = r->uid != (uid_t)-1 && request_is_operator(r);
	uint64_t scope = 2 * openmetrics + for_operator;
	int status;

	ORDERED_LOCK_HOLD(&r->http->metrics_lock);

	r->kept = kept_texts_find(texts, "", scope, clock_monotonic_s());
	if (r->kept) {
		r->text_type = openmetrics ? OPENMETRICS_TYPE : TEXT_TYPE;
		return 200;
	}
	status = render(r, openmetrics, for_operator);
	if (status == 200)
		kept_text_release(kept_texts_put(texts, "", scope,
						 clock_monotonic_s(), r->text,
						 r->text_size));
	return status;
}
