/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_peer_counts.c - how many connections each local user has */
#include <check.h>
#include <stdlib.h>

#include "predictor/http/gate/peer_counts.h"

START_TEST(test_limit_is_each_users_own)
{
	struct peer_counts *peers = peer_counts_create();

	for (int i = 0; i < 3; i++)
		ck_assert(peer_counts_enter(peers, 1001, 3));
	ck_assert(!peer_counts_enter(peers, 1001, 3));
	ck_assert(peer_counts_enter(peers, 1002, 3));
	peer_counts_leave(peers, 1001);
	ck_assert(peer_counts_enter(peers, 1001, 3));
	ck_assert(!peer_counts_enter(peers, 1001, 3));
	peer_counts_destroy(peers);
}
END_TEST

/* Compare with plain counters after a random history. */
START_TEST(test_random_history)
{
	enum { USERS = 13, LIMIT = 4 };
	struct peer_counts *peers = peer_counts_create();
	int held[USERS] = { 0 };
	unsigned short seed[3] = { 2026, 1, 31 };

	for (int i = 0; i < 20000; i++) {
		int user = (int)(nrand48(seed) % USERS);

		if (nrand48(seed) % 2) {
			bool entered =
				peer_counts_enter(peers, (unsigned)user, LIMIT);

			ck_assert_int_eq(entered, held[user] < LIMIT);
			held[user] += entered;
		} else if (held[user] > 0) {
			peer_counts_leave(peers, (unsigned)user);
			held[user]--;
		}
	}
	peer_counts_destroy(peers);
	peer_counts_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("peers");
	TCase *tests = tcase_create("peers");
	SRunner *runner = srunner_create(suite);

	tcase_add_test(tests, test_limit_is_each_users_own);
	tcase_add_test(tests, test_random_history);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
