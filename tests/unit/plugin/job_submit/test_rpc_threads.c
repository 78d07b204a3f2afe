/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rpc_threads.c - many submissions at once, as Slurm has them
 * since 23.02 */
#include <check.h>

#include "plugin/job_submit/rpc.h"
#include "plugin/site/site.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

#define THREADS 8
#define GOOD                                                          \
	"{\"prediction\": {\"id\": \"0123456789abcdef\", \"basis\": " \
	"\"history\", \"median_s\": 192, \"quantile\": 0.9, "         \
	"\"quantile_s\": 245}}"

static struct canned server;
static struct rpc *rpc;
static struct predictd_peer peer;
static struct wire_request request = { .mode = MODE_ADVISE, .quantile = 0.9 };

static void run(const char *reply, void *(*body)(void *), double each[THREADS])
{
	pthread_t threads[THREADS];

	server.reply = reply;
	canned_start(&server);
	predictd_peer_set(&peer, server.url, NULL);
	submission_init(&request.job);
	rpc = rpc_create();
	ck_assert_ptr_nonnull(rpc);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, body, &each[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	rpc_destroy(rpc);
	canned_stop(&server);
}

static void *ask_with_deadline(void *context)
{
	double *took_ms = context;
	double began_s = clock_monotonic_s();
	struct rpc_reply p;
	enum rpc_change change;

	ck_assert_int_eq(rpc_predict(rpc, &peer, &request, began_s + 0.05, &p,
				     &change, NULL),
			 -1);
	*took_ms = (clock_monotonic_s() - began_s) * 1e3;
	return NULL;
}

/* The wait for others is part of the deadline: one after the other would take
 * all of them together 400 ms.  (The margin is for busy machines.) */
START_TEST(test_all_hold_the_deadline)
{
	double took_ms[THREADS];

	run(NULL, ask_with_deadline, took_ms);
	for (int i = 0; i < THREADS; i++)
		ck_assert_double_le(took_ms[i], 50 + 250);
}
END_TEST

static void *ask_often(void *context)
{
	double *answers = context;

	*answers = 0;
	for (int i = 0; i < 50; i++) {
		struct rpc_reply p;
		enum rpc_change change;

		*answers += !rpc_predict(rpc, &peer, &request,
					 clock_monotonic_s() + 20, &p, &change,
					 NULL);
	}
	return NULL;
}

START_TEST(test_all_are_answered)
{
	double answers[THREADS];
	static char reply[1024];

	snprintf(reply, sizeof(reply), OK_HEAD "Content-Length: %zu\r\n\r\n%s",
		 strlen(GOOD), GOOD);
	run(reply, ask_often, answers);
	for (int i = 0; i < THREADS; i++)
		ck_assert_double_eq(answers[i], 50);
}
END_TEST

static void complain(void *context, const char *token, const char *why)
{
	(void)context, (void)token, (void)why;
}

static void *follow(void *context)
{
	struct site *site = context;
	static const struct {
		const char *text;
		enum prediction_mode mode;
	} texts[] = { { "predict_mode=act,predict_x=1", MODE_ACT },
		      { "predict_mode=off", MODE_OFF },
		      { NULL, MODE_ADVISE } };

	for (int i = 0; i < 3000; i++) {
		struct policy policy;

		site_policy(site, texts[i % 3].text, &policy);
		ck_assert_int_eq(policy.mode, texts[i % 3].mode);
	}
	return NULL;
}

START_TEST(test_all_see_a_whole_policy)
{
	struct site *site = site_create(complain);
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, follow, site);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	site_destroy(site);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_all_hold_the_deadline,
		test_all_are_answered,
		test_all_see_a_whole_policy,
		NULL,
	};

	return suite_run("ask_threads", tests);
}
