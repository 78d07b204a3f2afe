/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_prediction.c - a prediction as a message
 *
 * The whole is as features/describe.h has it, the brief answer as the table
 * here.  A message in which basis and times contradict each other is refused.
 */
#include <math.h>
#include <string.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

/* --- The message --------------------------------------------------------- */

/* For both structs that have these members. */
#define ANSWER_FIELDS(type)                                                    \
	FIELD(type, id, ID), FIELD(type, limit_s, LIMIT),                      \
		FIELD(type, basis, ENUM, .words = &prediction_basis_words,     \
		      .required = true),                                       \
		FIELD(type, median_s, NUMBER, .estimated = true,               \
		      .required = true),                                       \
		FIELD(type, quantile, KNOWN, .required = true, .max = 1),      \
		FIELD(type, quantile_s, NUMBER, .estimated = true,             \
		      .required = true),                                       \
		FIELD(type, runs, UINT),                                       \
		FIELD(type, unfit, BOOL, .sparse = true),                      \
		FIELD(type, nodes_best, UINT, .sparse = true),                 \
		FIELD(type, nodes_shown, TEXT, .sparse = true),                \
		FIELD(type, evidence_level, ENUM,                              \
		      .words = &evidence_level_words),                         \
		FIELD(type, evidence_runs, UINT), FIELD(type, own_runs, UINT), \
		FIELD(type, judged, UINT), FIELD(type, held, UINT),            \
		FIELD(type, extrapolated, BOOL, .sparse = true),               \
		FIELD(type, outside, TEXT, .sparse = true),                    \
		FIELD(type, unbounded, BOOL, .sparse = true),                  \
		FIELD(type, similar_runs, UINT),                               \
		FIELD(type, over_limit, UINT),                                 \
		FIELD(type, start_cost_s, NUMBER, .sparse = true),             \
		FIELD(type, last_error, NUMBER, .estimated = true)

static const struct field brief_fields[] = {
	ANSWER_FIELDS(prediction),
	{ .name = NULL },
};

static const struct field answer_fields[] = {
	ANSWER_FIELDS(prediction_answer),
	{ .name = NULL },
};

struct json_object *wire_prediction_encode(const struct prediction *p)
{
	return fields_encode(prediction_fields, p);
}

void wire_prediction_reply(const struct prediction *p, const char *version,
			   struct wire_text *out)
{
	wire_text_add_constant(
		out, "{\"errors\":[],\"warnings\":[],\"prediction\":");
	fields_print(prediction_fields, p, out);
	wire_text_add_constant(out, ",\"meta\":{\"version\":");
	wire_text_add_string(out, version, strlen(version));
	wire_text_add_constant(out, "}}");
}

/* Nothing else: slurmctld waits while it is made, sent and read. */
void wire_answer_reply(const struct prediction *p, const char *placement,
		       const char *weights, bool profile, bool mpi, bool trace,
		       const double *starts, struct wire_text *out)
{
	wire_text_add_constant(out, "{\"prediction\":");
	fields_print(brief_fields, p, out);
	if (placement) {
		wire_text_add_constant(out, ",\"placement\":");
		wire_text_add_string(out, placement, strlen(placement));
	}
	if (placement && *weights) {
		wire_text_add_constant(out, ",\"weights\":");
		wire_text_add_string(out, weights, strlen(weights));
	}
	wire_text_add_constant(out, ",\"profile\":");
	wire_text_add_constant(out, profile ? "true" : "false");
	if (profile && mpi)
		wire_text_add_constant(out, ",\"profile_mpi\":true");
	for (int i = 0; starts && i < PREDICTION_STARTS; i++) {
		wire_text_add_constant(out, i ? "," : ",\"starts\":[");
		wire_text_add_number(out, starts[i]);
	}
	wire_text_add_constant(out, starts ? "]" : "");
	wire_text_add_constant(out, trace ? ",\"trace\":true}" : "}");
}

void wire_answer_starts(struct json_object *message,
			struct prediction_answer *ret)
{
	struct json_object *starts;

	if (!json_object_object_get_ex(message, "starts", &starts) ||
	    !json_object_is_type(starts, json_type_array) ||
	    json_object_array_length(starts) != PREDICTION_STARTS)
		return;
	ret->starts_known = true;
	for (size_t i = 0; i < PREDICTION_STARTS; i++)
		ret->starts[i] = json_object_get_double(
			json_object_array_get_idx(starts, i));
}

/* Check the numbers against the basis, which readers may then rely on. */
static int answer_check(enum prediction_basis basis, double median_s,
			double quantile_s, struct sp_error *err)
{
	if (basis == BASIS_HISTORY && (isnan(median_s) || isnan(quantile_s)))
		return sp_error_set(err, "median_s: is missing");
	return 0;
}

int wire_prediction_decode(struct json_object *message, struct prediction *ret,
			   struct sp_error *err)
{
	struct prediction p = {
		.mode = MODE_ADVISE,
		.limit_s = NAN,
		.last_error = NAN,
		.limit_chance = NAN,
		.rejected_s = NAN,
	};

	conditions_init(&p.conditions);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = NAN;
	for (int i = 0; i < PREDICTION_MODELS_MAX; i++)
		p.candidates[i].median_s = NAN;
	if (fields_decode(prediction_fields, message, &p, err) < 0)
		return -1;
	if (answer_check(p.basis, p.median_s, p.quantile_s, err))
		return -1;
	*ret = p;
	return 0;
}

int wire_answer_decode(struct json_object *message,
		       struct prediction_answer *ret, struct sp_error *err)
{
	struct prediction_answer a = { .limit_s = NAN, .last_error = NAN };

	if (fields_decode(answer_fields, message, &a, err) < 0 ||
	    answer_check(a.basis, a.median_s, a.quantile_s, err))
		return -1;
	*ret = a;
	return 0;
}
