/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_watch_threads.c - schedulers that look while snapshots are renewed */
#include <check.h>
#include <stdatomic.h>

#include "plugin/select/watch.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

#define SCHEDULERS 3
#define TEXT                                       \
	"snapshot 3 a1 7 0 1700000000000 little\n" \
	"n n1 - 5000 5000 5000 100 0 10000 - - - -\nend 1\n"

#define PERIOD_S 0.05

static struct canned server;
static struct watch *watch;
static atomic_int renewed;
static atomic_bool stop;

static void follow(const char *url)
{
	struct predictd_peer peer;

	predictd_peer_set(&peer, url, NULL);
	watch_source(watch, &peer, "little");
}

static void count_event(enum watch_event event, const char *text)
{
	ck_assert(*text);
	ck_assert_int_ne(event, WATCH_FAILS);
	if (event == WATCH_NEW)
		atomic_fetch_add(&renewed, 1);
}

static void *schedule(void *context)
{
	atomic_int *seen = context;
	double age_s;

	while (!atomic_load(&stop)) {
		follow(server.url);

		struct snapshot *s = watch_snapshot(watch, &age_s);

		if (s && s->node_count == 1 && age_s < 20)
			atomic_fetch_add(seen, 1);
		snapshot_put(s);
		usleep(200);
	}
	return NULL;
}

START_TEST(test_looking)
{
	static atomic_int seen[SCHEDULERS];
	pthread_t threads[SCHEDULERS];
	char reply[512];

	snprintf(reply, sizeof(reply), OK_HEAD "Content-Length: %zu\r\n\r\n%s",
		 sizeof(TEXT) - 1, TEXT);
	server = (struct canned){ .reply = reply, .requests_each = 1 };
	canned_start(&server);
	watch = watch_create(count_event, PERIOD_S);
	ck_assert_ptr_nonnull(watch);
	for (int i = 0; i < SCHEDULERS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, schedule, &seen[i]),
			0);

	double end_s = clock_monotonic_s() + 30;

	while (atomic_load(&renewed) < 3 && clock_monotonic_s() < end_s)
		usleep(10000);
	atomic_store(&stop, true);
	for (int i = 0; i < SCHEDULERS; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_int_gt(atomic_load(&seen[i]), 0);
	}
	ck_assert_int_ge(atomic_load(&renewed), 3);
	watch_destroy(watch);
	canned_stop(&server);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_looking, NULL };

	return suite_run("watch_threads", tests);
}
