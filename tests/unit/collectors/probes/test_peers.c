/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_peers.c - what is remembered of nodes, and what probing them may cost */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/probes/peers.h"
#include "tests/unit/suite.h"

#define INTERVAL_S 10
#define ALLOWED_S  0.07 /* of an interval, a link may be busy with probes */

static struct probe_peers peers;

START_TEST(test_those_met_last_are_remembered)
{
	char name[16];

	memset(&peers, 0, sizeof(peers));
	for (uint64_t i = 0; i < PROBE_PEERS_MAX; i++) {
		struct probe_peer *p;

		snprintf(name, sizeof(name), "n%d", (int)i);
		p = probe_peers_find(&peers, name, i + 1);
		ck_assert_str_eq(p->name, name);
		ck_assert_double_nan(p->out_bps);
		ck_assert_double_nan(p->back_bps);
		p->out_bps = (double)i;
	}
	/* n0 is met again, so n1 has to go. */
	ck_assert_double_eq(probe_peers_find(&peers, "n0", 1000)->out_bps, 0);
	ck_assert_double_nan(probe_peers_find(&peers, "new", 1001)->out_bps);
	ck_assert_double_eq(probe_peers_find(&peers, "n0", 1002)->out_bps, 0);
	ck_assert_double_eq(probe_peers_find(&peers, "n2", 1003)->out_bps, 2);
	ck_assert_double_nan(probe_peers_find(&peers, "n1", 1004)->out_bps);
}
END_TEST

START_TEST(test_address)
{
	struct probe_peer *peer = &peers.of[0];
	struct sp_error err;

	*peer = (struct probe_peer){ .name = "127.0.0.1" };
	ck_assert_int_eq(probe_peer_resolve(peer, 7381, &err), 0);
	ck_assert_int_eq(peer->address.ss_family, AF_INET);
	ck_assert_uint_eq(peer->address_size, sizeof(struct sockaddr_in));

	/* Known now: not resolved again. */
	strcpy(peer->name, "");
	ck_assert_int_eq(probe_peer_resolve(peer, 7381, &err), 0);
}
END_TEST

START_TEST(test_size_fits_the_link)
{
	struct probe_peer peer = { .out_bps = 1e9, .back_bps = NAN };
	struct transfer_limits out, back;

	ck_assert(probe_peer_limits(&peer, INTERVAL_S, &out, &back));
	ck_assert_double_eq_tol(out.time_s, ALLOWED_S, 1e-9);
	ck_assert_uint_eq(out.bytes, 8 << 20);
	ck_assert_uint_eq(back.bytes, 8 << 20);
	peer.out_bps = 200e6;
	peer.back_bps = 1e6;
	ck_assert(probe_peer_limits(&peer, INTERVAL_S, &out, &back));
	ck_assert_uint_eq(out.bytes, 1750000);
	ck_assert_uint_eq(back.bytes, TRANSFER_BYTES_MIN);
}
END_TEST

/* Over many turns no more than is allowed, whatever a transfer takes. */
START_TEST(test_cost)
{
	static const double takes_s[] = { 0.01, 0.1, 0.5, 1.2 };
	struct transfer_limits out, back;

	for (int k = 0; k < 4; k++) {
		struct probe_peer peer = { .out_bps = 1e6, .back_bps = 1e6 };
		double spent_s = 0;
		int transfers = 0;

		for (int turn = 0; turn < 1000; turn++) {
			if (!probe_peer_limits(&peer, INTERVAL_S, &out, &back))
				continue;
			probe_peer_spent(&peer, INTERVAL_S, takes_s[k] / 2,
					 takes_s[k]);
			spent_s += takes_s[k];
			transfers++;
		}
		ck_assert_int_ge(transfers, 50);
		ck_assert_double_le(spent_s, 1000 * ALLOWED_S + takes_s[k]);
		if (takes_s[k] < ALLOWED_S)
			ck_assert_int_eq(transfers, 1000);
	}
}
END_TEST

/* One that took far too long is no reason never to try again. */
START_TEST(test_debt_is_bounded)
{
	struct probe_peer peer = { .out_bps = 1e6, .back_bps = 1e6 };
	struct transfer_limits out, back;
	int turns = 1;

	probe_peer_spent(&peer, INTERVAL_S, 1000, 0);
	while (!probe_peer_limits(&peer, INTERVAL_S, &out, &back))
		turns++;
	ck_assert_int_le(turns, 20);
	ck_assert_int_ge(turns, 19);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_those_met_last_are_remembered,
		test_address,
		test_size_fits_the_link,
		test_cost,
		test_debt_is_bounded,
		NULL,
	};

	return suite_run("peers", tests);
}
