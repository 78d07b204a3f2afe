/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_reports.c - what the nodes of a run report finds the run */
#include <stdatomic.h>

#include "tests/unit/predictor/store/database.h"

START_TEST(test_shares_find_their_attempt)
{
	struct memory *memory;
	struct postgres *store = fresh("shares", &memory);
	struct run attempts[] = { example_run(5, RUN_REQUEUED),
				  example_run(5, RUN_COMPLETED) };
	struct run_share shares[3] = { { .cluster = "c1",
					 .job_id = 5,
					 .node = "n1",
					 .started_at_s = 1700000002.5,
					 .ended_at_s = 1700000012.5,
					 .cpu_s = NAN,
					 .peak_memory_mb = 12.5,
					 .tasks = 4 } };
	const struct store_report report = { .runs_count = 2,
					     .shares_count = 3,
					     .runs = attempts,
					     .shares = shares };

	attempts[0].ended_at_s = attempts[0].started_at_s + 10;
	attempts[1].started_at_s += 10;
	attempts[1].ended_at_s = attempts[1].started_at_s + 100;
	shares[1] = shares[2] = shares[0];
	shares[1].started_at_s += 10;
	shares[1].ended_at_s += 100;
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(store_report(store, &report, NULL),
				 STORE_STORED);
	const char *conninfo = conninfo_of("shares");

	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs"),
			 "2");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(r.state, ' ' ORDER BY "
			     "s.started_at) FROM predict.run_nodes s "
			     "JOIN predict.runs r USING (run_id)"),
			 "REQUEUED COMPLETED");
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

#define USE                                                           \
	"SELECT concat_ws(' ', groups, runs, round(mean_s), "         \
	"round(time_used::numeric, 3), round(cpu_used::numeric, 4), " \
	"round(memory_used::numeric, 3), most_memory_mb, cpu_s, "     \
	"peak_memory_mb, state) FROM predict.use("

/* Two attempts of a job on one node, and a job of two nodes of which one has
 * reported: what that one used is not known. */
START_TEST(test_use_of_requests)
{
	struct memory *memory;
	struct postgres *store = fresh("uses", &memory);
	struct run runs[] = { example_run(5, RUN_REQUEUED),
			      example_run(5, RUN_COMPLETED),
			      example_run(6, RUN_FAILED) };
	struct run_share shares[3] = { { .cluster = "c1",
					 .job_id = 5,
					 .node = "n1",
					 .started_at_s = 1700000002.5,
					 .ended_at_s = 1700000012.5,
					 .cpu_s = 30,
					 .peak_memory_mb = 600,
					 .tasks = 1 } };
	const struct store_report report = { .runs_count = 3,
					     .shares_count = 3,
					     .runs = runs,
					     .shares = shares };

	for (int i = 0; i < 3; i++) {
		runs[i].nodes = i < 2 ? 1 : 2;
		runs[i].cpus = 4;
		runs[i].memory_mb = 1000;
		runs[i].limit_s = 500;
	}
	runs[0].ended_at_s = runs[0].started_at_s + 10;
	runs[1].started_at_s += 10;
	runs[1].ended_at_s = runs[1].started_at_s + 100;
	runs[2].user_id = 1004;
	strcpy(runs[2].user, "bob");
	runs[2].ended_at_s = runs[2].started_at_s + 50;
	shares[1] = shares[2] = shares[0];
	shares[1].started_at_s += 10;
	shares[1].ended_at_s += 100;
	shares[1].cpu_s = 120;
	shares[1].peak_memory_mb = 250;
	shares[2].job_id = 6;
	ck_assert_int_eq(store_report(store, &report, NULL), STORE_STORED);

	const char *conninfo = conninfo_of("uses");

	ck_assert_str_eq(sql(conninfo, USE "only_uid => 1003)"),
			 "1 2 55 0.110 0.3409 0.282 600 120 250 COMPLETED");
	ck_assert_str_eq(sql(conninfo, USE "newest => 3) OFFSET 1"),
			 "1 3 53 0.107 0.3409 0.282 600 FAILED");
	ck_assert_str_eq(sql(conninfo, USE "by_what => 'user') OFFSET 1"),
			 "2 1 50 0.100 FAILED");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(concat_ws(' ', name, runs), "
			     "', ') FROM predict.use('day', since => "
			     "'2023-11-14', only_user => 'bob')"),
			 "2023-11-14 1");
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.use("
				       "only_application => 'other')"),
			 "0");
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

static struct profile profile; /* the last one that came back */
static atomic_int profiles;    /* how many did */

static void profile_take(void *context, const struct run *run,
			 const struct profile *p)
{
	(void)context;
	ck_assert_uint_eq(run->job_id, 5);
	profile = *p;
	atomic_fetch_add(&profiles, 1);
}

static struct profile_share share_of(const char *node, const char *peer)
{
	struct profile_share share;

	profile_share_init(&share);
	strcpy(share.cluster, "c1");
	strcpy(share.node, node);
	share.job_id = 5;
	share.started_at_s = 1700000003.25;
	share.ended_at_s = 1700000190.5;
	share.phases.busy_s = 150;
	share.phases.ready_s = 0;
	share.phases.idle_s = 37;
	share.peer_count = 1;
	strcpy(share.peer[0].node, peer);
	share.peer[0].messages = 770;
	share.peer[0].bytes = 7.5e6;
	return share;
}

/* What the nodes saw of a run comes back as its profile once all have reported,
 * and again after a restart. */
START_TEST(test_profile_comes_back)
{
	struct memory *memory = memory_create();
	const struct postgres_config config = {
		.conninfo = database_with_schema("profiles"),
		.measurements_keep_days = 3,
	};
	struct store_sink sink = memory_sink(memory);
	struct profile_share shares[] = { share_of("n1", "n2"),
					  share_of("n2", "n1") };
	struct run run = example_run(5, RUN_COMPLETED);
	struct store_report report = { .runs_count = 1,
				       .runs = &run,
				       .profiles_count = 1,
				       .profiles = shares };
	struct postgres *store;

	run.nodes = 2;
	strcpy(run.node_list, "n[1-2]");
	sink.profile = profile_take;
	store = postgres_create(&config, &sink, NULL);
	memory_wait(memory, 0);
	ck_assert_int_eq(store_report(store, &report, NULL), STORE_STORED);
	ck_assert_int_eq(atomic_load(&profiles), 0);
	report.runs_count = 0;
	report.profiles++;
	ck_assert_int_eq(store_report(store, &report, NULL), STORE_STORED);
	postgres_destroy(store, 5);
	atomic_store(&profiles, 0);
	memory->ready = false;
	store = postgres_create(&config, &sink, NULL);
	memory_wait(memory, 1);
	while (!atomic_load(&profiles))
		usleep(1000);
	postgres_destroy(store, 5);
	ck_assert_uint_eq(profile.nodes, 2);
	ck_assert_int_eq(profile.node_count, 2);
	ck_assert_double_eq(profile.node[0].busy_s, 150);
	ck_assert_int_eq(profile.pair_count, 2);
	ck_assert_double_eq(profile.pair[0].messages, 770);
	memory_destroy(memory);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_shares_find_their_attempt,
		test_use_of_requests,
		test_profile_comes_back,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "node_reports", tests);
}
