/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_report.c - runs, shares and measurements, alone and in batches */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static struct json_object *parse(const char *text)
{
	struct json_object *message = wire_parse(text, strlen(text), &err);

	ck_assert_msg(message != NULL, "%s: %s", text, err.text);
	return message;
}

static const struct run a_run = {
	.id = (int64_t)1 << 40,
	.cluster = "little",
	.job_id = 17,
	.array_job_id = 16,
	.array_task_id = 1,
	.het_job_id = 14,
	.het_offset = 2,
	.licenses = "matlab:2",
	.user_id = 1000,
	.user = "ada",
	.job_name = "n\xc3\xbc",
	.prediction_id = "0123456789abcdef",
	.nodes = 2,
	.tasks = 8,
	.memory_mb = 0.1,
	.limit_s = HUGE_VAL,
	.node_list = "n[1-2]",
	.submitted_at_s = 1700000000.1,
	.started_at_s = 1700000001.2,
	.ended_at_s = 1700000100.3,
	.suspended_s = 33.7,
	.state = RUN_FAILED,
	.exit_code = 3,
	.exit_signal = 9,
	.application = { .name = "nbody" },
	.before = { .nodes_known = 2, .cpu_load = 0.5, .cpu_load_max = NAN },
};

START_TEST(test_run_arrives)
{
	struct json_object *message = wire_run_encode(&a_run);
	struct run got;

	ck_assert_msg(!wire_run_decode(message, &got, &err), "%s", err.text);
	ck_assert_int_eq(got.id, a_run.id);
	ck_assert_str_eq(got.cluster, "little");
	ck_assert_uint_eq(got.array_task_id, 1);
	ck_assert_uint_eq(got.het_job_id, 14);
	ck_assert_uint_eq(got.het_offset, 2);
	ck_assert_str_eq(got.licenses, "matlab:2");
	ck_assert_str_eq(got.prediction_id, a_run.prediction_id);
	ck_assert_double_eq(got.started_at_s, a_run.started_at_s);
	ck_assert_double_eq(got.ended_at_s, a_run.ended_at_s);
	ck_assert_double_eq(got.suspended_s, 33.7);
	ck_assert(isinf(got.limit_s));
	ck_assert_int_eq(got.state, RUN_FAILED);
	ck_assert_int_eq(got.exit_signal, 9);
	ck_assert_str_eq(got.application.name, "nbody");
	ck_assert_double_eq(got.before.cpu_load, 0.5);
	ck_assert_double_nan(got.before.cpu_load_max);
	json_object_put(message);
}
END_TEST

/* What a collector sends of a job that has just started. */
#define RUN(more)                                                    \
	"{\"cluster\":\"c\",\"job_id\":1,\"user_id\":0,\"nodes\":1," \
	"\"submitted_at_s\":1,\"started_at_s\":2" more "}"

START_TEST(test_running_run)
{
	struct json_object *message = parse(RUN(",\"state\":\"RUNNING\""));
	struct run run;

	ck_assert_msg(!wire_run_decode(message, &run, &err), "%s", err.text);
	ck_assert_double_nan(run.ended_at_s);
	ck_assert_double_nan(run.limit_s);
	ck_assert_double_nan(run.before.cpu_load);
	ck_assert_str_eq(run.application.name, "");
	ck_assert_int_eq(run.id, 0);
	json_object_put(message);
}
END_TEST

START_TEST(test_bad_runs)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ RUN(""), "state: is missing" },
		{ RUN(",\"state\":\"PENDING\""),
		  "state: unknown word 'PENDING'" },
		{ RUN(",\"state\":\"COMPLETED\""),
		  "ended_at_s: must be null exactly while the run is "
		  "RUNNING" },
		{ RUN(",\"state\":\"RUNNING\",\"ended_at_s\":3"),
		  "ended_at_s: must be null exactly while the run is "
		  "RUNNING" },
		{ RUN(",\"state\":\"FAILED\",\"ended_at_s\":1.5"),
		  "ended_at_s: is before started_at_s, or suspended_s is too "
		  "long" },
		{ RUN(",\"state\":\"FAILED\",\"ended_at_s\":7,"
		      "\"suspended_s\":5.5"),
		  "ended_at_s: is before started_at_s, or suspended_s is too "
		  "long" },
		{ RUN(",\"state\":\"FAILED\",\"ended_at_s\":3,"
		      "\"exit_code\":256"),
		  "exit_code: must be in 0 to 255" },
		{ RUN(",\"state\":\"RUNNING\",\"cluster\":\"\""),
		  "cluster: is empty" },
		{ RUN(",\"state\":\"RUNNING\",\"job_id\":0"),
		  "job_id: must not be 0" },
		{ RUN(",\"state\":\"RUNNING\",\"nodes\":0"),
		  "nodes: must not be 0" },
		{ RUN(",\"state\":\"RUNNING\",\"started_at_s\":null"),
		  "started_at_s: is missing" },
		{ RUN(",\"state\":\"RUNNING\",\"id\":9007199254740993"),
		  "id: must be in 0 to 9007199254740992" },
		{ RUN(",\"state\":\"RUNNING\",\"memory_mb\":null,"
		      "\"user\":[]"),
		  "user: must be a text" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_object *message = parse(cases[i].text);
		struct run run = a_run;

		ck_assert_int_eq(wire_run_decode(message, &run, &err), -1);
		ck_assert_str_eq(err.text, cases[i].message);
		ck_assert_mem_eq(&run, &a_run, sizeof(run));
		json_object_put(message);
	}
}
END_TEST

START_TEST(test_share_and_measurement_arrive)
{
	static const struct run_share share = {
		.cluster = "little",
		.job_id = 17,
		.node = "n1",
		.started_at_s = 1.5,
		.ended_at_s = 1.5,
		.cpu_s = 380.25,
		.peak_memory_mb = NAN,
		.exit_code = 1,
		.tasks = 4,
	};
	static const struct measurement m = { .node = "n1",
					      .time_s = 17e8,
					      .cpu_load = 0.1,
					      .cpu_available = 1,
					      .cpu_speed = 1.25,
					      .cpu_turn_s = 0.0015,
					      .cpu_credit_s = NAN,
					      .memory_available_mb = NAN };
	struct json_object *message = wire_share_encode(&share);
	struct run_share got_share;
	struct measurement got;

	ck_assert_msg(!wire_share_decode(message, &got_share, &err), "%s",
		      err.text);
	ck_assert_double_eq(got_share.cpu_s, 380.25);
	ck_assert_double_nan(got_share.peak_memory_mb);
	ck_assert_uint_eq(got_share.tasks, 4);
	json_object_put(message);

	message = wire_measurement_encode(&m);
	ck_assert_msg(!wire_measurement_decode(message, &got, &err), "%s",
		      err.text);
	ck_assert_str_eq(got.node, "n1");
	ck_assert_double_eq(got.cpu_load, 0.1);
	ck_assert_double_eq(got.cpu_speed, 1.25);
	ck_assert_double_eq(got.cpu_turn_s, 0.0015);
	ck_assert_double_nan(got.cpu_credit_s);
	ck_assert_double_nan(got.memory_available_mb);
	json_object_put(message);
}
END_TEST

START_TEST(test_link_arrives)
{
	struct link_measurement link, got;
	struct json_object *message;

	link_measurement_init(&link);
	strcpy(link.from, "n1");
	strcpy(link.to, "n17");
	link.time_s = 1700000000.5;
	link.bandwidth_bps = 941.5e6;
	link.latency_s = 130e-6;
	message = wire_link_encode(&link);
	ck_assert_msg(!wire_link_decode(message, &got, &err), "%s", err.text);
	ck_assert_str_eq(got.from, "n1");
	ck_assert_str_eq(got.to, "n17");
	ck_assert_double_eq(got.time_s, 1700000000.5);
	ck_assert_double_eq(got.bandwidth_bps, 941.5e6);
	ck_assert_double_eq(got.latency_s, 130e-6);
	ck_assert_double_nan(got.utilisation);
	json_object_put(message);
}
END_TEST

START_TEST(test_batches)
{
	static const char text[] = "{\"cluster\":\"c\",\"runs\":[" RUN(
		",\"state\":"
		"\"RUNNING\"") "," RUN(",\"state\":\"LOST\","
				       "\"ended_at_s\":"
				       "7") "],"
					    "\"shares\":[{\"cluster\":\"c\","
					    "\"job_id\":1,"
					    "\"node\":\"n1\","
					    "\"started_at_s\":1,\"ended_at_s\":"
					    "2}],"
					    "\"measurements\":[{\"node\":"
					    "\"n1\",\"time_s\":5}],"
					    "\"links\":[{\"from\":\"n1\","
					    "\"to\":\"n2\",\"time_s\":6}]"
					    "}";
	struct json_object *message = parse(text);
	struct wire_report report;

	ck_assert_msg(!wire_report_decode(message, &report, &err), "%s",
		      err.text);
	json_object_put(message);
	ck_assert_str_eq(report.cluster, "c");
	ck_assert_uint_eq(report.runs_count, 2);
	ck_assert_double_eq(report.runs[1].ended_at_s, 7);
	ck_assert_uint_eq(report.shares_count, 1);
	ck_assert_str_eq(report.shares[0].node, "n1");
	ck_assert_uint_eq(report.measurements_count, 1);
	ck_assert_double_eq(report.measurements[0].time_s, 5);
	ck_assert_uint_eq(report.links_count, 1);
	ck_assert_str_eq(report.links[0].to, "n2");
	ck_assert_double_nan(report.links[0].latency_s);
	wire_report_clear(&report);
	wire_report_clear(&report);

	message = parse("{\"runs\":[]}");
	ck_assert_int_eq(wire_report_decode(message, &report, &err), 0);
	ck_assert_uint_eq(report.runs_count, 0);
	json_object_put(message);
}
END_TEST

START_TEST(test_bad_batches)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[]", "message: must be an object" },
		{ "{\"runs\":{}}", "runs: must be an array" },
		{ "{\"runs\":null}", "runs: must be an array" },
		{ "{\"runs\":[" RUN(",\"state\":\"RUNNING\"") ",{}]}",
		  "runs[1].cluster: is missing" },
		{ "{\"shares\":[null]}",
		  "shares[0].message: must be an object" },
		{ "{\"measurements\":[{\"node\":\"n1\",\"time_s\":5}]}",
		  "cluster: is missing" },
		{ "{\"cluster\":\"c\",\"measurements\":[{\"node\":\"\","
		  "\"time_s\":5}]}",
		  "measurements[0].node: is empty" },
		{ "{\"cluster\":\"c\",\"measurements\":[{\"node\":\"n\","
		  "\"time_s\":5,\"cpu_available\":1.01}]}",
		  "measurements[0].cpu_available: must be in 0 to 1" },
		{ "{\"cluster\":\"c\",\"measurements\":[{\"node\":\"n\","
		  "\"time_s\":5,\"cpu_speed\":0}]}",
		  "measurements[0].cpu_speed: must be more than 0" },
		{ "{\"links\":[{\"from\":\"n1\",\"to\":\"n2\","
		  "\"time_s\":5}]}",
		  "cluster: is missing" },
		{ "{\"cluster\":\"c\",\"links\":[{\"from\":\"n1\","
		  "\"to\":\"n1\",\"time_s\":5}]}",
		  "links[0].to: is the same node as `from`" },
		{ "{\"cluster\":\"c\",\"links\":[{\"from\":\"n1\","
		  "\"to\":\"n2\",\"time_s\":5,\"utilisation\":1.5}]}",
		  "links[0].utilisation: must be in 0 to 1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_object *message = parse(cases[i].text);
		struct wire_report report = { .runs_count = 77 };

		ck_assert_int_eq(wire_report_decode(message, &report, &err),
				 -1);
		ck_assert_str_eq(err.text, cases[i].message);
		ck_assert_uint_eq(report.runs_count, 77);
		json_object_put(message);
	}
}
END_TEST

START_TEST(test_batches_are_bounded)
{
	struct json_object *message = json_object_new_object();
	struct json_object *array = json_object_new_array();
	struct wire_report report;

	json_object_object_add(message, "cluster", json_object_new_string("c"));
	json_object_object_add(message, "measurements", array);
	for (int i = 0; i < WIRE_BATCH_MAX; i++)
		json_object_array_add(array,
				      parse("{\"node\":\"n1\",\"time_s\":5}"));
	ck_assert_msg(!wire_report_decode(message, &report, &err), "%s",
		      err.text);
	ck_assert_uint_eq(report.measurements_count, WIRE_BATCH_MAX);
	wire_report_clear(&report);
	json_object_array_add(array, parse("{\"node\":\"n1\",\"time_s\":5}"));
	ck_assert_int_eq(wire_report_decode(message, &report, &err), -1);
	ck_assert_str_eq(err.text, "measurements: has more than 1024 entries");
	json_object_put(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_run_arrives,
		test_running_run,
		test_bad_runs,
		test_share_and_measurement_arrive,
		test_link_arrives,
		test_batches,
		test_bad_batches,
		test_batches_are_bounded,
		NULL,
	};

	return suite_run("report", tests);
}
