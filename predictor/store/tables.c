/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - which member of a struct is which column
 *
 * One table for each stored struct, in the order of the columns of the statements.
 * FIELD is a member; LIST is a member of each element of an array, ARRAY an array
 * of numbers (rows.h).
 */
#include "predictor/store/rows.h"

#define FIELD(object, member, kind, column)                  \
	{                                                    \
		.name = column, .type = FIELD_##kind,        \
		.offset = offsetof(struct object, member),   \
		.size = sizeof(((struct object *)0)->member) \
	}

#define ELEMENT(object, array) ((struct object *)0)->array[0]
#define LENGTH(object, array)                       \
	(int)(sizeof(((struct object *)0)->array) / \
	      sizeof(ELEMENT(object, array)))

/* An array column of one member of each element of `array`; `counter` is their
 * number. */
#define LIST(object, array, member, counter, kind, column)          \
	{                                                           \
		.name = column, .type = FIELD_LIST,                 \
		.offset = offsetof(struct object, array[0].member), \
		.size = sizeof(ELEMENT(object, array).member),      \
		.element = FIELD_##kind,                            \
		.stride = sizeof(ELEMENT(object, array)),           \
		.max = LENGTH(object, array), .counted = true,      \
		.count_offset = offsetof(struct object, counter)    \
	}

/* All elements of an array of numbers. */
#define ARRAY(object, array, kind, column)                \
	{                                                 \
		.name = column, .type = FIELD_LIST,       \
		.offset = offsetof(struct object, array), \
		.size = sizeof(ELEMENT(object, array)),   \
		.element = FIELD_##kind,                  \
		.stride = sizeof(ELEMENT(object, array)), \
		.max = LENGTH(object, array)              \
	}

#define CONDITIONS(object, prefix)                                          \
	FIELD(object, prefix nodes_known, INT, "nodes_known"),              \
		FIELD(object, prefix cpu_load, REAL, "cpu_load"),           \
		FIELD(object, prefix cpu_load_max, REAL, "cpu_load_max"),   \
		FIELD(object, prefix cpu_available, REAL, "cpu_available"), \
		FIELD(object, prefix cpu_available_min, REAL,               \
		      "cpu_available_min"),                                 \
		FIELD(object, prefix bandwidth_bps, REAL, "bandwidth_bps"), \
		FIELD(object, prefix latency_s, REAL, "latency_s")
#define PARAMETERS(object)                                                    \
	LIST(object, application.parameters.of, name,                         \
	     application.parameters.count, TEXT, "parameter_names"),          \
		LIST(object, application.parameters.of, value,                \
		     application.parameters.count, REAL, "parameter_values"), \
		FIELD(object, application.traits, TEXT, "traits")
#define END                  \
	{                    \
		.name = NULL \
	}

/* Limits and counts are read and written as eight bytes. */
_Static_assert(sizeof(size_t) == sizeof(int64_t), "a 64-bit machine");

const struct row_field run_columns[] = {
	FIELD(run, cluster, TEXT, "cluster"),
	FIELD(run, job_id, UINT, "job_id"),
	FIELD(run, array_job_id, UINT, "array_job_id"),
	FIELD(run, array_task_id, UINT, "array_task_id"),
	FIELD(run, het_job_id, UINT, "het_job_id"),
	FIELD(run, het_offset, UINT, "het_offset"),
	FIELD(run, user_id, UINT, "user_id"),
	FIELD(run, user, TEXT, "user_name"),
	FIELD(run, account, TEXT, "account"),
	FIELD(run, partition, TEXT, "partition"),
	FIELD(run, qos, TEXT, "qos"),
	FIELD(run, features, TEXT, "features"),
	FIELD(run, gres, TEXT, "gres"),
	FIELD(run, licenses, TEXT, "licenses"),
	FIELD(run, job_name, TEXT, "job_name"),
	FIELD(run, prediction_id, OPTIONAL_TEXT, "prediction_id"),
	FIELD(run, nodes, UINT, "nodes"),
	FIELD(run, tasks, UINT, "tasks"),
	FIELD(run, cpus, UINT, "cpus"),
	FIELD(run, memory_mb, REAL, "memory_mb"),
	FIELD(run, limit_s, REAL, "limit_s"),
	FIELD(run, node_list, TEXT, "node_list"),
	FIELD(run, submitted_at_s, OPTIONAL_TIME, "submitted_at"),
	FIELD(run, started_at_s, TIME, "started_at"),
	FIELD(run, ended_at_s, OPTIONAL_TIME, "ended_at"),
	FIELD(run, state, STATE, "state"),
	FIELD(run, exit_code, INT, "exit_code"),
	FIELD(run, exit_signal, INT, "exit_signal"),
	FIELD(run, application.name, TEXT, "application"),
	CONDITIONS(run, before.),
	PARAMETERS(run),
	END,
};

const struct row_field run_brief_columns[] = {
	FIELD(run, cluster, TEXT, "cluster"),
	FIELD(run, job_id, UINT, "job_id"),
	FIELD(run, user_id, UINT, "user_id"),
	FIELD(run, account, TEXT, "account"),
	FIELD(run, partition, TEXT, "partition"),
	FIELD(run, qos, TEXT, "qos"),
	FIELD(run, features, TEXT, "features"),
	FIELD(run, gres, TEXT, "gres"),
	FIELD(run, prediction_id, OPTIONAL_TEXT, "prediction_id"),
	FIELD(run, nodes, UINT, "nodes"),
	FIELD(run, tasks, UINT, "tasks"),
	FIELD(run, cpus, UINT, "cpus"),
	FIELD(run, memory_mb, REAL, "memory_mb"),
	FIELD(run, limit_s, REAL, "limit_s"),
	FIELD(run, submitted_at_s, OPTIONAL_TIME, "submitted_at"),
	FIELD(run, started_at_s, TIME, "started_at"),
	FIELD(run, ended_at_s, OPTIONAL_TIME, "ended_at"),
	FIELD(run, state, STATE, "state"),
	FIELD(run, application.name, TEXT, "application"),
	CONDITIONS(run, before.),
	PARAMETERS(run),
	END,
};

const struct row_field run_share_columns[] = {
	FIELD(run_share, cluster, TEXT, "cluster"),
	FIELD(run_share, job_id, UINT, "job_id"),
	FIELD(run_share, started_at_s, TIME, "started_at"),
	FIELD(run_share, node, TEXT, "node"),
	FIELD(run_share, ended_at_s, TIME, "ended_at"),
	FIELD(run_share, cpu_s, REAL, "cpu_s"),
	FIELD(run_share, peak_memory_mb, REAL, "peak_memory_mb"),
	FIELD(run_share, exit_code, INT, "exit_code"),
	FIELD(run_share, exit_signal, INT, "exit_signal"),
	FIELD(run_share, tasks, UINT, "tasks"),
	END,
};

const struct row_field profile_share_columns[] = {
	FIELD(profile_share, cluster, TEXT, "cluster"),
	FIELD(profile_share, job_id, UINT, "job_id"),
	FIELD(profile_share, started_at_s, TIME, "started_at"),
	FIELD(profile_share, node, TEXT, "node"),
	FIELD(profile_share, ended_at_s, TIME, "ended_at"),
	FIELD(profile_share, source, INT, "source"),
	FIELD(profile_share, phases.tasks, UINT, "tasks"),
	FIELD(profile_share, phases.busy_s, REAL, "busy_s"),
	FIELD(profile_share, phases.ready_s, REAL, "ready_s"),
	FIELD(profile_share, phases.idle_s, REAL, "idle_s"),
	FIELD(profile_share, phases.spinning_s, REAL, "spinning_s"),
	FIELD(profile_share, phases.busy_phase_s, REAL, "busy_phase_s"),
	FIELD(profile_share, phases.idle_phase_s, REAL, "idle_phase_s"),
	FIELD(profile_share, phases.cpu_available, REAL, "cpu_available"),
	FIELD(profile_share, phases.cpu_speed, REAL, "cpu_speed"),
	FIELD(profile_share, phases.cpu_left, REAL, "cpu_left"),
	FIELD(profile_share, mpi_s, REAL, "mpi_s"),
	FIELD(profile_share, mpi_cpu_s, REAL, "mpi_cpu_s"),
	FIELD(profile_share, missed_bytes, REAL, "missed_bytes"),
	LIST(profile_share, peer, node, peer_count, TEXT, "peer_names"),
	LIST(profile_share, peer, messages, peer_count, REAL, "peer_messages"),
	LIST(profile_share, peer, bytes, peer_count, REAL, "peer_bytes"),
	LIST(profile_share, peer, replies, peer_count, REAL, "peer_replies"),
	LIST(profile_share, peer, long_messages, peer_count, REAL,
	     "peer_long_messages"),
	LIST(profile_share, peer, bandwidth_bps, peer_count, REAL,
	     "peer_bandwidths_bps"),
	LIST(profile_share, peer, latency_s, peer_count, REAL,
	     "peer_latencies_s"),
	LIST(profile_share, rank, rank, rank_count, UINT, "ranks"),
	LIST(profile_share, rank, ranks, rank_count, UINT, "rank_counts"),
	LIST(profile_share, rank, peer, rank_count, INT, "rank_peers"),
	LIST(profile_share, rank, messages, rank_count, REAL, "rank_messages"),
	LIST(profile_share, rank, bytes, rank_count, REAL, "rank_bytes"),
	LIST(profile_share, rank, peer_messages, rank_count, REAL,
	     "rank_peer_messages"),
	LIST(profile_share, rank, peer_bytes, rank_count, REAL,
	     "rank_peer_bytes"),
	LIST(profile_share, rank, asked_any, rank_count, REAL,
	     "rank_asked_any"),
	LIST(profile_share, rank, own_s, rank_count, REAL, "rank_own_s"),
	LIST(profile_share, rank, tasks, rank_count, REAL, "rank_tasks"),
	LIST(profile_share, rank, tasks_s, rank_count, REAL, "rank_tasks_s"),
	LIST(profile_share, rank, tasks_s2, rank_count, REAL, "rank_tasks_s2"),
	/* Behind the lists: -1 is no length of these. */
	FIELD(profile_share, peer_count, INT, "peer_count"),
	END,
};

const struct row_field profiled_run_columns[] = {
	FIELD(run, cluster, TEXT, "cluster"),
	FIELD(run, job_id, UINT, "job_id"),
	FIELD(run, user_id, UINT, "user_id"),
	FIELD(run, prediction_id, OPTIONAL_TEXT, "prediction_id"),
	FIELD(run, nodes, UINT, "nodes"),
	FIELD(run, tasks, UINT, "tasks"),
	FIELD(run, node_list, TEXT, "node_list"),
	FIELD(run, started_at_s, TIME, "started_at"),
	FIELD(run, ended_at_s, OPTIONAL_TIME, "ended_at"),
	FIELD(run, state, STATE, "state"),
	FIELD(run, application.name, TEXT, "application"),
	PARAMETERS(run),
	END,
};

const struct row_field prediction_columns[] = {
	FIELD(prediction, id, TEXT, "prediction_id"),
	FIELD(prediction, stage, STAGE, "stage"),
	FIELD(prediction, made_at_s, TIME, "made_at"),
	FIELD(prediction, mode, MODE, "mode"),
	FIELD(prediction, cluster, TEXT, "cluster"),
	FIELD(prediction, user_id, UINT, "user_id"),
	FIELD(prediction, account, TEXT, "account"),
	FIELD(prediction, partition, TEXT, "partition"),
	FIELD(prediction, qos, TEXT, "qos"),
	FIELD(prediction, features, TEXT, "features"),
	FIELD(prediction, gres, TEXT, "gres"),
	FIELD(prediction, job_name, TEXT, "job_name"),
	FIELD(prediction, application.name, TEXT, "application"),
	FIELD(prediction, nodes, UINT, "nodes"),
	FIELD(prediction, tasks, UINT, "tasks"),
	FIELD(prediction, cpus, UINT, "cpus"),
	FIELD(prediction, memory_mb, REAL, "memory_mb"),
	FIELD(prediction, limit_s, REAL, "limit_s"),
	FIELD(prediction, assumed_nodes, TEXT, "assumed_nodes"),
	FIELD(prediction, basis, BASIS, "basis"),
	FIELD(prediction, model, TEXT, "model"),
	FIELD(prediction, median_s, REAL, "median_s"),
	FIELD(prediction, quantile, REAL, "quantile"),
	FIELD(prediction, quantile_s, REAL, "quantile_s"),
	FIELD(prediction, runs, UINT, "runs"),
	FIELD(prediction, evidence_level, EVIDENCE_LEVEL, "evidence_level"),
	FIELD(prediction, evidence_runs, UINT, "evidence_runs"),
	FIELD(prediction, own_runs, UINT, "own_runs"),
	FIELD(prediction, judged, UINT, "judged"),
	FIELD(prediction, held, UINT, "held"),
	FIELD(prediction, extrapolated, BOOL, "extrapolated"),
	FIELD(prediction, similar_runs, UINT, "similar_runs"),
	FIELD(prediction, over_limit, UINT, "over_limit"),
	FIELD(prediction, outside, OPTIONAL_TEXT, "outside"),
	FIELD(prediction, unbounded, BOOL, "unbounded"),
	FIELD(prediction, unlike, UNLIKE, "unlike"),
	FIELD(prediction, unlike_runs, UINT, "unlike_runs"),
	FIELD(prediction, unlike_shortest_s, REAL, "unlike_shortest_s"),
	FIELD(prediction, unlike_longest_s, REAL, "unlike_longest_s"),
	FIELD(prediction, last_error, REAL, "last_error"),
	CONDITIONS(prediction, conditions.),
	PARAMETERS(prediction),
	ARRAY(prediction, knots_s, REAL4, "knots_s"),
	LIST(prediction, evidence, job_id, evidence_count, UINT,
	     "evidence_job_ids"),
	LIST(prediction, evidence, runtime_s, evidence_count, REAL4,
	     "evidence_runtimes_s"),
	LIST(prediction, evidence, weight, evidence_count, REAL4,
	     "evidence_weights"),
	LIST(prediction, candidates, model, candidates_count, TEXT,
	     "candidate_models"),
	LIST(prediction, candidates, median_s, candidates_count, REAL,
	     "candidate_medians_s"),
	FIELD(prediction, rejected_nodes, OPTIONAL_TEXT, "rejected_nodes"),
	FIELD(prediction, rejected_s, REAL, "rejected_s"),
	END,
};

const struct row_field prediction_key_columns[] = {
	FIELD(prediction, id, TEXT, "prediction_id"),
	END,
};

const struct row_field measurement_columns[] = {
	FIELD(measurement_row, cluster, TEXT, "cluster"),
	FIELD(measurement_row, measurement.node, TEXT, "node"),
	FIELD(measurement_row, measurement.time_s, TIME, "measured_at"),
	FIELD(measurement_row, measurement.cpu_load, REAL, "cpu_load"),
	FIELD(measurement_row, measurement.cpu_available, REAL,
	      "cpu_available"),
	FIELD(measurement_row, measurement.memory_available_mb, REAL,
	      "memory_available_mb"),
	FIELD(measurement_row, measurement.cpu_available_now, REAL,
	      "cpu_available_now"),
	FIELD(measurement_row, measurement.cpu_correction, REAL,
	      "cpu_correction"),
	FIELD(measurement_row, measurement.cpu_speed, REAL, "cpu_speed"),
	FIELD(measurement_row, measurement.cpu_turn_s, REAL, "cpu_turn_s"),
	FIELD(measurement_row, measurement.cpu_credit_s, REAL, "cpu_credit_s"),
	END,
};

const struct row_field speed_columns[] = {
	FIELD(measurement_row, cluster, TEXT, "cluster"),
	FIELD(measurement_row, measurement.node, TEXT, "node"),
	FIELD(measurement_row, measurement.time_s, TIME, "measured_at"),
	FIELD(measurement_row, measurement.cpu_speed, REAL, "cpu_speed"),
	END,
};

const struct row_field link_columns[] = {
	FIELD(link_row, cluster, TEXT, "cluster"),
	FIELD(link_row, link.from, TEXT, "from_node"),
	FIELD(link_row, link.to, TEXT, "to_node"),
	FIELD(link_row, link.time_s, TIME, "measured_at"),
	FIELD(link_row, link.bandwidth_bps, REAL, "bandwidth_bps"),
	FIELD(link_row, link.latency_s, REAL, "latency_s"),
	FIELD(link_row, link.utilisation, REAL, "utilisation"),
	END,
};

const struct row_field runs_query_columns[] = {
	FIELD(store_runs_query, cluster, OPTIONAL_TEXT, "cluster"),
	FIELD(store_runs_query, since_s, OPTIONAL_TIME, "since"),
	FIELD(store_runs_query, until_s, OPTIONAL_TIME, "until"),
	FIELD(store_runs_query, after_ended_at_s, OPTIONAL_TIME, "after"),
	FIELD(store_runs_query, after_id, INT8, "after_id"),
	FIELD(store_runs_query, limit, INT8, "page"),
	END,
};

const struct row_field accuracy_query_columns[] = {
	FIELD(store_accuracy_query, by, BY, "by"),
	FIELD(store_accuracy_query, since_s, OPTIONAL_TIME, "since"),
	FIELD(store_accuracy_query, until_s, OPTIONAL_TIME, "until"),
	FIELD(store_accuracy_query, cluster, OPTIONAL_TEXT, "cluster"),
	FIELD(store_accuracy_query, partition, OPTIONAL_TEXT, "partition"),
	FIELD(store_accuracy_query, user, OPTIONAL_TEXT, "user"),
	FIELD(store_accuracy_query, application, OPTIONAL_TEXT, "application"),
	FIELD(store_accuracy_query, model, OPTIONAL_TEXT, "model"),
	FIELD(store_accuracy_query, completed, BOOL, "completed"),
	FIELD(store_accuracy_query, user_id, UINT, "uid"),
	FIELD(store_accuracy_query, limit, INT8, "page"),
	FIELD(store_accuracy_query, offset, INT8, "skipped"),
	END,
};

const struct row_field accuracy_columns[] = {
	FIELD(store_accuracy, group, TEXT, "name"),
	FIELD(store_accuracy, stage, STAGE, "stage"),
	FIELD(store_accuracy, runs, INT8, "runs"),
	FIELD(store_accuracy, predicted, INT8, "predicted"),
	FIELD(store_accuracy, error, REAL, "error"),
	FIELD(store_accuracy, median_error, REAL, "median_error"),
	FIELD(store_accuracy, accuracy, REAL, "accuracy"),
	FIELD(store_accuracy, under, REAL, "under"),
	FIELD(store_accuracy, coverage, REAL, "covered"),
	FIELD(store_accuracy, quantile, REAL, "quantile"),
	FIELD(store_accuracy, limited, INT8, "limited"),
	FIELD(store_accuracy, limit_missed, REAL, "limit_missed"),
	FIELD(store_accuracy, limit_error, REAL, "limit_error"),
	FIELD(store_accuracy, limit_factor, REAL, "limit_factor"),
	END,
};

/* --- Traces --------------------------------------------------------------- */

const struct row_field trace_query_columns[] = {
	FIELD(store_trace_query, job_id, UINT, "job_id"),
	FIELD(store_trace_query, cluster, OPTIONAL_TEXT, "cluster"),
	FIELD(store_trace_query, user_id, UINT, "user_id"),
	FIELD(store_trace_query, application, OPTIONAL_TEXT, "application"),
	FIELD(store_trace_query, ranks, UINT, "ranks"),
	END,
};

const struct row_field trace_columns[] = {
	FIELD(store_trace, id, INT8, "trace_id"),
	FIELD(store_trace, cluster, TEXT, "cluster"),
	FIELD(store_trace, job_id, UINT, "job_id"),
	FIELD(store_trace, application, TEXT, "application"),
	FIELD(store_trace, user, TEXT, "user_name"),
	FIELD(store_trace, runtime_s, REAL, "runtime_s"),
	FIELD(store_trace, programs, INT, "programs"),
	FIELD(store_trace, spinning, BOOL, "spinning"),
	FIELD(store_trace, ranks, INT, "ranks"),
	END,
};

const struct row_field trace_node_columns[] = {
	FIELD(store_trace_node, name, TEXT, "name"),
	FIELD(store_trace_node, cores, REAL, "cores"),
	FIELD(store_trace_node, cpu_available, REAL, "cpu_available"),
	FIELD(store_trace_node, cpu_speed, REAL, "cpu_speed"),
	FIELD(store_trace_node, cpu_turn_s, REAL, "cpu_turn_s"),
	END,
};

const struct row_field trace_link_columns[] = {
	FIELD(store_trace_link, from, TEXT, "from_node"),
	FIELD(store_trace_link, to, TEXT, "to_node"),
	FIELD(store_trace_link, latency_s, REAL, "latency_s"),
	FIELD(store_trace_link, bandwidth_bps, REAL, "bandwidth_bps"),
	END,
};
