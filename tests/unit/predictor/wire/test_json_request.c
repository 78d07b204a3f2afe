/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_request.c - what is asked of POST /v1/predictions */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static struct wire_request request;
static struct json_object *message;
static struct sp_error err;

static int decode(const char *text)
{
	json_object_put(message);
	message = wire_parse(text, strlen(text), &err);
	ck_assert_msg(message != NULL, "%s: %s", text, err.text);
	return wire_request_decode(message, &request, &err);
}

/* Encode, make it text, and decode that into `request`. */
static void send(const struct wire_request *sent)
{
	struct json_object *object = wire_request_encode(sent);
	char *text = strdup(json_object_to_json_string(object));

	ck_assert_int_eq(json_object_put(object), 1);
	ck_assert_msg(!decode(text), "%s", err.text);
	free(text);
}

START_TEST(test_begun)
{
	struct wire_request begun;
	struct wire_text text = { 0 };

	memset(&begun, 0xff, sizeof(begun)); /* nothing is left as it was */
	wire_request_init(&begun);
	wire_request_print(&begun, &text);
	ck_assert(!text.failed);
	ck_assert_str_eq(text.bytes,
			 "{\"job\":{\"user_id\":0,\"limit_s\":null},"
			 "\"mode\":\"advise\",\"quantile\":0.9,"
			 "\"version\":1}");
	wire_text_clear(&text);
}
END_TEST

START_TEST(test_everything_arrives)
{
	struct wire_request sent = { .mode = MODE_ACT,
				     .quantile = 0.95,
				     .dry_run = true,
				     .brief = true,
				     .sets = 3 };
	struct submission *job = &sent.job;

	submission_init(job);
	job->cluster = "little";
	job->user_id = UINT32_MAX;
	job->script = "#!/bin/bash\necho \"\\\t\x01\" '/'\n";
	job->name = "n\xc3\xbc";
	job->features = "avx2|avx512";
	job->gres = (struct gres_request){ .per_node = "gpu:1",
					   .per_job = "gpu:2",
					   .per_socket = "gpu:3",
					   .per_task = "gpu:4" };
	job->size.nodes_min = 3;
	job->size.nodes_want = 5;
	job->size.cpus_per_node_min = 7;
	job->size.overcommit = true;
	job->size.memory_per_cpu_mb = 0.1;
	job->limit_s = HUGE_VAL;
	job->size.exclusive = true;
	job->placed = true;
	job->nodes_goal = "efficiency:0.7";
	job->arguments_count = 2;
	job->arguments[0] = "job.sh";
	job->arguments[1] = "";
	job->settings_count = 1;
	job->settings[0] = (struct setting){ "param", "n=8000" };
	send(&sent);
	ck_assert_str_eq(request.job.cluster, "little");
	ck_assert_uint_eq(request.job.user_id, UINT32_MAX);
	ck_assert_str_eq(request.job.script, job->script);
	ck_assert_str_eq(request.job.name, job->name);
	ck_assert_ptr_null(request.job.account);
	ck_assert_str_eq(request.job.features, "avx2|avx512");
	ck_assert_str_eq(request.job.gres.per_node, "gpu:1");
	ck_assert_str_eq(request.job.gres.per_job, "gpu:2");
	ck_assert_str_eq(request.job.gres.per_socket, "gpu:3");
	ck_assert_str_eq(request.job.gres.per_task, "gpu:4");
	ck_assert_uint_eq(request.job.size.nodes_want, 5);
	ck_assert_uint_eq(request.job.size.cpus_per_node_min, 7);
	ck_assert(request.job.size.overcommit);
	ck_assert_uint_eq(request.job.size.nodes_min, 3);
	ck_assert_double_eq(request.job.size.memory_per_cpu_mb, 0.1);
	ck_assert(isinf(request.job.limit_s));
	ck_assert(request.job.size.exclusive && !request.job.test_only);
	ck_assert(request.job.placed);
	ck_assert_str_eq(request.job.nodes_goal, "efficiency:0.7");
	ck_assert_uint_eq(request.job.arguments_count, 2);
	ck_assert_str_eq(request.job.arguments[1], "");
	ck_assert_uint_eq(request.job.settings_count, 1);
	ck_assert_str_eq(request.job.settings[0].value, "n=8000");
	ck_assert_int_eq(request.mode, MODE_ACT);
	ck_assert_double_eq(request.quantile, 0.95);
	ck_assert(request.dry_run);
	ck_assert(request.brief);
	ck_assert_uint_eq(request.sets, 3);
	json_object_put(message);
}
END_TEST

/* The name of a setting may say that its value is a secret. */
START_TEST(test_settings_with_secrets)
{
	static const char wire[] =
		"{\"job\":{\"user_id\":1,\"settings\":["
		"{\"name\":\"PREDICT_db_password\",\"value\":\"horse\"},"
		"{\"name\":\"env\",\"value\":\"DB_PASSWORD=horse\"},"
		"{\"name\":\"PREDICT_n\",\"value\":\"horse\"}]}}";
	struct wire_request sent = { .mode = MODE_ADVISE, .quantile = .5 };
	struct wire_text out = { 0 };

	ck_assert_int_eq(decode(wire), 0);
	ck_assert_str_eq(request.job.settings[0].value, "***");
	ck_assert_str_eq(request.job.settings[1].value, "DB_PASSWORD=***");
	ck_assert_str_eq(request.job.settings[2].value, "horse");

	submission_init(&sent.job);
	sent.job.settings_count = 1;
	sent.job.settings[0] = (struct setting){ "PREDICT_token", "horse9" };
	wire_request_print(&sent, &out);
	ck_assert_ptr_nonnull(strstr(out.bytes, "\"value\":\"***\""));
	ck_assert_ptr_null(strstr(out.bytes, "horse9"));
	wire_text_clear(&out);
}
END_TEST

START_TEST(test_encoder_cuts_and_repairs)
{
	struct wire_request sent = { .mode = MODE_ADVISE, .quantile = 0.5 };
	size_t size = SUBMISSION_SCRIPT_MAX + 10;
	char *script = malloc(size + 1);
	char *text = malloc(SUBMISSION_TEXT_MAX + 11);

	ck_assert(script && text);
	memset(script, 's', size);
	script[size] = '\0';
	/* A character that is cut in two is no character. */
	memcpy(script + SUBMISSION_SCRIPT_MAX - 1, "\xc3\xbc", 2);
	memset(text, 't', SUBMISSION_TEXT_MAX + 10);
	text[SUBMISSION_TEXT_MAX + 10] = '\0';
	submission_init(&sent.job);
	sent.job.script = script;
	sent.job.features = text;
	sent.job.arguments[sent.job.arguments_count++] = text;
	sent.job.arguments[sent.job.arguments_count++] = "\xff";
	send(&sent);
	ck_assert_uint_eq(strlen(request.job.script), SUBMISSION_SCRIPT_MAX);
	ck_assert_int_eq(request.job.script[SUBMISSION_SCRIPT_MAX - 1], '?');
	ck_assert_uint_eq(strlen(request.job.features), SUBMISSION_TEXT_MAX);
	ck_assert_uint_eq(strlen(request.job.arguments[0]),
			  SUBMISSION_TEXT_MAX);
	ck_assert_str_eq(request.job.arguments[1], "?");
	json_object_put(message);
	free(script);
	free(text);
}
END_TEST

START_TEST(test_what_is_missing_is_not_given)
{
	memset(&request, 0xff, sizeof(request));
	ck_assert_msg(!decode("{\"job\":{\"user_id\":7,\"name\":null,"
			      "\"limit_s\":null,\"other\":[1]},\"x\":1}"),
		      "%s", err.text);
	ck_assert_uint_eq(request.job.user_id, 7);
	ck_assert_ptr_null(request.job.name);
	ck_assert_ptr_null(request.job.script);
	ck_assert_double_nan(request.job.limit_s);
	ck_assert_uint_eq(request.job.arguments_count, 0);
	ck_assert_int_eq(request.mode, MODE_ADVISE);
	ck_assert_double_eq(request.quantile, 0.9);
	ck_assert(!request.dry_run);
	ck_assert(!request.brief);
	ck_assert_uint_eq(request.sets, 0);
	json_object_put(message);
}
END_TEST

START_TEST(test_names_the_bad_field)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[]", "message: must be an object" },
		{ "7", "message: must be an object" },
		{ "{}", "job: is missing" },
		{ "{\"job\":null}", "job: is missing" },
		{ "{\"job\":7}", "job: must be an object" },
		{ "{\"job\":{}}", "job.user_id: is missing" },
		{ "{\"job\":{\"user_id\":-1}}",
		  "job.user_id: must be in 0 to 4294967295" },
		{ "{\"job\":{\"user_id\":4294967296}}",
		  "job.user_id: must be in 0 to 4294967295" },
		{ "{\"job\":{\"user_id\":18446744073709551615}}",
		  "job.user_id: must be in 0 to 4294967295" },
		{ "{\"job\":{\"user_id\":1.0}}",
		  "job.user_id: must be a whole number" },
		{ "{\"job\":{\"user_id\":\"1\"}}",
		  "job.user_id: must be a whole number" },
		{ "{\"job\":{\"user_id\":1,\"name\":7}}",
		  "job.name: must be a text" },
		{ "{\"job\":{\"user_id\":1,\"name\":\"a\\u0000b\"}}",
		  "job.name: holds a NUL byte" },
		{ "{\"job\":{\"user_id\":1,\"exclusive\":1}}",
		  "job.exclusive: must be true or false" },
		{ "{\"job\":{\"user_id\":1,\"limit_s\":-1}}",
		  "job.limit_s: must be in 0 to 1e+15" },
		{ "{\"job\":{\"user_id\":1,\"limit_s\":NaN}}",
		  "job.limit_s: must be finite" },
		{ "{\"job\":{\"user_id\":1,\"limit_s\":1e400}}",
		  "job.limit_s: must be finite" },
		{ "{\"job\":{\"user_id\":1,\"limit_s\":\"forever\"}}",
		  "job.limit_s: must be a number, null or \"unlimited\"" },
		{ "{\"job\":{\"user_id\":1,\"limit_s\":[]}}",
		  "job.limit_s: must be a number" },
		{ "{\"job\":{\"user_id\":1,\"arguments\":{}}}",
		  "job.arguments: must be an array" },
		{ "{\"job\":{\"user_id\":1,\"arguments\":[\"a\",null]}}",
		  "job.arguments[1]: must be a text" },
		{ "{\"job\":{\"user_id\":1,\"settings\":[7]}}",
		  "job.settings[0].message: must be an object" },
		{ "{\"job\":{\"user_id\":1,\"settings\":[{\"name\":\"a\"}]}}",
		  "job.settings[0].value: is missing" },
		{ "{\"job\":{\"user_id\":1},\"version\":2}",
		  "version: must be 1" },
		{ "{\"job\":{\"user_id\":1},\"mode\":\"on\"}",
		  "mode: unknown word 'on'" },
		{ "{\"job\":{\"user_id\":1},\"quantile\":1}",
		  "quantile: must be between 0 and 1" },
		{ "{\"job\":{\"user_id\":1},\"quantile\":0}",
		  "quantile: must be between 0 and 1" },
		{ "{\"job\":{\"user_id\":1},\"quantile\":1.5}",
		  "quantile: must be in 0 to 1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct wire_request before;

		memset(&request, 0x5a, sizeof(request));
		memcpy(&before, &request, sizeof(before));
		ck_assert_int_eq(decode(cases[i].text), -1);
		ck_assert_str_eq(err.text, cases[i].message);
		ck_assert_mem_eq(&request, &before, sizeof(before));
	}
	json_object_put(message);
	message = NULL;

	/* json-c refuses it by itself from 0.18 on. */
	static const char huge[] =
		"{\"job\":{\"user_id\":99999999999999999999999}}";

	message = wire_parse(huge, strlen(huge), &err);
	if (!message)
		return;
	ck_assert_int_eq(decode(huge), -1);
	ck_assert_str_eq(err.text, "job.user_id: must be in 0 to 4294967295");
	json_object_put(message);
}
END_TEST

/* {"job":{"user_id":1,FIELD:[ENTRY,ENTRY,...]}} */
static int decode_list(const char *field, const char *entry, int count)
{
	size_t size = 100 + (size_t)count * (strlen(entry) + 1);
	char *text = malloc(size);
	size_t used;

	ck_assert_ptr_nonnull(text);
	used = (size_t)snprintf(text, size, "{\"job\":{\"user_id\":1,\"%s\":[",
				field);
	for (int i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i ? "," : "", entry);
	snprintf(text + used, size - used, "]}}");

	int rc = decode(text);

	free(text);
	return rc;
}

START_TEST(test_lists_are_bounded)
{
	static const char setting[] = "{\"name\":\"a\",\"value\":\"b\"}";

	ck_assert_int_eq(
		decode_list("arguments", "\"a\"", SUBMISSION_ARGUMENTS_MAX), 0);
	ck_assert_int_eq(
		decode_list("arguments", "\"a\"", SUBMISSION_ARGUMENTS_MAX + 1),
		-1);
	ck_assert_str_eq(err.text, "job.arguments: has more than 128 entries");
	ck_assert_int_eq(
		decode_list("settings", setting, SUBMISSION_SETTINGS_MAX), 0);
	ck_assert_int_eq(
		decode_list("settings", setting, SUBMISSION_SETTINGS_MAX + 1),
		-1);
	ck_assert_str_eq(err.text, "job.settings: has more than 64 entries");
	json_object_put(message);
}
END_TEST

START_TEST(test_texts_are_bounded)
{
	static const struct {
		const char *field;
		int max;
	} cases[] = { { "name", SUBMISSION_TEXT_MAX },
		      { "script", SUBMISSION_SCRIPT_MAX } };
	char *text = malloc(SUBMISSION_SCRIPT_MAX + 100);

	ck_assert_ptr_nonnull(text);
	for (int i = 0; i < 4; i++) {
		int size = cases[i / 2].max + i % 2;

		snprintf(text, SUBMISSION_SCRIPT_MAX + 100,
			 "{\"job\":{\"user_id\":1,\"%s\":\"%0*d\"}}",
			 cases[i / 2].field, size, 0);
		ck_assert_int_eq(decode(text), i % 2 ? -1 : 0);
	}
	ck_assert_str_eq(err.text, "job.script: longer than 65536 bytes");
	free(text);
	json_object_put(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_begun,
		test_everything_arrives,
		test_settings_with_secrets,
		test_encoder_cuts_and_repairs,
		test_what_is_missing_is_not_given,
		test_names_the_bad_field,
		test_lists_are_bounded,
		test_texts_are_bounded,
		NULL,
	};

	return suite_run("request", tests);
}
