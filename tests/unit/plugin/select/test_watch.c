/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_watch.c - the newest snapshot at hand, whatever predictd does */
#include <check.h>
#include <stdatomic.h>

#include "plugin/select/watch.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

#define NODE(name) "n " name " - 5000 5000 5000 100 0 10000 - - - -\n"

#define FIRST "snapshot 3 a1 7 0 1700000000000 little\n" NODE("n1") "end 1\n"
#define SECOND                                                \
	"snapshot 3 a2 8 0 1700000002000 little\n" NODE("n1") \
		NODE("n2") "end 2\n"

#define PERIOD_S 0.05

static struct canned server;
static struct watch *watch;
static atomic_int events[3]; /* by enum watch_event */

static void follow(const char *url)
{
	struct predictd_peer peer;

	predictd_peer_set(&peer, url, NULL);
	watch_source(watch, &peer, "little");
}

static void count_event(enum watch_event event, const char *text)
{
	ck_assert(*text);
	atomic_fetch_add(&events[event], 1);
}

static const char *http(const char *body)
{
	static char text[2][4096]; /* the server may still send the last one */
	static int turn;

	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]),
		 OK_HEAD "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	return text[turn];
}

static void start(const char *body)
{
	for (int i = 0; i < 3; i++)
		atomic_store(&events[i], 0);
	server = (struct canned){ .reply = http(body), .requests_each = 1 };
	canned_start(&server);
	watch = watch_create(count_event, PERIOD_S);
	ck_assert_ptr_nonnull(watch);
}

static void stop(void)
{
	watch_destroy(watch);
	canned_stop(&server);
}

/* Wait until it has reported that event `times` times. */
static void wait_for(enum watch_event event, int times)
{
	double end_s = clock_monotonic_s() + 20;

	while (atomic_load(&events[event]) < times) {
		ck_assert(clock_monotonic_s() < end_s);
		usleep(1000);
	}
}

static struct snapshot *get(double *ret_age_s)
{
	struct snapshot *s = NULL;

	/* The thread may hold the lock, for no longer than it takes to copy
	 * some bytes. */
	for (int i = 0; i < 1000 && !s; i++) {
		s = watch_snapshot(watch, ret_age_s);
		if (!s)
			usleep(100);
	}
	return s;
}

START_TEST(test_none)
{
	double age_s;

	start(FIRST);
	ck_assert_ptr_null(watch_snapshot(watch, &age_s));
	ck_assert(!watch_has_source(watch));
	stop();
	watch_destroy(NULL);
}
END_TEST

START_TEST(test_follows)
{
	double age_s;

	start(FIRST);
	follow(server.url);
	ck_assert(watch_has_source(watch));
	wait_for(WATCH_NEW, 1);

	struct snapshot *first = get(&age_s);

	ck_assert_ptr_nonnull(first);
	ck_assert_uint_eq(first->node_count, 1);
	ck_assert_double_lt(age_s, 2);
	server.reply = http(SECOND);
	wait_for(WATCH_NEW, 2);

	struct snapshot *second = get(&age_s);

	ck_assert_uint_eq(second->node_count, 2);
	ck_assert_uint_eq(first->node_count, 1); /* as it was */
	snapshot_put(first);
	snapshot_put(second);
	ck_assert_int_eq(atomic_load(&events[WATCH_WORKS]), 1);
	ck_assert_int_eq(atomic_load(&events[WATCH_FAILS]), 0);
	stop();
}
END_TEST

/* What was good stays, and grows old. */
START_TEST(test_nonsense)
{
	static const char *const bodies[] = {
		"{\"a\": 1}",
		"snapshot 3 a1 9 0 1 little\n",
		"snapshot 3 a1 9 0 1 little\nn n1 - x\nend 1\n",
	};
	double age_s = 0;

	start(FIRST);
	follow(server.url);
	wait_for(WATCH_NEW, 1);
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		int before = server.requests;

		server.reply = http(bodies[i]);
		for (int n = 0; server.requests < before + 2 && n < 10000; n++)
			usleep(1000);
	}
	wait_for(WATCH_FAILS, 1);

	struct snapshot *s = get(&age_s);

	ck_assert_uint_eq(s->node_count, 1);
	ck_assert_double_gt(age_s, PERIOD_S);
	snapshot_put(s);
	ck_assert_int_eq(atomic_load(&events[WATCH_FAILS]), 1); /* once */
	stop();
}
END_TEST

/* The first request has predictd make the first snapshot. */
START_TEST(test_not_yet)
{
	start(FIRST);
	server.reply = "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n";
	follow(server.url);
	for (int n = 0; server.requests < 2 && n < 10000; n++)
		usleep(1000);
	server.reply = http(FIRST);
	wait_for(WATCH_WORKS, 1);
	ck_assert_int_eq(atomic_load(&events[WATCH_FAILS]), 0);
	stop();
}
END_TEST

START_TEST(test_nobody_there)
{
	double age_s;

	start(FIRST);
	follow("unix:/no/such/socket");
	wait_for(WATCH_FAILS, 1);
	ck_assert_ptr_null(get(&age_s));
	/* Another address counts from the next time on. */
	follow(server.url);
	wait_for(WATCH_WORKS, 1);
	stop();
}
END_TEST

/* Requests name the cluster, and the snapshot to which they want a delta.
 * Another predictd has not made that one. */
START_TEST(test_requests)
{
	struct canned other = { .reply = NULL };

	canned_start(&other);
	start(FIRST);
	follow(server.url);
	wait_for(WATCH_NEW, 2);
	follow(other.url);
	for (int n = 0; other.requests < 1 && n < 10000; n++)
		usleep(1000);
	stop();
	canned_stop(&other);
	ck_assert_ptr_nonnull(
		strstr(server.request, "?cluster=little&since=a1-7&"));
	ck_assert_ptr_nonnull(
		strstr(other.request, "?cluster=little&since=0-0&"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_none,         test_follows,  test_nonsense, test_not_yet,
		test_nobody_there, test_requests, NULL,
	};

	return suite_run("watch", tests);
}
