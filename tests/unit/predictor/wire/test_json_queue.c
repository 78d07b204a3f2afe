/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_queue.c - jobs of a queue as a message */
#include <math.h>
#include <string.h>

#include "predictor/wire/json_queue.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static struct wire_queue queue;
static struct sp_error err;

static int decode(const char *text)
{
	struct json_object *message = wire_parse(text, strlen(text), &err);
	int rc;

	ck_assert_ptr_nonnull(message);
	rc = wire_queue_decode(message, &queue, &err);
	json_object_put(message);
	return rc;
}

START_TEST(test_there_and_back)
{
	struct wire_queue sent = { .cluster = "big",
				   .count = 3,
				   .jobs = { { "0123456789abcdef", 7, 12.5 },
					     { "fedcba9876543210", 0, NAN },
					     { "", 4294967293, 3 } } };
	struct json_object *message = wire_queue_encode(&sent);

	ck_assert_int_eq(wire_queue_decode(message, &queue, &err), 0);
	json_object_put(message);
	ck_assert_str_eq(queue.cluster, "big");
	ck_assert_uint_eq(queue.count, 3);
	ck_assert_str_eq(queue.jobs[0].prediction_id, "0123456789abcdef");
	ck_assert_uint_eq(queue.jobs[0].job_id, 7);
	ck_assert_double_eq(queue.jobs[0].elapsed_s, 12.5);
	ck_assert_str_eq(queue.jobs[1].prediction_id, "fedcba9876543210");
	ck_assert(isnan(queue.jobs[1].elapsed_s));
	ck_assert_str_eq(queue.jobs[2].prediction_id, "");
	ck_assert_uint_eq(queue.jobs[2].job_id, 4294967293);
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "[]", "jobs: must be an array" },
		{ "{}", "jobs: must be an array" },
		{ "{\"jobs\":{}}", "jobs: must be an array" },
		{ "{\"jobs\":[{}]}", "jobs[0].prediction_id: is missing, "
				     "and so is job_id" },
		{ "{\"cluster\":7,\"jobs\":[]}", "cluster: must be a text" },
		{ "{\"jobs\":[{\"prediction_id\":\"a\"}]}",
		  "jobs[0].prediction_id: must be 16 hexadecimal digits" },
		{ "{\"jobs\":[{\"job_id\":7,\"elapsed_s\":-1}]}",
		  "jobs[0].elapsed_s: must be in 0 to 1e+15" },
		{ "{\"jobs\":[{\"prediction_id\":\"0123456789abcdef0\"}]}",
		  "jobs[0].prediction_id: longer than 16 bytes" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(decode(cases[i].text), -1);
		ck_assert_str_eq(err.text, cases[i].why);
	}
}
END_TEST

START_TEST(test_too_many)
{
	struct json_object *message = json_object_new_object();
	struct json_object *jobs = json_object_new_array();

	json_object_object_add(message, "jobs", jobs);
	for (int i = 0; i <= WIRE_QUEUE_MAX; i++)
		json_object_array_add(jobs, json_object_new_object());
	ck_assert_int_eq(wire_queue_decode(message, &queue, &err), -1);
	ck_assert_str_eq(err.text, "jobs: more than 250");
	json_object_put(message);
}
END_TEST

/* Any user may send as many as fit. */
START_TEST(test_full)
{
	static char text[96 << 10];
	struct json_object *message;

	memset(&queue, 0, sizeof(queue));
	strcpy(queue.cluster, "big");
	for (int i = 0; i < WIRE_QUEUE_MAX; i++)
		queue.jobs[queue.count++] =
			(struct wire_queue_job){ "0123456789abcdef", 4294967293,
						 1234567.5 };
	message = wire_queue_encode(&queue);

	const char *printed = json_object_to_json_string(message);

	ck_assert_uint_lt(strlen(printed), sizeof(text));
	strcpy(text, printed);
	json_object_put(message);
	message = wire_request_parse(text, strlen(text), &err);
	ck_assert_msg(message != NULL, "%s", err.text);
	ck_assert_int_eq(wire_queue_decode(message, &queue, &err), 0);
	ck_assert_uint_eq(queue.count, WIRE_QUEUE_MAX);
	json_object_put(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_there_and_back, test_refused,
				       test_too_many, test_full, NULL };

	return suite_run("json_queue", tests);
}
