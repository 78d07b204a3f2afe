/* SPDX-License-Identifier: GPL-2.0-or-later */
/* describe.c - the members of the records that are sent and stored
 *
 * BOTH is a member that is called the same in messages and in the database, AS
 * one whose column has another name, SENT one that is only in messages, STORED
 * one that is only in the database.  All take members of OBJECT.
 */
#include <math.h>

#include "predictor/features/describe.h"
#include "predictor/features/link.h"
#include "predictor/features/prediction.h"
#include "predictor/features/profile.h"

#define SENT(...) FIELD_SENT(OBJECT, __VA_ARGS__)
#define AS(member, its_column, kind, ...) \
	SENT(member, kind, .column = (its_column), __VA_ARGS__)
#define BOTH(member, kind, ...) AS(member, #member, kind, __VA_ARGS__)
#define STORED(...)             FIELD_STORED(OBJECT, __VA_ARGS__)

/* --- Nodes and links ------------------------------------------------------ */

#define OBJECT conditions
const struct field conditions_fields[] = {
	BOTH(nodes_known, INT),
	BOTH(cpu_load, NUMBER, .estimated = true),
	BOTH(cpu_load_max, NUMBER, .estimated = true),
	BOTH(cpu_available, NUMBER, .estimated = true, .max = 1),
	BOTH(cpu_available_min, NUMBER, .estimated = true, .max = 1),
	BOTH(bandwidth_bps, NUMBER, .estimated = true),
	BOTH(latency_s, NUMBER, .estimated = true),
	FIELD_END,
};

#undef OBJECT
#define OBJECT measurement
const struct field measurement_fields[] = {
	BOTH(node, TEXT, .required = true),
	AS(time_s, "measured_at", TIME, .required = true),
	BOTH(cpu_load, NUMBER),
	BOTH(cpu_available, NUMBER, .max = 1),
	STORED(memory_available_mb, "memory_available_mb", NUMBER),
	BOTH(cpu_available_now, NUMBER, .max = 1),
	BOTH(cpu_correction, NUMBER),
	SENT(host, NUMBER),
	SENT(host_nodes, NUMBER),
	BOTH(cpu_speed, NUMBER),
	BOTH(cpu_turn_s, NUMBER, .max = 1),
	BOTH(cpu_credit_s, NUMBER),
	SENT(memory_available_mb, NUMBER),
	SENT(spool_free_mb, NUMBER),
	SENT(spool_failed, NUMBER),
	FIELD_END,
};

#undef OBJECT
#define OBJECT link_measurement
const struct field link_measurement_fields[] = {
	AS(from, "from_node", TEXT, .required = true),
	AS(to, "to_node", TEXT, .required = true),
	AS(time_s, "measured_at", TIME, .required = true),
	BOTH(bandwidth_bps, NUMBER),
	BOTH(latency_s, NUMBER),
	BOTH(utilisation, NUMBER, .max = 1),
	FIELD_END,
};

/* --- Runs ----------------------------------------------------------------- */

#undef OBJECT
#define OBJECT parameters
const struct field parameters_fields[] = {
	STORED(of[0].name, "parameter_names", TEXT),
	STORED(of[0].value, "parameter_values", NUMBER),
	FIELD_END,
};

#undef OBJECT
#define OBJECT run
const struct field run_fields[] = {
	SENT(id, INT8),
	BOTH(cluster, TEXT, .required = true, .in = RUN_BRIEF | RUN_PROFILED),
	BOTH(job_id, UINT, .required = true, .in = RUN_ALL_PARTS),
	BOTH(array_job_id, UINT, .in = RUN_IMPORTED),
	BOTH(array_task_id, UINT, .in = RUN_IMPORTED),
	BOTH(het_job_id, UINT, .sparse = true, .in = RUN_IMPORTED),
	BOTH(het_offset, UINT, .sparse = true, .in = RUN_IMPORTED),
	BOTH(user_id, UINT, .required = true, .in = RUN_ALL_PARTS),
	AS(user, "user_name", TEXT, .in = RUN_IMPORTED),
	BOTH(account, TEXT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(partition, TEXT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(qos, TEXT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(features, TEXT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(gres, TEXT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(licenses, TEXT, .sparse = true),
	BOTH(job_name, TEXT, .typed = true, .in = RUN_IMPORTED),
	BOTH(prediction_id, ID, .optional = true, .in = RUN_ALL_PARTS),
	BOTH(nodes, UINT, .required = true, .in = RUN_ALL_PARTS),
	BOTH(tasks, UINT, .in = RUN_ALL_PARTS),
	BOTH(cpus, UINT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(memory_mb, KNOWN, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(limit_s, LIMIT, .in = RUN_BRIEF | RUN_IMPORTED),
	BOTH(node_list, TEXT, .in = RUN_PROFILED | RUN_IMPORTED),
	AS(submitted_at_s, "submitted_at", TIME, .required = true,
	   .optional = true, .in = RUN_BRIEF | RUN_IMPORTED),
	AS(started_at_s, "started_at", TIME, .required = true,
	   .in = RUN_ALL_PARTS),
	AS(ended_at_s, "ended_at", OPEN_TIME, .in = RUN_ALL_PARTS),
	BOTH(suspended_s, KNOWN, .sparse = true, .in = RUN_ALL_PARTS),
	AS(cpu_s, "used_cpu_s", KNOWN, .sparse = true, .in = RUN_IMPORTED),
	AS(peak_memory_mb, "used_memory_mb", KNOWN, .sparse = true,
	   .in = RUN_IMPORTED),
	AS(energy_j, "used_energy_j", KNOWN, .sparse = true,
	   .in = RUN_IMPORTED),
	AS(gpus_busy, "used_gpus", KNOWN, .sparse = true, .in = RUN_IMPORTED),
	BOTH(state, ENUM, .required = true, .words = &run_state_words,
	     .in = RUN_ALL_PARTS),
	BOTH(exit_code, INT, .max = 255, .in = RUN_IMPORTED),
	BOTH(exit_signal, INT, .max = 255, .in = RUN_IMPORTED),
	FIELD_APPLICATION(run, .column = "application", .in = RUN_ALL_PARTS),
	STORED(before, "", RECORD, .nested = conditions_fields,
	       .in = RUN_BRIEF),
	FIELD_PARAMETER_SET(run, .column = "", .in = RUN_ALL_PARTS),
	FIELD_TRAITS(run, .column = "traits", .in = RUN_ALL_PARTS),
	SENT(before, RECORD, .nested = conditions_fields),
	FIELD_END,
};

#undef OBJECT
#define OBJECT run_share
const struct field run_share_fields[] = {
	BOTH(cluster, TEXT, .required = true),
	BOTH(job_id, UINT, .required = true),
	SENT(node, TEXT, .required = true),
	AS(started_at_s, "started_at", TIME, .required = true),
	STORED(node, "node", TEXT),
	AS(ended_at_s, "ended_at", TIME, .required = true),
	BOTH(cpu_s, NUMBER),
	BOTH(peak_memory_mb, NUMBER),
	BOTH(exit_code, INT, .max = 255),
	BOTH(exit_signal, INT, .max = 255),
	BOTH(tasks, UINT),
	BOTH(own_memory_mb, NUMBER),
	BOTH(task_memory_mb, NUMBER),
	BOTH(cached_memory_mb, NUMBER),
	FIELD_END,
};

/* --- Predictions ---------------------------------------------------------- */

#undef OBJECT
#define OBJECT prediction_evidence
static const struct field evidence_fields[] = {
	AS(job_id, "evidence_job_ids", UINT, .required = true),
	AS(runtime_s, "evidence_runtimes_s", KNOWN4, .estimated = true,
	   .required = true),
	AS(weight, "evidence_weights", KNOWN4, .estimated = true,
	   .required = true, .max = 1),
	FIELD_END,
};

#undef OBJECT
#define OBJECT prediction_candidate
static const struct field candidate_fields[] = {
	AS(model, "candidate_models", TEXT, .required = true),
	AS(median_s, "candidate_medians_s", NUMBER, .estimated = true),
	FIELD_END,
};

#undef OBJECT
#define OBJECT prediction
static const struct field knot_fields[] = {
	{ .name = "knot",
	  .column = "knots_s",
	  .kind = FIELD_KNOWN4,
	  .size = sizeof(double) },
	FIELD_END,
};
static const struct field level_fields[] = {
	{ .name = "level",
	  .column = "levels",
	  .kind = FIELD_KNOWN4,
	  .size = sizeof(double) },
	FIELD_END,
};

const struct field prediction_fields[] = {
	AS(id, "prediction_id", ID),
	BOTH(stage, ENUM, .words = &prediction_stage_words),
	AS(made_at_s, "made_at", TIME),
	BOTH(mode, ENUM, .words = &prediction_mode_words),
	BOTH(cluster, TEXT),
	BOTH(user_id, UINT),
	BOTH(account, TEXT),
	BOTH(partition, TEXT),
	BOTH(qos, TEXT),
	BOTH(features, TEXT),
	BOTH(gres, TEXT),
	BOTH(job_name, TEXT, .typed = true),
	FIELD_APPLICATION(prediction, .column = "application"),
	FIELD_PARAMETER_SET(prediction, ),
	FIELD_TRAITS(prediction, ),
	BOTH(nodes, UINT),
	BOTH(tasks, UINT),
	BOTH(cpus, UINT),
	BOTH(memory_mb, NUMBER),
	BOTH(limit_s, LIMIT),
	BOTH(assumed_nodes, TEXT),
	SENT(unfit, BOOL, .sparse = true),
	SENT(nodes_best, UINT, .sparse = true),
	SENT(nodes_shown, TEXT, .sparse = true),
	SENT(conditions, RECORD, .nested = conditions_fields),
	BOTH(basis, ENUM, .required = true, .words = &prediction_basis_words),
	BOTH(model, TEXT),
	BOTH(median_s, NUMBER, .estimated = true, .required = true),
	BOTH(quantile, KNOWN, .required = true, .max = 1),
	BOTH(quantile_s, NUMBER, .estimated = true, .required = true),
	BOTH(runs, UINT),
	BOTH(evidence_level, ENUM, .words = &evidence_level_words),
	BOTH(evidence_runs, UINT),
	BOTH(own_runs, UINT),
	BOTH(judged, UINT),
	BOTH(held, UINT),
	BOTH(extrapolated, BOOL, .sparse = true),
	SENT(outside, TEXT, .sparse = true),
	SENT(unbounded, BOOL, .sparse = true),
	BOTH(similar_runs, UINT),
	BOTH(over_limit, UINT),
	SENT(limit_chance, NUMBER, .estimated = true, .max = 1),
	SENT(last_error, NUMBER, .estimated = true),
	STORED(outside, "outside", TEXT, .optional = true),
	STORED(unbounded, "unbounded", BOOL),
	BOTH(unlike, ENUM, .sparse = true, .words = &prediction_unlike_words),
	BOTH(unlike_runs, UINT, .sparse = true),
	BOTH(unlike_shortest_s, NUMBER, .estimated = true, .sparse = true),
	BOTH(unlike_longest_s, NUMBER, .estimated = true, .sparse = true),
	STORED(last_error, "last_error", NUMBER),
	STORED(conditions, "", RECORD, .nested = conditions_fields),
	FIELD_PARAMETER_SET(prediction, .column = "", .unsent = true),
	FIELD_TRAITS(prediction, .column = "traits", .unsent = true),
	FIELD_ROW(prediction, knots_s, KNOTS, .name = "quantiles", .column = "",
		  .nested = knot_fields, .stride = sizeof(double),
		  .most = PREDICTION_KNOTS),
	AS(evidence, "", LIST,
	   FIELD_ELEMENTS(prediction, evidence, evidence_count,
			  evidence_fields)),
	AS(candidates, "", LIST,
	   FIELD_ELEMENTS(prediction, candidates, candidates_count,
			  candidate_fields)),
	STORED(rejected_nodes, "rejected_nodes", TEXT, .optional = true),
	STORED(rejected_s, "rejected_s", NUMBER),
	STORED(seen, "seen", INT8),
	STORED(levels, "", KNOTS, .nested = level_fields,
	       .stride = sizeof(double), .most = PREDICTION_LEVELS),
	STORED(limit_chance, "limit_chance", NUMBER),
	STORED(advised_s, "advised_s", NUMBER),
	STORED(advised_memory_mb, "advised_memory_mb", NUMBER),
	STORED(advised_cpus, "advised_cpus", UINT),
	FIELD_END,
};

/* --- Profiles ------------------------------------------------------------- */

const struct enum_words profile_source_words = {
	.count = PROFILE_SOURCES,
	.unknown = "?",
	.word = { [PROFILE_PACKETS] = "packets", [PROFILE_MPI] = "mpi" },
};

const struct enum_words profile_farm_words = {
	.count = PROFILE_FARM_KINDS,
	.unknown = "?",
	.word = { [PROFILE_NO_FARM] = "none",
		  [PROFILE_FARM_STATIC] = "static",
		  [PROFILE_FARM_DYNAMIC] = "dynamic",
		  [PROFILE_FARM_PROCESSES] = "processes",
		  [PROFILE_FARM_UNCLEAR] = "unclear" },
};

#undef OBJECT
#define OBJECT profile_node
const struct field profile_node_fields[] = {
	BOTH(tasks, UINT),
	BOTH(busy_s, NUMBER),
	BOTH(ready_s, NUMBER),
	BOTH(idle_s, NUMBER),
	BOTH(spinning_s, NUMBER),
	BOTH(busy_phase_s, NUMBER),
	BOTH(idle_phase_s, NUMBER),
	BOTH(cpu_available, NUMBER),
	BOTH(cpu_speed, NUMBER),
	BOTH(cpu_left, NUMBER),
	FIELD_END,
};

#undef OBJECT
#define OBJECT profile_peer
const struct field profile_peer_fields[] = {
	AS(node, "peer_names", TEXT, .required = true),
	AS(messages, "peer_messages", KNOWN, .required = true),
	AS(bytes, "peer_bytes", KNOWN, .required = true),
	AS(replies, "peer_replies", NUMBER),
	AS(long_messages, "peer_long_messages", NUMBER),
	AS(bandwidth_bps, "peer_bandwidths_bps", NUMBER),
	AS(latency_s, "peer_latencies_s", NUMBER),
	FIELD_END,
};

#undef OBJECT
#define OBJECT profile_pair
const struct field profile_pair_fields[] = {
	SENT(messages, KNOWN),
	SENT(bytes, KNOWN),
	SENT(replies, NUMBER),
	SENT(long_messages, NUMBER),
	SENT(bandwidth_bps, NUMBER),
	SENT(latency_s, NUMBER),
	SENT(from, UINT2),
	SENT(to, UINT2),
	FIELD_END,
};

#undef OBJECT
#define OBJECT profile_farm
const struct field profile_farm_fields[] = {
	SENT(workers, UINT),
	SENT(tasks, NUMBER),
	SENT(tasks_seen, NUMBER),
	SENT(mu_s, NUMBER),
	SENT(sigma_s, NUMBER),
	SENT(bytes, NUMBER),
	SENT(alpha, NUMBER),
	SENT(master_s, NUMBER),
	SENT(message_s, NUMBER),
	SENT(long_message_s, NUMBER),
	SENT(byte_s, NUMBER),
	SENT(kind, ENUM, .words = &profile_farm_words),
	SENT(hub, UINT2),
	FIELD_END,
};

#undef OBJECT
#define OBJECT profile_rank
static const struct field profile_rank_fields[] = {
	AS(rank, "ranks", UINT, .required = true),
	AS(ranks, "rank_counts", UINT, .required = true),
	AS(peer, "rank_peers", INT, .required = true),
	AS(messages, "rank_messages", KNOWN, .required = true),
	AS(bytes, "rank_bytes", KNOWN, .required = true),
	AS(peer_messages, "rank_peer_messages", KNOWN, .required = true),
	AS(peer_bytes, "rank_peer_bytes", KNOWN, .required = true),
	AS(asked_any, "rank_asked_any", KNOWN, .required = true),
	AS(own_s, "rank_own_s", KNOWN, .required = true),
	AS(tasks, "rank_tasks", KNOWN, .required = true),
	AS(tasks_s, "rank_tasks_s", KNOWN, .required = true),
	AS(tasks_s2, "rank_tasks_s2", KNOWN, .required = true),
	FIELD_END,
};

#undef OBJECT
#define OBJECT profile_share
const struct field profile_share_fields[] = {
	BOTH(cluster, TEXT, .required = true),
	BOTH(job_id, UINT, .required = true),
	SENT(node, TEXT, .required = true),
	AS(started_at_s, "started_at", TIME, .required = true),
	STORED(node, "node", TEXT),
	AS(ended_at_s, "ended_at", TIME, .required = true),
	SENT(source, ENUM, .words = &profile_source_words),
	STORED(source, "source", INT),
	AS(phases, "", RECORD, .nested = profile_node_fields),
	BOTH(mpi_s, NUMBER),
	BOTH(mpi_cpu_s, NUMBER),
	BOTH(missed_bytes, NUMBER),
	FIELD_ROW(profile_share, peer, LIST, .name = "peers", .column = "",
		  FIELD_ELEMENTS(profile_share, peer, peer_count,
				 profile_peer_fields)),
	FIELD_ROW(profile_share, rank, LIST, .name = "ranks", .column = "",
		  .sparse = true,
		  FIELD_ELEMENTS(profile_share, rank, rank_count,
				 profile_rank_fields)),
	/* Behind the lists: -1 is no length of these. */
	STORED(peer_count, "peer_count", INT),
	FIELD_END,
};

/* --- What is not known ---------------------------------------------------- */

void fields_unknown(const struct field fields[], void *into)
{
	for (const struct field *f = fields; f->name; f++) {
		char *member = (char *)into + f->offset;
		int count = f->kind == FIELD_LIST     ? f->most
			    : f->kind == FIELD_RECORD ? 1
						      : 0;

		if (f->kind == FIELD_NUMBER || f->kind == FIELD_LIMIT ||
		    f->kind == FIELD_OPEN_TIME)
			*(double *)(void *)member = NAN;
		for (int i = 0; i < count; i++)
			fields_unknown(f->nested,
				       member + (size_t)i * f->stride);
	}
}
