/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_server_threads.c - replies of the server before a slow store */
#include "tests/unit/predictor/http/scripted_server.h"

START_TEST(test_run_is_acknowledged)
{
	char text[8192];

	store.behaviour = (enum behaviour)_i;
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 200);
		ck_assert_ptr_nonnull(strstr(text, "\"stored\":1"));
	}
	ck_assert_int_eq(store.calls, 5);
}
END_TEST

START_TEST(test_run_is_not_stored)
{
	char text[8192];

	store.behaviour = FROM_A_THREAD;
	store.rc = STORE_AGAIN;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 503);
	ck_assert_ptr_nonnull(strstr(text, "the reason"));
	store.rc = STORE_REFUSED;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 400);
	store.behaviour = REFUSE;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 503);
	ck_assert_ptr_nonnull(strstr(text, "it is down"));
}
END_TEST

/* A run that is refused comes again, and counts once. */
START_TEST(test_a_missed_run_counts_once_stored)
{
	static const char report[] =
		"{\"runs\":[{\"cluster\":\"c\",\"job_id\":7,\"user_id\":9,"
		"\"application\":\"heat\",\"job_name\":\"h\",\"nodes\":1,"
		"\"submitted_at_s\":5,\"started_at_s\":11,"
		"\"ended_at_s\":13.5,\"state\":\"COMPLETED\"}],"
		"\"shares\":[{\"cluster\":\"c\",\"job_id\":7,"
		"\"node\":\"n\",\"started_at_s\":11,\"ended_at_s\":13.5}]}";
	struct engine_counts counts;
	char text[8192];

	store.behaviour = FROM_A_THREAD;
	store.rc = STORE_AGAIN;
	ck_assert_int_eq(send_post("/v1/runs", "", report, text), 503);
	atomic_store(&ready, false);
	ck_assert_int_eq(send_post("/v1/runs", "", report, text), 503);
	atomic_store(&ready, true);
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.missed, 0);
	store.rc = STORE_STORED;
	ck_assert_msg(send_post("/v1/runs", "", report, text) == 200, "%s",
		      text);
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.missed, 1);
}
END_TEST

START_TEST(test_bad_runs)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"runs\":[]}",
		"{\"runs\":7}",
		SHARE "x",
		"{\"shares\":[{}]}",
		("{\"cluster\":\"c\",\"measurements\":[{\"node\":\"n\","
		 "\"time_s\":3}]}"),
	};
	char text[8192];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(send_post("/v1/runs", "", bad[i], text) == 400,
			      "%s: %s", bad[i], text);
	ck_assert_int_eq(store.calls, 0);
}
END_TEST

static int get(const char *path, char ret_text[8192])
{
	char text[512];
	int fd = connect_to();
	int length = snprintf(text, sizeof(text),
			      "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);

	ck_assert_int_eq(send(fd, text, (size_t)length, MSG_NOSIGNAL), length);

	int code = reply(fd, ret_text);

	close(fd);
	return code;
}

START_TEST(test_queries)
{
	char text[8192];

	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff", text), 404);
	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff0", text), 404);
	ck_assert_int_eq(get("/v1/accuracy?by=week", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&since=x", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&limit=0", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&advice=1", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&completed=", text), 400);

	/* Without the store, the figures of the engine. */
	ck_assert_int_eq(get("/v1/accuracy?by=user&application=a%20b%23", text),
			 200);
	ck_assert_ptr_nonnull(strstr(text, "\"warning\":\"these are figures "
					   "from memory, by model: it is "
					   "down\""));
	ck_assert_ptr_nonnull(strstr(text, "\"model\":\"chosen\""));
}
END_TEST

/* Replies from the history are made under a lock, and read the engine.  A
 * missing topology.conf is logged. */
START_TEST(test_replies_take_locks_in_order)
{
	struct prediction *p = &store.prediction.stages[STAGE_SUBMISSION];
	struct node_facts *facts = node_facts_create("c");
	char text[8192];

	facts->nodes_hidden = true;
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	engine_set_node_facts(engine, facts);
	engine_predict(engine, &(struct submission){ .cluster = "c" },
		       MODE_ADVISE, 0.9, 1e9, true, p);
	store.prediction.known[STAGE_SUBMISSION] = true;
	p->user_id = geteuid();
	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff", text), 200);
	ck_assert(ordered_lock_nested(LOCK_PENDING, LOCK_FACTS));
	/* What runs of others took is not shown where these are hidden. */
	p->basis = BASIS_HISTORY;
	p->median_s = 1234.5;
	for (int own = 0; own < 2; own++) {
		p->evidence_level = own ? EVIDENCE_USER : EVIDENCE_SITE;
		ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff", text),
				 200);
		ck_assert_int_eq(strstr(text, "1234.5") != NULL, own);
	}
	ck_assert_int_eq(get("/v1/accuracy?by=user&application=a%20b%23", text),
			 200);
	ck_assert(ordered_lock_nested(LOCK_PENDING, LOCK_ENGINE));
	ck_assert_msg(
		send_post(
			"/v1/whatif", "",
			"{\"job_id\":7,\"swap\":true,\"conditions\":\"then\"}",
			text) == 200,
		"%s", text);
	ck_assert_int_eq(get("/v1/probes?cluster=c&node=n", text), 200);
	ck_assert(ordered_lock_nested(LOCK_ROSTER, LOCK_LOG));
}
END_TEST

/* The run of a job named "heat" on c. */
static void learn_run(uint32_t id, uint32_t nodes, double runtime_s)
{
	struct run run = {
		.cluster = "c",
		.job_name = "heat",
		.job_id = id,
		.user_id = geteuid(),
		.nodes = nodes,
		.tasks = nodes,
		.cpus = nodes,
		.limit_s = 900,
		.submitted_at_s = 1.7e9 + 1000 * id,
		.started_at_s = 1.7e9 + 1000 * id,
		.ended_at_s = 1.7e9 + 1000 * id + runtime_s,
		.state = RUN_COMPLETED,
	};

	engine_complete_run(engine, &run);
	ck_assert_int_eq(engine_learn(engine, &run, &err), 0);
}

/* What a job used is asked once at a time for each user; other replies go
 * without. */
START_TEST(test_one_use_at_a_time)
{
	static const char path[] = "/v1/jobs/7?cluster=c";
	static const char line[] =
		"GET /v1/jobs/7?cluster=c HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd = connect_to();
	char text[8192];

	learn_run(7, 1, 60);
	store.behaviour = NOT_YET;
	ck_assert_int_eq(send(fd, line, strlen(line), MSG_NOSIGNAL),
			 (int)strlen(line));
	while (!store.uses)
		usleep(1000);
	ck_assert_int_eq(get(path, text), 200);
	ck_assert_int_eq(store.uses, 1);
	store.use_done(store.use_context, STORE_AGAIN, NULL, 0, &err);
	ck_assert_int_eq(reply(fd, text), 200);
	close(fd);
	store.behaviour = REFUSE;
	for (int i = 2; i < 4; i++) {
		ck_assert_int_eq(get(path, text), 200);
		ck_assert_int_eq(store.uses, i);
	}
}
END_TEST

START_TEST(test_curve)
{
	struct wire_request request = { .dry_run = true, .quantile = .9 };
	struct json_object *body;
	char text[8192], job[4096];

	submission_init(&request.job);
	request.job.cluster = "c";
	request.job.name = "heat";
	request.job.user_id = geteuid();
	request.job.size.nodes_min = 1;
	body = wire_request_encode(&request);
	ck_assert_ptr_nonnull(body);
	snprintf(job, sizeof(job), "%s", json_object_to_json_string(body));
	json_object_put(body);
	ck_assert_int_eq(send_post("/v1/curve", "", job, text), 404);
	ck_assert_ptr_nonnull(strstr(text, "no runs"));
	for (uint32_t i = 0; i < 9; i++)
		learn_run(i + 1, 1U << i % 3, 5 + 80.0 / (1U << i % 3));
	ck_assert_msg(send_post("/v1/curve", "", job, text) == 200, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\"application\":\"heat\""));
	ck_assert_ptr_nonnull(strstr(text, "\"runs\":9"));
	ck_assert_ptr_nonnull(strstr(text, "\"fastest\":8"));
	ck_assert_ptr_nonnull(strstr(text, "{\"nodes\":8,"));
	ck_assert_int_eq(send_post("/v1/curve", "", "{}", text), 400);
	atomic_store(&ready, false);
	ck_assert_int_eq(send_post("/v1/curve", "", job, text), 503);
}
END_TEST

START_TEST(test_measurements)
{
	char text[8192];

	ck_assert_int_eq(
		send_post("/v1/measurements", "",
			  "{\"cluster\":\"c\",\"measurements\":[{\"node\":"
			  "\"n\",\"time_s\":33,\"cpu_load\":0.75}]}",
			  text),
		200);
	ck_assert_ptr_nonnull(strstr(text, "\"taken\":1"));
	ck_assert_int_eq(send_post("/v1/measurements", "", SHARE, text), 400);
}
END_TEST

START_TEST(test_not_ready)
{
	char text[8192];

	atomic_store(&answers, false);
	ck_assert_int_eq(send_post("/v1/predictions", "", "{}", text), 503);
	/* The newest runs do for that. */
	atomic_store(&answers, true);
	atomic_store(&ready, false);
	ck_assert_int_eq(send_post("/v1/predictions", "", "{}", text), 400);
	ck_assert_int_eq(get("/readyz", text), 503);
	atomic_store(&ready, true);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_run_is_acknowledged,
		test_run_is_not_stored,
		test_bad_runs,
		test_queries,
		test_replies_take_locks_in_order,
		test_one_use_at_a_time,
		test_curve,
		test_measurements,
		test_not_ready,
		test_a_missed_run_counts_once_stored,
		NULL,
	};

	return run_tests(tests, true);
}
