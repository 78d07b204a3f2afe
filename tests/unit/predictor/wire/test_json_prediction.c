/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_prediction.c - a prediction as a message */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/wire.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct random generator = { 99 };

/* A number as odd as they come, or none. */
static double any_number(void)
{
	switch (random_below(&generator, 4)) {
	case 0:
		return NAN;
	case 1:
		return (double)random_below(&generator, 1000);
	default:
		return exp(30 * random_unit(&generator) - 10);
	}
}

static void any_text(char *text, size_t size)
{
	size_t length = random_below(&generator, size);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + random_below(&generator, 127));
	text[length] = '\0';
}

static struct prediction any_prediction(void)
{
	struct prediction p = {
		.made_at_s = 17e8 + 1e8 * random_unit(&generator),
		.stage = (enum prediction_stage)random_below(&generator,
							     STAGE_COUNT),
		.mode = (enum prediction_mode)random_below(&generator,
							   MODE_COUNT),
		.user_id = (uint32_t)random_next(&generator),
		.nodes = (uint32_t)random_next(&generator),
		.tasks = 8,
		.cpus = 16,
		.memory_mb = 1e6 * random_unit(&generator),
		.limit_s = any_number(),
		.basis = BASIS_HISTORY,
		.median_s = 1e6 * random_unit(&generator),
		.quantile = random_unit(&generator),
		.quantile_s = 1e6 * random_unit(&generator),
		.runs = 41,
		.evidence_level = (enum evidence_level)random_below(
			&generator, EVIDENCE_COUNT),
		.evidence_runs = (uint32_t)random_next(&generator),
		.own_runs = (uint32_t)random_next(&generator),
		.extrapolated = random_below(&generator, 2) == 1,
		.outside = "steps 3000, 200 to 600 seen",
		.unbounded = random_below(&generator, 2) == 1,
		.similar_runs = (uint32_t)random_next(&generator),
		.over_limit = (uint32_t)random_next(&generator),
		.judged = 32,
		.held = (uint32_t)random_below(&generator, 33),
		.unfit = random_below(&generator, 2) == 1,
		.nodes_best = (uint32_t)random_below(&generator, 9),
		.last_error = any_number(),
		.limit_chance = random_unit(&generator),
		.candidates_count = (int)random_below(
			&generator, PREDICTION_MODELS_MAX + 1),
	};
	char name[8] = "p";

	snprintf(p.id, sizeof(p.id), "%016llx",
		 (unsigned long long)random_next(&generator));
	any_text(p.cluster, sizeof(p.cluster));
	any_text(p.job_name, sizeof(p.job_name));
	any_text(p.application.name, sizeof(p.application.name));
	any_text(p.assumed_nodes, sizeof(p.assumed_nodes));
	any_text(p.model, sizeof(p.model));
	for (uint64_t i = random_below(&generator, PARAMETERS_MAX + 1); i;
	     i--) {
		snprintf(name, sizeof(name), "p%d", (int)i);
		parameters_set(&p.application.parameters, name,
			       random_unit(&generator) - 0.5, NULL);
	}
	p.unlike =
		(enum prediction_unlike)random_below(&generator, UNLIKE_COUNT);
	if (p.unlike != UNLIKE_NOT) {
		p.unlike_runs = 1 + (uint32_t)random_below(&generator, 99);
		p.unlike_shortest_s = 1 + random_unit(&generator);
		p.unlike_longest_s = 1e6 * random_unit(&generator);
	}
	conditions_init(&p.conditions);
	p.conditions.nodes_known = 3;
	p.conditions.cpu_load = any_number();
	p.conditions.cpu_available = random_unit(&generator);
	p.conditions.latency_s = any_number();
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = any_number();
	p.evidence_count =
		(int)random_below(&generator, PREDICTION_EVIDENCE_MAX + 1);
	for (int i = 0; i < p.evidence_count; i++)
		p.evidence[i] = (struct prediction_evidence){
			.job_id = (uint32_t)random_next(&generator),
			.runtime_s = 1e6 * random_unit(&generator),
			.weight = random_unit(&generator),
		};
	for (int i = 0; i < p.candidates_count; i++) {
		any_text(p.candidates[i].model, sizeof(p.candidates[i].model));
		p.candidates[i].median_s = any_number();
	}
	return p;
}

static int decode(const char *text, struct prediction *ret,
		  struct sp_error *err)
{
	struct json_object *message = wire_parse(text, strlen(text), err);

	ck_assert_msg(message != NULL, "%s: %s", text, err->text);

	int rc = wire_prediction_decode(message, ret, err);

	json_object_put(message);
	return rc;
}

/* What was estimated is shown to a few digits. */
static bool near(double told, double known)
{
	if (isnan(told) || isnan(known))
		return isnan(told) && isnan(known);
	return fabs(told - known) <= 1e-6 * fabs(known);
}

/* Encoding again what arrived gives the same text. */
START_TEST(test_everything_arrives)
{
	for (int round = 0; round < 300; round++) {
		struct prediction sent = any_prediction(), got;
		struct json_object *message = wire_prediction_encode(&sent);
		struct sp_error err = { "" };
		char *text = strdup(json_object_to_json_string(message));

		ck_assert_msg(!decode(text, &got, &err), "%s", err.text);
		ck_assert(fabs(got.made_at_s - sent.made_at_s) < 1e-6);
		ck_assert_double_eq(got.memory_mb, sent.memory_mb);
		ck_assert_uint_eq(got.nodes_best, sent.nodes_best);
		ck_assert_double_eq(got.quantile, sent.quantile);
		ck_assert(near(got.median_s, sent.median_s));
		ck_assert(near(got.last_error, sent.last_error));
		ck_assert_int_eq(got.evidence_level, sent.evidence_level);
		ck_assert_uint_eq(got.evidence_runs, sent.evidence_runs);
		ck_assert_uint_eq(got.own_runs, sent.own_runs);
		ck_assert_uint_eq(got.judged, sent.judged);
		ck_assert_uint_eq(got.held, sent.held);
		ck_assert(got.extrapolated == sent.extrapolated);
		ck_assert_str_eq(got.outside, sent.outside);
		ck_assert(got.unbounded == sent.unbounded);
		ck_assert_int_eq(got.unlike, sent.unlike);
		ck_assert_uint_eq(got.unlike_runs, sent.unlike_runs);
		ck_assert(near(got.unlike_shortest_s, sent.unlike_shortest_s));
		ck_assert(near(got.unlike_longest_s, sent.unlike_longest_s));
		ck_assert_uint_eq(got.similar_runs, sent.similar_runs);
		ck_assert_uint_eq(got.over_limit, sent.over_limit);
		ck_assert(near(got.limit_chance, sent.limit_chance));
		ck_assert_int_eq(isnan(got.limit_s), isnan(sent.limit_s));
		ck_assert_str_eq(got.id, sent.id);
		ck_assert_str_eq(got.application.name, sent.application.name);
		ck_assert(parameters_alike(&got.application.parameters,
					   &sent.application.parameters));
		ck_assert_double_nan(got.conditions.bandwidth_bps);
		for (int i = 0; i < PREDICTION_KNOTS; i++)
			ck_assert(near(got.knots_s[i], sent.knots_s[i]));

		struct json_object *again = wire_prediction_encode(&got);

		ck_assert_str_eq(json_object_to_json_string(again), text);
		json_object_put(again);
		json_object_put(message);
		free(text);
	}
}
END_TEST

START_TEST(test_least_message)
{
	struct prediction p;
	struct sp_error err = { "" };

	ck_assert_msg(!decode("{\"basis\":\"nothing\",\"median_s\":null,"
			      "\"quantile\":0.9,\"quantile_s\":null}",
			      &p, &err),
		      "%s", err.text);
	ck_assert_str_eq(p.id, "");
	ck_assert_double_nan(p.median_s);
	ck_assert_double_nan(p.limit_s);
	ck_assert_double_nan(p.last_error);
	ck_assert_double_nan(p.conditions.cpu_load);
	ck_assert_int_eq(p.candidates_count, 0);
	ck_assert_int_eq(p.stage, STAGE_SUBMISSION);
	ck_assert_int_eq(p.evidence_count, 0);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ck_assert_double_nan(p.knots_s[i]);
}
END_TEST

/* The reply as printed, read by json-c; gives what stands in it. */
static struct json_object *reply(const struct prediction *p, bool brief,
				 struct prediction *ret)
{
	const double starts[PREDICTION_STARTS] = { 17, 3e5, 1.5 };
	struct wire_text text = { 0 };
	struct sp_error err = { "" };
	struct prediction_answer answer = { .id = "" };
	struct json_object *part;

	if (brief)
		wire_answer_reply(p, "0 1 \"", "z7", true, true, true, starts,
				  &text);
	else
		wire_prediction_reply(p, "1.2", &text);
	ck_assert(!text.failed);

	struct json_object *whole = wire_parse(text.bytes, text.size, &err);

	ck_assert_msg(whole != NULL, "%s", err.text);
	wire_text_clear(&text);
	if (brief) {
		ck_assert_int_eq(json_object_object_length(whole), 7);
		wire_answer_starts(whole, &answer);
		ck_assert(answer.starts_known);
		for (int i = 0; i < PREDICTION_STARTS; i++)
			ck_assert_double_eq(answer.starts[i], starts[i]);
		ck_assert(json_object_object_get_ex(whole, "weights", &part));
		ck_assert_str_eq(json_object_get_string(part), "z7");
		ck_assert(json_object_object_get_ex(whole, "profile", &part));
		ck_assert(json_object_get_boolean(part));
		ck_assert(json_object_object_get_ex(whole, "placement", &part));
		ck_assert_str_eq(json_object_get_string(part), "0 1 \"");
	} else {
		ck_assert_int_eq(json_object_object_length(whole), 4);
		ck_assert(json_object_object_get_ex(whole, "errors", &part));
		ck_assert_uint_eq(json_object_array_length(part), 0);
		ck_assert(json_object_object_get_ex(whole, "warnings", &part));
		ck_assert_uint_eq(json_object_array_length(part), 0);
		ck_assert(json_object_object_get_ex(whole, "meta", &part));
		ck_assert_str_eq(json_object_to_json_string_ext(part, 0),
				 "{\"version\":\"1.2\"}");
	}
	ck_assert(json_object_object_get_ex(whole, "prediction", &part));
	ck_assert_int_eq(wire_prediction_decode(part, ret, &err), 0);
	json_object_get(part);
	json_object_put(whole);
	return part;
}

START_TEST(test_reply_is_the_message)
{
	for (int i = 0; i < 100; i++) {
		struct prediction p = any_prediction(), q;
		struct json_object *told = reply(&p, false, &q);
		struct json_object *message = wire_prediction_encode(&p);

		ck_assert(json_object_equal(told, message));
		json_object_put(message);
		json_object_put(told);
	}
}
END_TEST

START_TEST(test_brief_is_the_answer)
{
	for (int i = 0; i < 100; i++) {
		struct prediction p = any_prediction(), q;

		json_object_put(reply(&p, true, &q));
		ck_assert_str_eq(q.id, p.id);
		ck_assert_int_eq(q.basis, p.basis);
		ck_assert(near(q.median_s, p.median_s));
		ck_assert_double_eq(q.quantile, p.quantile);
		ck_assert(near(q.quantile_s, p.quantile_s));
		ck_assert_uint_eq(q.runs, p.runs);
		ck_assert_int_eq(q.evidence_level, p.evidence_level);
		ck_assert_uint_eq(q.evidence_runs, p.evidence_runs);
		ck_assert_uint_eq(q.own_runs, p.own_runs);
		ck_assert_uint_eq(q.judged, p.judged);
		ck_assert_uint_eq(q.held, p.held);
		ck_assert(q.extrapolated == p.extrapolated);
		ck_assert_str_eq(q.outside, p.outside);
		ck_assert(q.unbounded == p.unbounded);
		ck_assert_uint_eq(q.similar_runs, p.similar_runs);
		ck_assert_uint_eq(q.over_limit, p.over_limit);
		ck_assert_str_eq(q.cluster, ""); /* no query point */
		ck_assert_int_eq(q.candidates_count, 0);
	}
}
END_TEST

#define REST                                                    \
	",\"basis\":\"limit\",\"median_s\":1,\"quantile\":0.9," \
	"\"quantile_s\":1}"

START_TEST(test_names_the_bad_field)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "{}", "basis: is missing" },
		{ "{\"basis\":\"history\",\"median_s\":null,\"quantile\":0.9,"
		  "\"quantile_s\":1}",
		  "median_s: is missing" },
		{ "{\"basis\":\"limit\",\"median_s\":-1}",
		  "median_s: must be in 0 to 1e+15" },
		{ "{\"basis\":\"limit\",\"median_s\":1e16}",
		  "median_s: must be in 0 to 1e+15" },
		{ "{\"basis\":\"limit\",\"median_s\":Infinity}",
		  "median_s: must be finite" },
		{ "{\"basis\":\"limit\",\"median_s\":\"1\"}",
		  "median_s: must be a number" },
		{ "{\"basis\":\"limit\",\"median_s\":1,\"quantile\":null}",
		  "quantile: is missing" },
		{ "{\"basis\":\"limit\",\"median_s\":1,\"quantile\":2}",
		  "quantile: must be in 0 to 1" },
		{ "{\"id\":\"0123\"" REST,
		  "id: must be 16 hexadecimal digits" },
		{ "{\"id\":\"0123456789ABCDEF\"" REST,
		  "id: must be 16 hexadecimal digits" },
		{ "{\"id\":\"0123456789abcdef0\"" REST,
		  "id: longer than 16 bytes" },
		{ "{\"made_at_s\":1e12" REST,
		  "made_at_s: must be in 0 to 253402300799" },
		{ "{\"conditions\":{\"cpu_available\":1.5}" REST,
		  "conditions.cpu_available: must be in 0 to 1" },
		{ "{\"parameters\":{\"n\":\"1\"}" REST,
		  "parameters.n: must be a number" },
		{ "{\"parameters\":{\"n\":1e999}" REST,
		  "parameters.n: must be finite" },
		{ "{\"parameters\":{\"a b\":1}" REST,
		  "parameters: bad parameter name 'a b'" },
		{ "{\"candidates\":[{\"model\":\"a\"},{}]" REST,
		  "candidates[1].model: is missing" },
		{ "{\"stage\":\"end\"" REST, "stage: unknown word 'end'" },
		{ "{\"quantiles\":[[0.5,1],[0.9]]" REST,
		  "quantiles[1]: must be an array of two" },
		{ "{\"quantiles\":[[0.5,\"1\"]]" REST,
		  "quantiles[0]: must be a number" },
		{ "{\"quantiles\":[[1.5,1]]" REST,
		  "quantiles[0]: must be in 0 to 1" },
		{ "{\"quantiles\":[[0.5,-1]]" REST,
		  "quantiles[0]: must be in 0 to 1e+15" },
		{ "{\"evidence\":[{\"job_id\":1,\"runtime_s\":2,"
		  "\"weight\":2}]" REST,
		  "evidence[0].weight: must be in 0 to 1" },
		{ "{\"evidence\":[{\"job_id\":1}]" REST,
		  "evidence[0].runtime_s: is missing" },
		{ "{\"candidates\":7" REST, "candidates: must be an array" },
		{ "{\"model\":\"0123456789012345678901234\"" REST,
		  "model: longer than 23 bytes" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct prediction p, before;
		struct sp_error err = { "" };

		memset(&p, 0x5a, sizeof(p));
		memcpy(&before, &p, sizeof(p));
		ck_assert_int_eq(decode(cases[i].text, &p, &err), -1);
		ck_assert_str_eq(err.text, cases[i].message);
		ck_assert_mem_eq(&p, &before, sizeof(p));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_everything_arrives,   test_least_message,
		test_reply_is_the_message, test_brief_is_the_answer,
		test_names_the_bad_field,  NULL
	};

	return suite_run("prediction", tests);
}
