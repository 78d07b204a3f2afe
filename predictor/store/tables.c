/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which member of a struct is which column
 *
 * What is sent, too, is described in features/describe.h; here is what only the
 * store has: queries, their results, and what is written and read of a record.
 */
#include "predictor/store/rows.h"

#define FIELD(...) FIELD_STORED(__VA_ARGS__)

/* The columns `name`_columns, of the rows that follow. */
#define ROWS(name, ...)                                            \
	static const struct field name##_fields[] = { __VA_ARGS__, \
						      FIELD_END }; \
	const struct row_table name##_columns = { name##_fields, 0 };

/* Limits and counts are read and written as eight bytes. */
_Static_assert(sizeof(size_t) == sizeof(int64_t), "a 64-bit machine");

const struct row_table run_columns = { run_fields, 0 };
const struct row_table run_brief_columns = { run_fields, RUN_BRIEF };
const struct row_table profiled_run_columns = { run_fields, RUN_PROFILED };
const struct row_table run_share_columns = { run_share_fields, 0 };
const struct row_table profile_share_columns = { profile_share_fields, 0 };
const struct row_table prediction_columns = { prediction_fields, 0 };

ROWS(prediction_key, FIELD(prediction, id, "prediction_id", TEXT))

/* By which the runs are found that advice rests on. */
ROWS(prediction_point, FIELD(prediction, user_id, "user_id", UINT),
     FIELD(prediction, cluster, "cluster", TEXT),
     FIELD(prediction, application.name, "application", TEXT),
     FIELD(prediction, made_at_s, "made_at", TIME),
     FIELD(prediction, seen, "seen", INT8))

static const struct field measurement_row_fields[] = {
	FIELD(measurement_row, cluster, "cluster", TEXT),
	FIELD(measurement_row, measurement, "", RECORD,
	      .nested = measurement_fields),
	FIELD_END,
};

const struct row_table measurement_columns = { measurement_row_fields, 0 };

ROWS(speed, FIELD(measurement_row, cluster, "cluster", TEXT),
     FIELD(measurement_row, measurement.node, "node", TEXT),
     FIELD(measurement_row, measurement.time_s, "measured_at", TIME),
     FIELD(measurement_row, measurement.cpu_speed, "cpu_speed", NUMBER))

static const struct field link_row_fields[] = {
	FIELD(link_row, cluster, "cluster", TEXT),
	FIELD(link_row, link, "", RECORD, .nested = link_measurement_fields),
	FIELD_END,
};

const struct row_table link_columns = { link_row_fields, 0 };

ROWS(runs_query,
     FIELD(store_runs_query, cluster, "cluster", TEXT, .optional = true),
     FIELD(store_runs_query, since_s, "since", OPEN_TIME),
     FIELD(store_runs_query, until_s, "until", OPEN_TIME),
     FIELD(store_runs_query, after_ended_at_s, "after", OPEN_TIME),
     FIELD(store_runs_query, after_id, "after_id", INT8),
     FIELD(store_runs_query, limit, "page", INT8),
     FIELD(store_runs_query, user_id, "uid", UINT),
     FIELD(store_runs_query, user, "user", TEXT, .optional = true))

ROWS(accuracy_query,
     FIELD(store_accuracy_query, by, "by", ENUM,
	   .words = &store_accuracy_by_words),
     FIELD(store_accuracy_query, since_s, "since", OPEN_TIME),
     FIELD(store_accuracy_query, until_s, "until", OPEN_TIME),
     FIELD(store_accuracy_query, cluster, "cluster", TEXT, .optional = true),
     FIELD(store_accuracy_query, partition, "partition", TEXT,
	   .optional = true),
     FIELD(store_accuracy_query, user, "user", TEXT, .optional = true),
     FIELD(store_accuracy_query, application, "application", TEXT,
	   .optional = true),
     FIELD(store_accuracy_query, model, "model", TEXT, .optional = true),
     FIELD(store_accuracy_query, completed, "completed", BOOL),
     FIELD(store_accuracy_query, user_id, "uid", UINT),
     FIELD(store_accuracy_query, limit, "page", INT8),
     FIELD(store_accuracy_query, offset, "skipped", INT8),
     FIELD(store_accuracy_query, advice, "advice", BOOL))

const struct row_table accuracy_columns = { store_accuracy_fields, 0 };

ROWS(use_query,
     FIELD(store_use_query, by, "by", ENUM, .words = &store_use_by_words),
     FIELD(store_use_query, user_id, "uid", UINT),
     FIELD(store_use_query, user, "user", TEXT, .optional = true),
     FIELD(store_use_query, cluster, "cluster", TEXT, .optional = true),
     FIELD(store_use_query, application, "application", TEXT, .optional = true),
     FIELD(store_use_query, since_s, "since", OPEN_TIME),
     FIELD(store_use_query, until_s, "until", OPEN_TIME),
     FIELD(store_use_query, runs, "newest", INT8),
     FIELD(store_use_query, job_id, "job_id", UINT),
     FIELD(store_use_query, limit, "page", INT8))

static const struct field used_run_fields[] = {
	FIELD(used_run, job_id, "job_id", UINT),
	FIELD(used_run, nodes, "nodes", UINT),
	FIELD(used_run, tasks, "tasks", UINT),
	FIELD(used_run, cpus, "cpus", UINT),
	FIELD(used_run, memory_mb, "memory_mb", NUMBER),
	FIELD(used_run, limit_s, "limit_s", LIMIT),
	FIELD(used_run, runtime_s, "runtime_s", NUMBER),
	FIELD(used_run, cpu_s, "cpu_s", NUMBER),
	FIELD(used_run, peak_memory_mb, "peak_memory_mb", NUMBER),
	FIELD(used_run, quantile_s, "quantile_s", NUMBER),
	FIELD(used_run, state, "state", ENUM, .words = &run_state_words),
	FIELD(used_run, imported, "imported", BOOL),
	FIELD_END,
};

/* A list is of no record that is in another. */
static const struct field used_run_row_fields[] = {
	{ .name = "", .column = "", .nested = used_run_fields },
	FIELD_PARAMETERS_AT(used_run, parameters, .column = ""),
	FIELD_END,
};

const struct row_table used_run_columns = { used_run_row_fields, 0 };

static const struct field use_fields[] = {
	FIELD(store_use, group, "name", TEXT),
	FIELD(store_use, groups, "groups", INT8),
	FIELD(store_use, runs, "runs", INT8),
	FIELD(store_use, runtime_s, "mean_s", NUMBER),
	FIELD(store_use, time_used, "time_used", NUMBER),
	FIELD(store_use, cpu_used, "cpu_used", NUMBER),
	FIELD(store_use, memory_used, "memory_used", NUMBER),
	FIELD(store_use, peak_memory_mb, "most_memory_mb", NUMBER),
	FIELD(store_use, run, "", RECORD, .nested = used_run_fields),
	FIELD(store_use, started_at_s, "started_at", TIME),
	FIELD(store_use, run.cached_memory_mb, "cached_memory_mb", NUMBER),
	FIELD_PARAMETERS_AT(store_use, run.parameters, .column = ""),
	FIELD_END,
};

const struct row_table use_columns = { use_fields, 0 };

/* --- Traces --------------------------------------------------------------- */

ROWS(trace_query, FIELD(store_trace_query, job_id, "job_id", UINT),
     FIELD(store_trace_query, cluster, "cluster", TEXT, .optional = true),
     FIELD(store_trace_query, user_id, "user_id", UINT),
     FIELD(store_trace_query, application, "application", TEXT,
	   .optional = true),
     FIELD(store_trace_query, ranks, "ranks", UINT))

ROWS(trace, FIELD(store_trace, id, "trace_id", INT8),
     FIELD(store_trace, run.cluster, "cluster", TEXT),
     FIELD(store_trace, run.job_id, "job_id", UINT),
     FIELD(store_trace, run.application, "application", TEXT),
     FIELD(store_trace, run.user, "user_name", TEXT),
     FIELD(store_trace, run.job_s, "runtime_s", NUMBER),
     FIELD(store_trace, run.programs, "programs", INT),
     FIELD(store_trace, run.spinning, "spinning", BOOL),
     FIELD(store_trace, run.ranks, "ranks", INT))

ROWS(trace_node, FIELD(traced_node, name, "name", TEXT),
     FIELD(traced_node, cores, "cores", NUMBER),
     FIELD(traced_node, cpu_available, "cpu_available", NUMBER),
     FIELD(traced_node, cpu_speed, "cpu_speed", NUMBER),
     FIELD(traced_node, cpu_turn_s, "cpu_turn_s", NUMBER))

ROWS(trace_link, FIELD(traced_link, from, "from_node", TEXT),
     FIELD(traced_link, to, "to_node", TEXT),
     FIELD(traced_link, latency_s, "latency_s", NUMBER),
     FIELD(traced_link, bandwidth_bps, "bandwidth_bps", NUMBER))
