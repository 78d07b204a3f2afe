/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_import.c - past runs as rows of values */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static struct wire_import_text text;
static struct sp_error err;

static const struct run a_run = {
	.cluster = "little",
	.job_id = 17,
	.array_job_id = 16,
	.array_task_id = 3,
	.het_job_id = 4294967293,
	.het_offset = 2,
	.user_id = 1000,
	.user = "ada",
	.account = "g\"3\\",
	.partition = "q1/p2",
	.qos = "low",
	.features = "a|b",
	.gres = "gpu:a100:8",
	.job_name = "n\xc3\xbc",
	.prediction_id = "0123456789abcdef",
	.nodes = 2,
	.tasks = 8,
	.cpus = 16,
	.memory_mb = 0.1,
	.limit_s = HUGE_VAL,
	.node_list = "n[1-2,7]",
	.submitted_at_s = 1700000000.1,
	.started_at_s = 1700000001.2,
	.ended_at_s = 1700000100.3,
	.state = RUN_OUT_OF_MEMORY,
	.exit_code = 3,
	.exit_signal = 9,
	.application = { .name = "nbody",
			 .parameters = { .count = 1,
					 .of = { { "n", 8000.5 } } },
			 .traits = "method=CCSD(T)" },
};

static int decode(const char *json, struct wire_import *ret)
{
	struct json_object *message = wire_parse(json, strlen(json), &err);
	int rc = message ? wire_import_decode(message, ret, &err) : -1;

	json_object_put(message);
	return rc;
}

START_TEST(test_runs_arrive)
{
	struct wire_import import;
	struct run other = a_run;

	other.job_id = UINT32_MAX;
	other.limit_s = NAN;
	other.application.parameters.count = 0;
	wire_import_begin("little", &text);
	ck_assert_int_eq(wire_import_add(&text, &a_run, &err),
			 WIRE_IMPORT_ADDED);
	ck_assert_int_eq(wire_import_add(&text, &other, &err),
			 WIRE_IMPORT_ADDED);
	wire_import_end(&text, true);
	ck_assert_uint_eq(strlen(text.text), text.size);
	ck_assert_msg(!decode(text.text, &import), "%s", err.text);
	ck_assert(import.last);
	ck_assert_uint_eq(import.runs_count, 2);

	const struct run *got = &import.runs[0];

	ck_assert_str_eq(got->cluster, a_run.cluster);
	ck_assert_uint_eq(got->job_id, a_run.job_id);
	ck_assert_uint_eq(got->array_task_id, a_run.array_task_id);
	ck_assert_uint_eq(got->het_job_id, a_run.het_job_id);
	ck_assert_uint_eq(got->het_offset, a_run.het_offset);
	ck_assert_str_eq(got->account, a_run.account);
	ck_assert_str_eq(got->job_name, a_run.job_name);
	ck_assert_str_eq(got->prediction_id, a_run.prediction_id);
	ck_assert_str_eq(got->node_list, a_run.node_list);
	ck_assert_uint_eq(got->cpus, a_run.cpus);
	ck_assert(got->memory_mb == a_run.memory_mb);
	ck_assert(isinf(got->limit_s));
	ck_assert(got->submitted_at_s == a_run.submitted_at_s);
	ck_assert(got->ended_at_s == a_run.ended_at_s);
	ck_assert_int_eq(got->state, RUN_OUT_OF_MEMORY);
	ck_assert_int_eq(got->exit_signal, 9);
	ck_assert_str_eq(got->application.name, "nbody");
	ck_assert_int_eq(got->application.parameters.count, 1);
	ck_assert(got->application.parameters.of[0].value == 8000.5);
	ck_assert(isnan(got->before.cpu_load));
	ck_assert(isnan(import.runs[1].limit_s));
	ck_assert_uint_eq(import.runs[1].job_id, UINT32_MAX);
	wire_import_clear(&import);
	wire_import_clear(&import);
}
END_TEST

START_TEST(test_full_is_still_taken)
{
	static struct run longest;
	struct wire_import import;
	size_t rows = 0;

	/* The worst that texts can do: each byte becomes six. */
	longest = a_run;
	memset(longest.node_list, 1, sizeof(longest.node_list) - 1);
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			memset(longest.node_list, ',',
			       sizeof(longest.node_list) - 1);
		wire_import_begin("little", &text);
		while (wire_import_add(&text, &longest, &err) ==
		       WIRE_IMPORT_ADDED)
			rows++;
		ck_assert_uint_gt(rows, 50);
		ck_assert_uint_eq(text.rows, rows);
		wire_import_end(&text, false);
		ck_assert_msg(!decode(text.text, &import), "%s", err.text);
		ck_assert_uint_eq(import.runs_count, rows);
		wire_import_clear(&import);
		rows = 0;
	}
	/* So many and no more, if they are short. */
	wire_import_begin("little", &text);
	while (wire_import_add(&text, &a_run, &err) == WIRE_IMPORT_ADDED)
		rows++;
	ck_assert_uint_eq(rows, WIRE_IMPORT_MAX);
}
END_TEST

START_TEST(test_what_cannot_be_sent)
{
	struct run run = a_run;
	size_t size;

	wire_import_begin("little", &text);
	size = text.size;
	run.job_id = 0;
	ck_assert_int_eq(wire_import_add(&text, &run, &err),
			 WIRE_IMPORT_REFUSED);
	run = a_run;
	run.ended_at_s = run.started_at_s - 1;
	ck_assert_int_eq(wire_import_add(&text, &run, &err),
			 WIRE_IMPORT_REFUSED);
	run = a_run;
	run.state = RUN_RUNNING;
	ck_assert_int_eq(wire_import_add(&text, &run, &err),
			 WIRE_IMPORT_REFUSED);
	run = a_run;
	strcpy(run.cluster, "other");
	ck_assert_int_eq(wire_import_add(&text, &run, &err), WIRE_IMPORT_FULL);
	ck_assert_uint_eq(text.size, size);
}
END_TEST

#define NEEDED                                                             \
	"\"job_id\",\"user_id\",\"nodes\",\"submitted_at_s\",\"started_at" \
	"_s\",\"ended_at_s\",\"state\""
#define ROW "7,0,1,1,2,9.5,\"COMPLETED\""

START_TEST(test_what_is_not_there_is_not_known)
{
	struct wire_import import;

	ck_assert_msg(!decode("{\"cluster\":\"c\",\"columns\":[" NEEDED
			      "],\"rows\":[[" ROW "]]}",
			      &import),
		      "%s", err.text);
	ck_assert(!import.last);
	ck_assert_double_nan(import.runs[0].limit_s);
	ck_assert_str_eq(import.runs[0].application.name, "");
	wire_import_clear(&import);
	ck_assert_msg(!decode("{\"last\":true}", &import), "%s", err.text);
	ck_assert_uint_eq(import.runs_count, 0);
	ck_assert(import.last);
}
END_TEST

START_TEST(test_bad_imports)
{
	static const char *const bad[][2] = {
		{ "[]", "must be an object" },
		{ "{\"rows\":7}", "rows: must be" },
		{ "{\"rows\":[]}", "cluster: is missing" },
		{ "{\"cluster\":\"c\",\"rows\":[]}", "columns: is missing" },
		{ "{\"cluster\":\"c\",\"columns\":[\"job_id\"],\"rows\":[]}",
		  "columns: user_id is missing" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  ",\"id\"],\"rows\":[]}",
		  "columns: id is none" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  ",\"nodes\"],\"rows\":[]}",
		  "columns: nodes is there twice" },
		{ "{\"cluster\":\"c\",\"columns\":[3],\"rows\":[]}",
		  "columns[0]: must be a text" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED "],\"rows\":[[" ROW
		  "],[7]]}",
		  "rows[1]: must be an array of 7" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  "],\"rows\":[[7,0,1,1,2,1.5,\"COMPLETED\"]]}",
		  "rows[0].ended_at_s: is before" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  "],\"rows\":[[7,0,1,1,2,null,\"COMPLETED\"]]}",
		  "rows[0].ended_at_s: is missing" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  "],\"rows\":[[7,0,1,1,2,3,\"RUNNING\"]]}",
		  "rows[0].state: must be that of an end" },
		{ "{\"cluster\":\"c\",\"columns\":[" NEEDED
		  "],\"rows\":[[7,-1,1,1,2,3,\"FAILED\"]]}",
		  "rows[0].user_id: must be in" },
	};
	struct wire_import import = { .runs_count = 77 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(decode(bad[i][0], &import) < 0, "%s", bad[i][0]);
		ck_assert_msg(strstr(err.text, bad[i][1]), "%s: %s", bad[i][0],
			      err.text);
	}
	ck_assert_uint_eq(import.runs_count, 77);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_runs_arrive,         test_full_is_still_taken,
		test_what_cannot_be_sent, test_what_is_not_there_is_not_known,
		test_bad_imports,         NULL
	};

	return suite_run("import", tests);
}
