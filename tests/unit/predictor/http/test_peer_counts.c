/* test_peer_counts.c - how many connections each local user holds */
#include <check.h>
#include <stdlib.h>

#include "predictor/http/peer_counts.h"

START_TEST(test_limit_is_each_users_own)
{
	struct peers *peers = peers_create();

	for (int i = 0; i < 3; i++)
		ck_assert(peers_enter(peers, 1001, 3));
	ck_assert(!peers_enter(peers, 1001, 3));
	ck_assert(peers_enter(peers, 1002, 3));
	peers_leave(peers, 1001);
	ck_assert(peers_enter(peers, 1001, 3));
	ck_assert(!peers_enter(peers, 1001, 3));
	peers_destroy(peers);
}
END_TEST

/* Counts kept beside, as simple as can be, must agree after any history. */
START_TEST(test_random_history)
{
	enum { USERS = 13, LIMIT = 4 };
	struct peers *peers = peers_create();
	int held[USERS] = { 0 };
	unsigned short seed[3] = { 2026, 1, 31 };

	for (int i = 0; i < 20000; i++) {
		int user = (int)(nrand48(seed) % USERS);

		if (nrand48(seed) % 2) {
			bool entered = peers_enter(peers, (uid_t)user, LIMIT);

			ck_assert_int_eq(entered, held[user] < LIMIT);
			held[user] += entered;
		} else if (held[user] > 0) {
			peers_leave(peers, (uid_t)user);
			held[user]--;
		}
	}
	peers_destroy(peers);
	peers_destroy(NULL);
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
