/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_prediction.c - a prediction as a message
 *
 * Tables of fields (fields.h) say what a prediction and an answer have in
 * JSON; lists and the distribution have functions of their own. A message in
 * which basis and times contradict each other is refused.
 */
#include <math.h>
#include <string.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

/* --- Arrays of objects, at the whole prediction ---------------------------- */

/* Where in a prediction the elements of an array lie. */
struct list {
	const struct field *fields; /* of one element */
	size_t count, first;        /* offsets of an int, and of the array */
	size_t size;                /* of one element */
	int max;
};

static bool list_print(const struct list *list, const void *member,
		       struct wire_text *out)
{
	const char *p = member;
	const int *count = (const int *)(const void *)(p + list->count);

	wire_text_add(out, "[", 1);
	for (int i = 0; i < *count; i++) {
		if (i)
			wire_text_add(out, ",", 1);
		fields_print(list->fields,
			     p + list->first + (size_t)i * list->size, out);
	}
	wire_text_add(out, "]", 1);
	return true;
}

static int list_decode(const struct list *list, struct json_object *value,
		       void *member, struct sp_error *err)
{
	char *p = member;
	int *ret_count = (int *)(void *)(p + list->count);
	struct sp_error why;

	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");

	size_t count = json_object_array_length(value);

	if (count > (size_t)list->max)
		return sp_error_set(err, ": has more than %d entries",
				    list->max);
	for (size_t i = 0; i < count; i++)
		if (fields_decode(list->fields,
				  json_object_array_get_idx(value, i),
				  p + list->first + i * list->size, &why) < 0)
			return sp_error_set(err, "[%zu].%s", i, why.text);
	*ret_count = (int)count;
	return 0;
}

#define LIST(name, its_fields, its_max)                               \
	{                                                             \
		.fields = (its_fields),                               \
		.count = offsetof(struct prediction, name##_count),   \
		.first = offsetof(struct prediction, name),           \
		.size = sizeof(((struct prediction *)NULL)->name[0]), \
		.max = (its_max),                                     \
	}

static const struct field candidate_fields[] = {
	FIELD(struct prediction_candidate, model, codec_text, .required = true),
	FIELD(struct prediction_candidate, median_s, codec_number,
	      .estimated = true),
	{ .name = NULL },
};

static const struct list candidates =
	LIST(candidates, candidate_fields, PREDICTION_MODELS_MAX);

static bool candidates_print(const struct field *field, const void *member,
			     struct wire_text *out)
{
	(void)field;
	return list_print(&candidates, member, out);
}

static int candidates_decode(const struct field *field,
			     struct json_object *value, void *member,
			     struct sp_error *err)
{
	struct prediction *p = member;

	(void)field;
	for (int i = 0; i < PREDICTION_MODELS_MAX; i++)
		p->candidates[i].median_s = NAN;
	return list_decode(&candidates, value, member, err);
}

static const struct codec codec_candidates = { candidates_print,
					       candidates_decode, false };

static const struct field evidence_fields[] = {
	FIELD(struct prediction_evidence, job_id, codec_u32, .required = true),
	FIELD(struct prediction_evidence, runtime_s, codec_known,
	      .estimated = true, .required = true),
	FIELD(struct prediction_evidence, weight, codec_known,
	      .estimated = true, .required = true, .max = 1),
	{ .name = NULL },
};

static const struct list evidence =
	LIST(evidence, evidence_fields, PREDICTION_EVIDENCE_MAX);

static bool evidence_print(const struct field *field, const void *member,
			   struct wire_text *out)
{
	(void)field;
	return list_print(&evidence, member, out);
}

static int evidence_decode(const struct field *field, struct json_object *value,
			   void *member, struct sp_error *err)
{
	(void)field;
	return list_decode(&evidence, value, member, err);
}

static const struct codec codec_evidence = { evidence_print, evidence_decode,
					     false };

/* --- The distribution: [[probability, seconds], ...] ----------------------- */

/* Nothing known is an empty array. */
static bool quantiles_print(const struct field *field, const void *member,
			    struct wire_text *out)
{
	const double *knots_s = member;
	const char *before = "[[";

	(void)field;
	for (int i = 0; i < PREDICTION_KNOTS; i++) {
		if (isnan(knots_s[i]))
			continue;
		wire_text_add_constant(out, before);
		wire_text_add_number(out, prediction_knots[i]);
		wire_text_add(out, ",", 1);
		wire_text_add_estimate(out, knots_s[i]);
		before = "],[";
	}
	wire_text_add_constant(out, *before == '[' ? "[]" : "]]");
	return true;
}

static int decode_quantile(struct json_object *pair, double knots_s[],
			   struct sp_error *err)
{
	double probability;
	double seconds;

	if (!json_object_is_type(pair, json_type_array) ||
	    json_object_array_length(pair) != 2)
		return sp_error_set(err, ": must be an array of two");
	if (decode_number(json_object_array_get_idx(pair, 0), 0, 1,
			  &probability, err) ||
	    decode_number(json_object_array_get_idx(pair, 1), 0, 1e15, &seconds,
			  err))
		return -1;
	/* Others than we keep are another version's. */
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (fabs(prediction_knots[i] - probability) < 1e-9)
			knots_s[i] = seconds;
	return 0;
}

static int quantiles_decode(const struct field *field,
			    struct json_object *value, void *member,
			    struct sp_error *err)
{
	double *knots_s = member;
	struct sp_error why;

	(void)field;
	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");

	size_t count = json_object_array_length(value);

	if (count > 4 * PREDICTION_KNOTS)
		return sp_error_set(err, ": has more than %d entries",
				    4 * PREDICTION_KNOTS);
	for (size_t i = 0; i < count; i++)
		if (decode_quantile(json_object_array_get_idx(value, i),
				    knots_s, &why))
			return sp_error_set(err, "[%zu]%s", i, why.text);
	return 0;
}

static const struct codec codec_quantiles = { quantiles_print, quantiles_decode,
					      false };

/* --- The message --------------------------------------------------------- */

#define MEMBER(member, codec) FIELD(struct prediction, member, codec)
#define REQUIRED(member, codec) \
	FIELD(struct prediction, member, codec, .required = true)

#define ESTIMATE(member, ...)                                             \
	FIELD(struct prediction, member, codec_number, .estimated = true, \
	      __VA_ARGS__)

static const struct field prediction_fields[] = {
	MEMBER(id, codec_id),
	MEMBER(stage, codec_stage),
	MEMBER(made_at_s, codec_time),
	MEMBER(mode, codec_mode),
	MEMBER(cluster, codec_text),
	MEMBER(user_id, codec_u32),
	MEMBER(account, codec_text),
	MEMBER(partition, codec_text),
	MEMBER(qos, codec_text),
	MEMBER(features, codec_text),
	MEMBER(gres, codec_text),
	MEMBER(job_name, codec_text),
	{ .name = "application",
	  .codec = &codec_text,
	  .offset = offsetof(struct prediction, application.name),
	  .size = APPLICATION_NAME_SIZE },
	{ .name = "parameters",
	  .codec = &codec_parameters,
	  .offset = offsetof(struct prediction, application.parameters) },
	{ .name = "traits",
	  .codec = &codec_text,
	  .offset = offsetof(struct prediction, application.traits),
	  .size = TRAITS_SIZE },
	MEMBER(nodes, codec_u32),
	MEMBER(tasks, codec_u32),
	MEMBER(cpus, codec_u32),
	MEMBER(memory_mb, codec_number),
	MEMBER(limit_s, codec_limit),
	MEMBER(assumed_nodes, codec_text),
	FIELD(struct prediction, unfit, codec_bool, .sparse = true),
	FIELD(struct prediction, nodes_best, codec_u32, .sparse = true),
	FIELD(struct prediction, nodes_shown, codec_text, .sparse = true),
	FIELD(struct prediction, conditions, codec_object,
	      .nested = conditions_fields),
	REQUIRED(basis, codec_basis),
	MEMBER(model, codec_text),
	ESTIMATE(median_s, .required = true),
	FIELD(struct prediction, quantile, codec_known, .required = true,
	      .max = 1),
	ESTIMATE(quantile_s, .required = true),
	MEMBER(runs, codec_u32),
	MEMBER(evidence_level, codec_evidence_level),
	MEMBER(evidence_runs, codec_u32),
	MEMBER(own_runs, codec_u32),
	MEMBER(judged, codec_u32),
	MEMBER(held, codec_u32),
	FIELD(struct prediction, extrapolated, codec_bool, .sparse = true),
	FIELD(struct prediction, outside, codec_text, .sparse = true),
	FIELD(struct prediction, unbounded, codec_bool, .sparse = true),
	MEMBER(similar_runs, codec_u32),
	MEMBER(over_limit, codec_u32),
	ESTIMATE(last_error),
	FIELD(struct prediction, unlike, codec_unlike, .sparse = true),
	FIELD(struct prediction, unlike_runs, codec_u32, .sparse = true),
	ESTIMATE(unlike_shortest_s, .sparse = true),
	ESTIMATE(unlike_longest_s, .sparse = true),
	{ .name = "quantiles",
	  .codec = &codec_quantiles,
	  .offset = offsetof(struct prediction, knots_s) },
	{ .name = "evidence", .codec = &codec_evidence },
	{ .name = "candidates", .codec = &codec_candidates },
	{ .name = NULL },
};

/* For both structs that have these members. */
#define ANSWER_FIELDS(type)                                                   \
	FIELD(type, id, codec_id), FIELD(type, limit_s, codec_limit),         \
		FIELD(type, basis, codec_basis, .required = true),            \
		FIELD(type, median_s, codec_number, .estimated = true,        \
		      .required = true),                                      \
		FIELD(type, quantile, codec_known, .required = true,          \
		      .max = 1),                                              \
		FIELD(type, quantile_s, codec_number, .estimated = true,      \
		      .required = true),                                      \
		FIELD(type, runs, codec_u32),                                 \
		FIELD(type, unfit, codec_bool, .sparse = true),               \
		FIELD(type, nodes_best, codec_u32, .sparse = true),           \
		FIELD(type, nodes_shown, codec_text, .sparse = true),         \
		FIELD(type, evidence_level, codec_evidence_level),            \
		FIELD(type, evidence_runs, codec_u32),                        \
		FIELD(type, own_runs, codec_u32),                             \
		FIELD(type, judged, codec_u32), FIELD(type, held, codec_u32), \
		FIELD(type, extrapolated, codec_bool, .sparse = true),        \
		FIELD(type, outside, codec_text, .sparse = true),             \
		FIELD(type, unbounded, codec_bool, .sparse = true),           \
		FIELD(type, similar_runs, codec_u32),                         \
		FIELD(type, over_limit, codec_u32),                           \
		FIELD(type, start_cost_s, codec_number, .sparse = true),      \
		FIELD(type, last_error, codec_number, .estimated = true)

static const struct field brief_fields[] = {
	ANSWER_FIELDS(struct prediction),
	{ .name = NULL },
};

static const struct field answer_fields[] = {
	ANSWER_FIELDS(struct prediction_answer),
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
		       const char *weights, bool profile, bool trace,
		       struct wire_text *out)
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
	wire_text_add_constant(out, trace ? ",\"trace\":true}" : "}");
}

/* So that whoever reads the basis need not doubt the numbers. */
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
		.rejected_s = NAN,
	};

	conditions_init(&p.conditions);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = NAN;
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
