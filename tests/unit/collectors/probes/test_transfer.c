/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_transfer.c - the rate of the tail, and a real transfer */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/transfer.h"
#include "predictor/base/clock.h"
#include "tests/unit/collectors/probes/pair.h"
#include "tests/unit/suite.h"

static struct sp_error err;

/* A bucket lets 100 KB pass at once, then there are 1.25 MB/s. */
static void fill(struct samples *s, double until_s, double step_s)
{
	s->count = 0;
	samples_add(s, 7, 0);
	for (double t = step_s; t <= until_s; t += step_s)
		samples_add(s, 7 + t, 100e3 + 1.25e6 * t);
}

START_TEST(test_burst_does_not_count)
{
	struct samples s;
	bool steady;

	fill(&s, 0.2, 0.001);
	ck_assert_double_eq_tol(samples_rate(&s, &steady), 10e6, 1e3);
	ck_assert(steady);
	/* Too short to be sure. */
	fill(&s, 0.03, 0.001);
	ck_assert(!(samples_rate(&s, &steady) > 10.01e6));
	ck_assert(!steady);
}
END_TEST

START_TEST(test_too_little)
{
	struct samples s = { 0 };
	bool steady;

	ck_assert_double_nan(samples_rate(&s, &steady));
	samples_add(&s, 1, 0);
	samples_add(&s, 1, 1e6);
	samples_add(&s, 1, 2e6);
	samples_add(&s, 1, 3e6);
	ck_assert_double_nan(samples_rate(&s, &steady));
	ck_assert(!steady);
}
END_TEST

START_TEST(test_growing_is_not_steady)
{
	struct samples s = { 0 };
	bool steady;

	for (double t = 0; t < 0.3; t += 0.001)
		samples_add(&s, t, 50e6 * t * t);
	ck_assert_double_gt(samples_rate(&s, &steady), 0);
	ck_assert(!steady);
}
END_TEST

START_TEST(test_many_samples)
{
	struct samples s;
	bool steady;

	fill(&s, 20, 0.001);
	ck_assert_uint_le(s.count, SAMPLES_MAX);
	ck_assert_double_eq_tol(samples_rate(&s, &steady), 10e6, 1e3);
}
END_TEST

/* --- Over the loopback ---------------------------------------------------- */

static void *receive(void *context)
{
	static uint64_t bytes;
	struct line_reader reader;

	line_open(&reader, *(int *)context, clock_monotonic_s() + 20);
	bytes = 0;
	return transfer_receive(&reader, &bytes, NULL) ? NULL : &bytes;
}

START_TEST(test_real_transfer)
{
	static const struct transfer_limits cases[] = { { 4 << 20, 2 },
							{ 1000, 2 },
							{ 4 << 20, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct transfer t = { 0 };
		pthread_t thread;
		int ends[2];
		void *bytes;

		connect_pair(ends);
		pthread_create(&thread, NULL, receive, &ends[1]);
		ck_assert_msg(!transfer_send(ends[0], &cases[i],
					     clock_monotonic_s() + 20, &t,
					     &err),
			      "%s", err.text);
		pthread_join(thread, &bytes);
		ck_assert_ptr_nonnull(bytes);
		ck_assert_uint_eq(*(uint64_t *)bytes, t.bytes);
		ck_assert_uint_le(t.bytes, 4 << 20);
		ck_assert_uint_ge(t.bytes, TRANSFER_BYTES_MIN - 16384);
		close(ends[0]);
		close(ends[1]);
	}
}
END_TEST

START_TEST(test_nobody_takes_it)
{
	const struct transfer_limits limits = { 64 << 20, 4 };
	struct transfer t = { .bytes = 77 };
	int ends[2];

	connect_pair(ends);
	ck_assert_int_eq(transfer_send(ends[0], &limits,
				       clock_monotonic_s() + 0.2, &t, &err),
			 -1);
	ck_assert_str_eq(err.text, "timed out");
	ck_assert_uint_eq(t.bytes, 77);
	close(ends[1]);
	close(ends[0]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_burst_does_not_count,
		test_too_little,
		test_growing_is_not_steady,
		test_many_samples,
		test_real_transfer,
		test_nobody_takes_it,
		NULL,
	};

	return suite_run("transfer", tests);
}
