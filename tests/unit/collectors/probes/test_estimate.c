/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_estimate.c - what a new stream would get */
#include <math.h>

#include "collectors/probes/estimate.h"
#include "tests/unit/suite.h"

#define WIRE (1514. / 1448) /* per byte of payload */

static const struct estimate_end quiet = { 0, NAN, 0 };

static void about(double value, double expected)
{
	ck_assert_double_gt(value, 0.99 * expected);
	ck_assert_double_lt(value, 1.01 * expected);
}

START_TEST(test_idle_link)
{
	struct estimate_input in = { .probe_bps = 93.5e6,
				     .from = quiet,
				     .to = quiet,
				     .capacity_bps = NAN };
	struct estimate e = estimate_bandwidth(&in);

	about(e.bandwidth_bps, 93.5e6);
	about(e.capacity_bps, 93.5e6);
	/* It has become slower: what was known is forgotten at once. */
	in.capacity_bps = 940e6;
	e = estimate_bandwidth(&in);
	about(e.bandwidth_bps, 93.5e6);
	about(e.capacity_bps, 93.5e6);
}
END_TEST

START_TEST(test_nothing_known)
{
	struct estimate_input in = {
		NAN, { NAN, NAN, NAN }, { NAN, NAN, NAN }, NAN, 1
	};
	struct estimate e = estimate_bandwidth(&in);

	ck_assert_double_nan(e.bandwidth_bps);
	ck_assert_double_nan(e.capacity_bps);
}
END_TEST

START_TEST(test_shared_with_streams)
{
	struct estimate_input in = {
		.probe_bps = 17e6,
		.from = { 97e6 * WIRE, 96e6 * WIRE, 1 },
		.to = { 97e6 * WIRE, 96e6 * WIRE, 1 },
		.capacity_bps = 95e6,
		.newcomer = 0.8,
	};

	about(estimate_bandwidth(&in).bandwidth_bps, 0.8 * 97e6 / 2);
	in.from.streams = in.to.streams = 3;
	about(estimate_bandwidth(&in).bandwidth_bps, 0.8 * 97e6 / 4);
	/* Whose traffic is not seen as streams counts as one. */
	in.from.streams = in.to.streams = NAN;
	about(estimate_bandwidth(&in).bandwidth_bps, 0.8 * 97e6 / 2);
}
END_TEST

/* Another stream sends 30 of 100 Mbit/s, limited by itself. */
START_TEST(test_what_others_leave)
{
	struct estimate_input in = {
		.probe_bps = 68e6,
		.from = { 30e6 * WIRE, 100e6 * WIRE, 1 },
		.to = quiet,
		.capacity_bps = NAN,
		.newcomer = 1,
	};

	about(estimate_bandwidth(&in).bandwidth_bps, 70e6);
}
END_TEST

/* The receiver is busy with a third node. */
START_TEST(test_the_busier_end_counts)
{
	struct estimate_input in = {
		.probe_bps = 40e6,
		.from = { 20e6 * WIRE, 60e6 * WIRE, 1 },
		.to = { 99e6 * WIRE, 99e6 * WIRE, 2 },
		.capacity_bps = 99e6,
		.newcomer = 0.8,
	};

	about(estimate_bandwidth(&in).bandwidth_bps, 0.8 * 99e6 / 3);
}
END_TEST

/* The link was changed from 500 to 10 Mbit/s while others use it. */
START_TEST(test_changed_while_busy)
{
	struct estimate_input in = {
		.probe_bps = 3e6,
		.from = { 9.6e6 * WIRE, 9.6e6 * WIRE, 1 },
		.to = { 9.6e6 * WIRE, 9.6e6 * WIRE, 1 },
		.capacity_bps = 480e6,
		.newcomer = 1,
	};
	struct estimate e = estimate_bandwidth(&in);

	about(e.bandwidth_bps, 4.8e6);
	about(e.capacity_bps, 9.6e6);
}
END_TEST

/* BBR finds its part among others, CUBIC is kept out; of what else there is,
 * and of what is not known, no more is expected than of CUBIC. */
START_TEST(test_newcomers)
{
	ck_assert_double_eq(estimate_newcomer("bbr"), 1);
	ck_assert_double_lt(estimate_newcomer("cubic"), 1);
	ck_assert_double_eq(estimate_newcomer(""), estimate_newcomer("cubic"));
	ck_assert_double_eq(estimate_newcomer("bbr2"),
			    estimate_newcomer("cubic"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_idle_link,
		test_nothing_known,
		test_shared_with_streams,
		test_what_others_leave,
		test_the_busier_end_counts,
		test_changed_while_busy,
		test_newcomers,
		NULL,
	};

	return suite_run("estimate", tests);
}
