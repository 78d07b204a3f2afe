/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rpc.c - requests to predictd, replies, and the breaker */
#include <check.h>
#include <math.h>

#include "plugin/job_submit/rpc.h"
#include "plugin/job_submit/breaker.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

#define GOOD                                                          \
	"{\"prediction\": {\"id\": \"0123456789abcdef\", \"basis\": " \
	"\"history\", \"median_s\": 192, \"quantile\": 0.9, "         \
	"\"quantile_s\": 245, \"runs\": 41, \"last_error\": 0.08}, "  \
	"\"placement\": \"1 2 2 192\"}"

#define LONG "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"

static struct canned server;
static struct rpc *rpc;
static struct predictd_peer peer;
static struct wire_request request = { .mode = MODE_ADVISE, .quantile = 0.9 };

static const char *reply_with(const char *status, const char *body)
{
	static char text[4096];

	snprintf(text, sizeof(text),
		 "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n%s", status,
		 strlen(body), body);
	return text;
}

static void start(const char *reply)
{
	server.reply = reply;
	canned_start(&server);
	predictd_peer_set(&peer, server.url, NULL);
	submission_init(&request.job);
	rpc = rpc_create();
	ck_assert_ptr_nonnull(rpc);
}

static void stop(void)
{
	rpc_destroy(rpc);
	canned_stop(&server);
}

static int try_once(struct rpc_reply *ret, enum rpc_change *ret_change,
		    struct sp_error *err)
{
	return rpc_predict(rpc, &peer, &request, clock_monotonic_s() + 2, ret,
			   ret_change, err);
}

START_TEST(test_answer)
{
	struct rpc_reply p;
	struct sp_error err;
	enum rpc_change change;

	start(reply_with("200 OK", GOOD));
	for (int i = 0; i < 10; i++) {
		ck_assert_msg(!try_once(&p, &change, &err), "%s", err.text);
		ck_assert_str_eq(p.prediction.id, "0123456789abcdef");
		ck_assert_double_eq(p.prediction.median_s, 192);
		ck_assert_str_eq(p.placement, "1 2 2 192");
		ck_assert_int_eq(change, RPC_NO_CHANGE);
	}
	ck_assert_int_eq(server.connections, 1);
	stop();
}
END_TEST

/* Behind the model, as in a line of a snapshot; of a predictd of the release
 * before there are none. */
START_TEST(test_weights)
{
	static const struct {
		const char *more, *placement;
	} replies[] = {
		{ ", \"weights\": \"zU\"", "1 2 2 192 zU" },
		{ ", \"weights\": \"\"", "1 2 2 192" },
		{ ", \"weights\": 7", "1 2 2 192" },
		{ ", \"weights\": \"" LONG LONG LONG LONG LONG LONG LONG "\"",
		  "" },
		{ ", \"placement\": 7, \"weights\": \"zU\"", "" },
	};

	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		char body[sizeof(GOOD) + 512];
		struct rpc_reply p;
		struct sp_error err;
		enum rpc_change change;

		snprintf(body, sizeof(body), "%.*s%s}", (int)strlen(GOOD) - 1,
			 GOOD, replies[i].more);
		start(reply_with("200 OK", body));
		ck_assert_msg(!try_once(&p, &change, &err), "%s", err.text);
		ck_assert_str_eq(p.placement, replies[i].placement);
		stop();
	}
}
END_TEST

/* The value of --predict-profile that a reply with `more` gives the job. */
static const char *profile_of(const char *more)
{
	char body[sizeof(GOOD) + 64];
	struct rpc_reply p;
	struct sp_error err;
	enum rpc_change change;

	snprintf(body, sizeof(body), "%.*s%s}", (int)strlen(GOOD) - 1, GOOD,
		 more);
	memset(&server, 0, sizeof(server));
	start(reply_with("200 OK", body));
	ck_assert_msg(!try_once(&p, &change, &err), "%s", err.text);
	stop();
	return p.profile;
}

/* predictd keeps nothing of a job that does not follow. */
START_TEST(test_prediction_without_id)
{
	struct rpc_reply p;
	struct sp_error err;
	enum rpc_change change;

	memset(&server, 0, sizeof(server));
	start(reply_with("200 OK", "{\"prediction\": {\"basis\": \"nothing\", "
				   "\"median_s\": null, \"quantile\": 0.9, "
				   "\"quantile_s\": null}}"));
	ck_assert_msg(!try_once(&p, &change, &err), "%s", err.text);
	ck_assert_str_eq(p.prediction.id, "");
	stop();
}
END_TEST

START_TEST(test_profile)
{
	ck_assert_str_eq(profile_of(", \"profile\": true"), "packets");
	ck_assert_str_eq(profile_of(", \"profile\": false"), "no");
	ck_assert_ptr_null(profile_of(", \"profile\": \"mpi\""));
	ck_assert_str_eq(profile_of(", \"profile\": true, "
				    "\"profile_mpi\": true"),
			 "mpi");
	ck_assert_str_eq(profile_of(", \"profile\": false, \"trace\": true"),
			 "trace");
	ck_assert_str_eq(profile_of(", \"profile\": true, \"trace\": 1"),
			 "packets");
	ck_assert_ptr_null(profile_of(""));
}
END_TEST

static const char *const nonsense[] = {
	"",
	"[]",
	"{}",
	"{\"prediction\": 7}",
	("{\"prediction\": {\"id\": \"0123456789abcdeg\", \"basis\": "
	 "\"nothing\", \"median_s\": null, \"quantile\": 0.9, "
	 "\"quantile_s\": null}}"),
	("{\"prediction\": {\"median_s\": null, \"quantile\": 0.9, "
	 "\"quantile_s\": null}}"),
};

static void expect_stop(const char *status, const char *body,
			enum rpc_change expected)
{
	struct rpc_reply before = { .prediction.id = "before" }, p = before;
	struct sp_error err;
	enum rpc_change change;

	memset(&server, 0, sizeof(server));
	start(reply_with(status, body));
	for (int i = 1; i <= BREAKER_FAILURES + 20; i++) {
		err.text[0] = '\0';
		ck_assert_int_eq(try_once(&p, &change, &err), -1);
		ck_assert(err.text[0]);
		ck_assert_int_eq(change, i == BREAKER_FAILURES ? expected
							       : RPC_NO_CHANGE);
	}
	ck_assert_int_eq(server.requests, BREAKER_FAILURES);
	ck_assert_mem_eq(&p, &before, sizeof(p));
	stop();
}

START_TEST(test_nonsense_stops_the_asking)
{
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++)
		expect_stop("200 OK", nonsense[i], RPC_STOPPED);
}
END_TEST

/* predictd that still loads its history is no failure of the site. */
START_TEST(test_not_ready)
{
	expect_stop("503 Service Unavailable", "{}", RPC_POSTPONED);
}
END_TEST

/* Were it otherwise, one user could end the predictions of all. */
START_TEST(test_refusal_is_no_failure)
{
	struct rpc_reply p;
	enum rpc_change change;

	start(reply_with("400 Bad Request", "{}"));
	for (int i = 0; i < 3 * BREAKER_FAILURES; i++) {
		ck_assert_int_eq(try_once(&p, &change, NULL), -1);
		ck_assert_int_eq(change, RPC_NO_CHANGE);
	}
	ck_assert_int_eq(server.requests, 3 * BREAKER_FAILURES);
	stop();
}
END_TEST

START_TEST(test_other_peer_starts_anew)
{
	struct predictd_peer other = { "unix:/nonexistent/sock", "" };
	struct rpc_reply p;
	struct sp_error err;
	enum rpc_change change;

	start(reply_with("200 OK", GOOD));
	for (int i = 0; i < 2 * BREAKER_FAILURES; i++)
		ck_assert_int_eq(rpc_predict(rpc, &other, &request,
					     clock_monotonic_s() + 1, &p,
					     &change, &err),
				 -1);
	ck_assert_msg(!try_once(&p, &change, &err), "%s", err.text);
	stop();
}
END_TEST

START_TEST(test_no_time_left)
{
	struct rpc_reply p;
	struct sp_error err;
	enum rpc_change change;

	start(reply_with("200 OK", GOOD));
	ck_assert_int_eq(rpc_predict(rpc, &peer, &request,
				     clock_monotonic_s() - 1, &p, &change,
				     &err),
			 -1);
	ck_assert_int_eq(server.requests, 0);
	stop();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_answer,
		test_weights,
		test_profile,
		test_prediction_without_id,
		test_nonsense_stops_the_asking,
		test_not_ready,
		test_refusal_is_no_failure,
		test_other_peer_starts_anew,
		test_no_time_left,
		NULL,
	};

	return suite_run("ask", tests);
}
