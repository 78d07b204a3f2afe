/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_profile.c - profiles of runs, and means over these */
#include <math.h>
#include <string.h>

#include "predictor/features/profile.h"
#include "tests/unit/suite.h"

static struct profile_share share(const char *node, const char *peer,
				  double messages, double replies)
{
	struct profile_share s;

	profile_share_init(&s);
	strcpy(s.node, node);
	s.phases.busy_s = 8;
	s.phases.ready_s = 0;
	s.phases.idle_s = 2;
	s.peer_count = 1;
	strcpy(s.peer[0].node, peer);
	s.peer[0].messages = messages;
	s.peer[0].bytes = 10 * messages;
	s.peer[0].replies = replies;
	s.peer[0].long_messages = messages / 2;
	return s;
}

static struct run completed_run(void)
{
	struct run run;

	memset(&run, 0, sizeof(run));
	strcpy(run.node_list, "n[1-2]");
	run.nodes = 2;
	run.started_at_s = 100;
	run.ended_at_s = 110;
	run.state = RUN_COMPLETED;
	return run;
}

/* On nodes n1 and n2, which replies so often. */
static struct profile profile_with(double messages, double replies)
{
	static struct profile p;
	struct profile_share shares[] = { share("n2", "n1", messages, replies),
					  share("n1", "n2", messages, 0) };
	struct run run = completed_run();
	struct sp_error err;

	ck_assert_msg(!profile_of_run(&run, shares, 2, &p, &err), "%s",
		      err.text);
	return p;
}

START_TEST(test_pairs_of_a_run)
{
	struct profile p = profile_with(50, 40);

	ck_assert_int_eq(p.node_count, 2);
	ck_assert_int_eq(p.pair_count, 2);
	ck_assert_int_eq(p.pair[0].from, 0);
	ck_assert_int_eq(p.pair[1].from, 1);
	ck_assert_double_eq(p.pair[1].messages, 50);
	ck_assert_double_eq(p.pair[0].replies, 0);
	ck_assert_double_eq(p.pair[1].replies, 40);
	ck_assert_double_eq(p.pair[1].long_messages, 25);
}
END_TEST

/* A node that nothing is known of: not a profile of the run. */
START_TEST(test_a_node_is_missing)
{
	struct profile_share one = share("n1", "n2", 5, 0);
	struct profile p;
	struct run run = completed_run();
	struct sp_error err;

	ck_assert_int_eq(profile_of_run(&run, &one, 1, &p, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "n2"));
}
END_TEST

/* What packets do not tell, the MPI library's runs do. */
START_TEST(test_replies_in_the_mean)
{
	struct profile mean = profile_with(50, NAN);
	struct profile run = profile_with(150, 100);

	profile_merge(&mean, &run);
	ck_assert_uint_eq(mean.runs, 2);
	ck_assert_double_eq_tol(mean.pair[1].messages, 100, 1e-9);
	ck_assert_double_eq_tol(mean.pair[1].replies, 100, 1e-9);
	ck_assert_double_eq_tol(mean.pair[1].long_messages, 50, 1e-9);
	run = profile_with(100, 40);
	profile_merge(&mean, &run);
	ck_assert_double_eq_tol(mean.pair[1].replies, 80, 1e-9);

	/* A run without that pair. */
	run.pair_count = 1;
	profile_merge(&mean, &run);
	ck_assert_double_eq_tol(mean.pair[1].messages, 75, 1e-9);
	ck_assert_double_eq_tol(mean.pair[1].replies, 60, 1e-9);
	ck_assert_double_eq_tol(mean.pair[1].long_messages, 37.5, 1e-9);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_pairs_of_a_run,
		test_a_node_is_missing,
		test_replies_in_the_mean,
		NULL,
	};

	return suite_run("profile", tests);
}
