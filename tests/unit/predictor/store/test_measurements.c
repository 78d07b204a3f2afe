/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_measurements.c - measurements in PostgreSQL, and their thinning */
#include <math.h>

#include "tests/unit/predictor/store/database.h"

START_TEST(test_strange_measurements)
{
	struct memory *memory;
	struct postgres *store = fresh("strange", &memory);
	double now_s = clock_now_s();
	struct measurement m[6] = { { .node = "n1", .time_s = now_s } };

	m[1] = m[2] = m[3] = m[4] = m[5] = m[0];
	m[2].time_s = now_s + 1e7; /* a clock far ahead */
	m[3].time_s = now_s - 1e7;
	m[4].time_s = NAN;
	m[5].time_s = now_s - 86400;
	postgres_ops.put_measurements(store, "c1", m, 6);
	postgres_destroy(store, 5);
	const char *conninfo = conninfo_of("strange");

	ck_assert_str_eq(
		sql(conninfo, "SELECT count(*) FROM predict.measurements"),
		"2");
	/* Days of the window exist, older ones go. */
	sql(conninfo, "CREATE TABLE predict.measurements_20010203 PARTITION OF "
		      "predict.measurements FOR VALUES FROM ('2001-02-03 "
		      "00:00+00') TO ('2001-02-04 00:00+00')");
	ck_assert_str_eq(
		sql(conninfo, "SELECT predict.drop_measurement_days(3)"), "1");
	ck_assert_str_eq(
		sql(conninfo, "SELECT predict.create_measurement_days(3)"),
		"0");
	ck_assert_str_eq(
		sql(conninfo, "SELECT node FROM predict.node_load_now"), "n1");
	memory_destroy(memory);
}
END_TEST

/* Means are made of what is an hour old, each slice once, and a day goes only
 * when they are. */
START_TEST(test_thins_with_age)
{
	struct memory *memory;
	struct postgres *store = fresh("thin", &memory);
	struct measurement m = { .node = "n1", .time_s = clock_now_s() };
	struct link_measurement link = { .from = "n1",
					 .to = "n2",
					 .time_s = m.time_s };

	postgres_ops.put_measurements(store, "c1", &m, 1);
	postgres_ops.put_links(store, "c1", &link, 1);
	postgres_destroy(store, 5);

	const char *conninfo = conninfo_of("thin");

	sql(conninfo,
	    "SELECT predict.create_measurement_days(3);"
	    "DELETE FROM predict.measurements;"
	    "DELETE FROM predict.thinned;" /* as if it were an old database */
	    "INSERT INTO predict.measurements (node_id, measured_at, "
	    "cpu_load) SELECT n.node_id, t, extract(epoch FROM t - "
	    "date_bin('5 minutes', t, 'epoch')) FROM predict.nodes n, "
	    "generate_series(now() - interval '30 hours', now(), "
	    "interval '20 seconds') t WHERE n.name = 'n1';"
	    "INSERT INTO predict.link_measurements (from_node_id, "
	    "to_node_id, measured_at, bandwidth_bps) SELECT a.node_id, "
	    "b.node_id, t, 1e9 FROM predict.nodes a, predict.nodes b, "
	    "generate_series(now() - interval '30 hours', now(), "
	    "interval '10 minutes') t "
	    "WHERE a.name = 'n1' AND b.name = 'n2'");
	for (int i = 0;
	     i < 100 &&
	     strcmp(sql(conninfo, "SELECT predict.thin_measurements(3)"),
		    "0") != 0;
	     i++)
		continue;
	ck_assert_str_eq(sql(conninfo, "SELECT predict.thin_measurements(3)"),
			 "0");
	/* The first and the last of 29 hours are not whole. */
	ck_assert_str_eq(
		sql(conninfo,
		    "SELECT concat_ws('|', count(*) BETWEEN 344 AND 349, "
		    "max(samples), max(cpu_load) BETWEEN 140 AND 160) "
		    "FROM predict.measurements_5min "
		    "WHERE samples = 15"),
		"t|15|t");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT concat_ws('|', count(*) BETWEEN 27 AND "
			     "29, max(samples)) "
			     "FROM predict.measurements_hourly"),
			 "t|180");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT concat_ws('|', count(*) BETWEEN 28 AND "
			     "30, max(samples), max(bandwidth_bps)) "
			     "FROM predict.link_measurements_hourly"),
			 "t|6|1000000000");
	/* The hourly speeds come back. */
	sql(conninfo, "UPDATE predict.measurements_hourly SET cpu_speed = 1.5");
	memory_destroy(memory);
	memory = memory_create();
	store = store_start(conninfo, memory);
	memory_wait(memory, 0);
	ck_assert_uint_ge(memory->speeds_count, 9);
	ck_assert_uint_le(memory->speeds_count, 11);
	postgres_destroy(store, 5);
	/* Yesterday was thinned, but say it was not. */
	sql(conninfo, "UPDATE predict.thinned SET until_at = now() - "
		      "interval '2 days'; "
		      "SELECT predict.create_measurement_days(3)");
	ck_assert_str_ne(
		sql(conninfo, "SELECT predict.drop_measurement_days(1)"), "6");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT to_regclass('predict.measurements_' || "
			     "to_char((now() AT TIME ZONE 'UTC') - "
			     "interval '1 day', 'YYYYMMDD')) IS NOT NULL"),
			 "t");
	memory_destroy(memory);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_strange_measurements,
		test_thins_with_age,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "measurements", tests);
}
