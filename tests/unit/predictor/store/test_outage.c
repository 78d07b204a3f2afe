/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_outage.c - a server that is down, hangs, or has another schema */
#include "tests/unit/predictor/store/database.h"

#define MANY 100

START_TEST(test_away_refuses_and_recovers)
{
	struct memory *memory;
	struct postgres *store = fresh("away", &memory);
	struct run run = example_run(5, RUN_COMPLETED);
	struct prediction p = { .id = "1", .cluster = "c1" };
	struct store_status status;
	struct sp_error err;

	server("kill");
	while (store_run(store, &run) == STORE_STORED)
		run.job_id++;
	do {
		postgres_ops.status(store, &status);
		usleep(1000);
	} while (status.up);
	const struct store_report report = { .runs_count = 1, .runs = &run };
	double before_s = clock_monotonic_s();

	ck_assert_int_eq(
		postgres_ops.put_report(store, &report, NULL, NULL, &err), -1);
	ck_assert(clock_monotonic_s() - before_s < 2);
	ck_assert_ptr_nonnull(strstr(err.text, "PostgreSQL: "));
	postgres_ops.put_prediction(store, &p);
	postgres_ops.status(store, &status);
	ck_assert(status.ready);
	ck_assert_uint_eq(status.waiting, 1);
	server("start");
	while (store_run(store, &run) != STORE_STORED)
		usleep(10000);
	postgres_destroy(store, 5);
	ck_assert_str_eq(sql(conninfo_of("away"),
			     "SELECT count(*) FROM predict.predictions"),
			 "1");
	memory_destroy(memory);
}
END_TEST

START_TEST(test_hung_server_holds_nobody)
{
	struct memory *memory;
	struct postgres *store = fresh("hung", &memory);
	struct run run = example_run(5, RUN_COMPLETED);
	const struct store_report report = { .runs_count = 1, .runs = &run };
	int counts[3] = { 0 };

	server_signal(SIGSTOP);
	double before_s = clock_monotonic_s();

	for (int i = 0; i < MANY; i++)
		ck_assert_int_eq(postgres_ops.put_report(store, &report,
							 count_outcome, counts,
							 NULL),
				 0);
	ck_assert(clock_monotonic_s() - before_s < 2);
	usleep(100000);
	before_s = clock_monotonic_s();
	postgres_destroy(store, 0.5);
	double took_s = clock_monotonic_s() - before_s;

	/* It may hang in the middle of a connection, too. */
	struct postgres *another = store_start(conninfo_of("hung"), memory);

	usleep(100000);
	before_s = clock_monotonic_s();
	postgres_destroy(another, 0.2);
	double connecting_s = clock_monotonic_s() - before_s;

	server_signal(SIGCONT);
	ck_assert_msg(took_s < 5, "%g s", took_s);
	ck_assert_msg(connecting_s < 5, "%g s", connecting_s);
	ck_assert_int_eq(counts[-STORE_AGAIN], MANY);
	memory_destroy(memory);
}
END_TEST

static void check_says(const char *conninfo, const char *what)
{
	struct memory *memory = memory_create();
	struct postgres *store = store_start(conninfo, memory);
	struct run run = example_run(5, RUN_COMPLETED);
	struct store_status status;
	struct sp_error err;

	do {
		postgres_ops.status(store, &status);
		usleep(1000);
	} while (strstr(status.last.text, "not connected yet"));
	ck_assert(!status.up && !status.ready);
	ck_assert_msg(strstr(status.last.text, what) != NULL, "%s",
		      status.last.text);
	/* Senders get the same error. */
	const struct store_report report = { .runs_count = 1, .runs = &run };

	ck_assert_int_eq(store_report(store, &report, &err), STORE_AGAIN);
	ck_assert_ptr_nonnull(strstr(err.text, what));
	postgres_destroy(store, 0);
	memory_destroy(memory);
}

START_TEST(test_says_what_to_do)
{
	char stranger[2048];
	const char *conninfo = database_create("says");

	check_says("host=/nowhere", "No such file");
	check_says("no such = key", "PostgreSQL");
	check_says(conninfo, "run predictd --migrate");
	ck_assert_int_eq(postgres_migrate(conninfo, "sql", NULL), 0);
	sql(conninfo, "CREATE ROLE stranger LOGIN");
	snprintf(stranger, sizeof(stranger), "%s user=stranger", conninfo);
	check_says(stranger, "GRANT predict_daemon");
	sql(conninfo, "DELETE FROM predict.schema_steps WHERE step > 1");
	check_says(conninfo, "run predictd --migrate");
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_away_refuses_and_recovers,
		test_hung_server_holds_nobody,
		test_says_what_to_do,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "outage", tests);
}
