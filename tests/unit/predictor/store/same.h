/* SPDX-License-Identifier: GPL-2.0-or-later */
/* same.h - what was stored against what comes back, member by member */
#pragma once

#include <math.h>

#include "tests/unit/predictor/store/database.h"

static inline void same_text(const char *a, const char *b, const char *member)
{
	ck_assert_msg(strcmp(a, b) == 0, "%s: %s, not %s", member, a, b);
}

static inline void same_int(int64_t a, int64_t b, const char *member)
{
	ck_assert_msg(a == b, "%s: %jd, not %jd", member, (intmax_t)a,
		      (intmax_t)b);
}

static inline void same_real(double a, double b, const char *member)
{
	ck_assert_msg(a == b || (isnan(a) && isnan(b)), "%s: %.17g, not %.17g",
		      member, a, b);
}

/* Members one by one: padding may differ, and NAN equals NAN here. */
#define SAME_TEXT(a, b, member) same_text((a).member, (b).member, #member)
#define SAME_INT(a, b, member)  same_int((a).member, (b).member, #member)
#define SAME_REAL(a, b, member) same_real((a).member, (b).member, #member)

static inline void check_same_conditions(struct conditions a,
					 struct conditions b)
{
	SAME_INT(a, b, nodes_known);
	SAME_REAL(a, b, cpu_load);
	SAME_REAL(a, b, cpu_load_max);
	SAME_REAL(a, b, cpu_available);
	SAME_REAL(a, b, cpu_available_min);
	SAME_REAL(a, b, bandwidth_bps);
	SAME_REAL(a, b, latency_s);
}

static inline void check_same_application(const struct application *a,
					  const struct application *b)
{
	ck_assert_str_eq(a->name, b->name);
	ck_assert_str_eq(a->traits, b->traits);
	ck_assert_int_eq(a->parameters.count, b->parameters.count);
	for (int i = 0; i < a->parameters.count; i++) {
		SAME_TEXT(a->parameters.of[i], b->parameters.of[i], name);
		SAME_REAL(a->parameters.of[i], b->parameters.of[i], value);
	}
}

static inline void check_same_run(struct run a, struct run b)
{
	SAME_TEXT(a, b, cluster);
	SAME_INT(a, b, job_id);
	SAME_INT(a, b, array_job_id);
	SAME_INT(a, b, array_task_id);
	SAME_INT(a, b, het_job_id);
	SAME_INT(a, b, het_offset);
	SAME_INT(a, b, user_id);
	SAME_TEXT(a, b, user);
	SAME_TEXT(a, b, account);
	SAME_TEXT(a, b, partition);
	SAME_TEXT(a, b, qos);
	SAME_TEXT(a, b, features);
	SAME_TEXT(a, b, gres);
	SAME_TEXT(a, b, licenses);
	SAME_TEXT(a, b, job_name);
	SAME_TEXT(a, b, prediction_id);
	SAME_INT(a, b, nodes);
	SAME_INT(a, b, tasks);
	SAME_INT(a, b, cpus);
	SAME_REAL(a, b, memory_mb);
	SAME_REAL(a, b, limit_s);
	SAME_TEXT(a, b, node_list);
	SAME_REAL(a, b, submitted_at_s);
	SAME_REAL(a, b, started_at_s);
	SAME_REAL(a, b, ended_at_s);
	SAME_REAL(a, b, suspended_s);
	SAME_INT(a, b, state);
	SAME_INT(a, b, exit_code);
	SAME_INT(a, b, exit_signal);
	check_same_application(&a.application, &b.application);
	check_same_conditions(a.before, b.before);
}

static inline void check_same_prediction(struct prediction a,
					 struct prediction b)
{
	SAME_TEXT(a, b, id);
	SAME_INT(a, b, stage);
	SAME_REAL(a, b, made_at_s);
	SAME_INT(a, b, mode);
	SAME_TEXT(a, b, cluster);
	SAME_INT(a, b, user_id);
	SAME_TEXT(a, b, account);
	SAME_TEXT(a, b, partition);
	SAME_TEXT(a, b, qos);
	SAME_TEXT(a, b, features);
	SAME_TEXT(a, b, gres);
	SAME_TEXT(a, b, job_name);
	SAME_INT(a, b, nodes);
	SAME_INT(a, b, tasks);
	SAME_INT(a, b, cpus);
	SAME_REAL(a, b, memory_mb);
	SAME_REAL(a, b, limit_s);
	SAME_TEXT(a, b, assumed_nodes);
	SAME_TEXT(a, b, rejected_nodes);
	SAME_REAL(a, b, rejected_s);
	SAME_INT(a, b, basis);
	SAME_TEXT(a, b, model);
	SAME_REAL(a, b, median_s);
	SAME_REAL(a, b, quantile);
	SAME_REAL(a, b, quantile_s);
	SAME_INT(a, b, runs);
	SAME_INT(a, b, evidence_level);
	SAME_INT(a, b, evidence_runs);
	SAME_INT(a, b, own_runs);
	SAME_INT(a, b, judged);
	SAME_INT(a, b, held);
	SAME_INT(a, b, extrapolated);
	SAME_INT(a, b, similar_runs);
	SAME_INT(a, b, over_limit);
	SAME_TEXT(a, b, outside);
	SAME_INT(a, b, unbounded);
	SAME_INT(a, b, unlike);
	SAME_INT(a, b, unlike_runs);
	SAME_REAL(a, b, unlike_shortest_s);
	SAME_REAL(a, b, unlike_longest_s);
	SAME_REAL(a, b, last_error);
	SAME_REAL(a, b, limit_chance);
	check_same_application(&a.application, &b.application);
	check_same_conditions(a.conditions, b.conditions);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		SAME_REAL(a, b, knots_s[i]);
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		SAME_REAL(a, b, levels[i]);
	ck_assert_int_eq(a.evidence_count, b.evidence_count);
	for (int i = 0; i < a.evidence_count; i++) {
		SAME_INT(a.evidence[i], b.evidence[i], job_id);
		SAME_REAL(a.evidence[i], b.evidence[i], runtime_s);
		SAME_REAL(a.evidence[i], b.evidence[i], weight);
	}
	ck_assert_int_eq(a.candidates_count, b.candidates_count);
	for (int i = 0; i < a.candidates_count; i++) {
		SAME_TEXT(a.candidates[i], b.candidates[i], model);
		SAME_REAL(a.candidates[i], b.candidates[i], median_s);
	}
}
