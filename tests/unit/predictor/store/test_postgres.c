/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_postgres.c - what is put into the store once comes back from it */
#include <math.h>

#include "tests/unit/predictor/store/database.h"
#include "tests/unit/predictor/store/same.h"

/* Times are kept to the microsecond. */
static double microsecond(double seconds)
{
	return round(seconds * 1e6) / 1e6;
}

static struct prediction example_prediction(const char *id, double made_at_s)
{
	struct prediction p = {
		.stage = STAGE_START,
		.made_at_s = microsecond(made_at_s),
		.mode = MODE_ACT,
		.cluster = "c1",
		.user_id = 4294967295,
		.partition = "short",
		.qos = "low",
		.features = "(a|b)&c",
		.gres = "gpu:2",
		.job_name = "étude",
		.application = { .name = "nbody #",
				 .parameters = { .count = 1,
						 .of = { { "n", -1e300 } } },
				 .traits = "in=x'y\"z" },
		.nodes = 2,
		.memory_mb = 1234.5,
		.limit_s = NAN,
		.assumed_nodes = "n[2,4]",
		.rejected_nodes = "n[1-2]",
		.rejected_s = 0.7,
		.basis = BASIS_HISTORY,
		.model = "regression",
		.median_s = 1.0 / 3,
		.quantile = 0.9,
		.quantile_s = 2.0 / 3,
		.runs = 41,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 4294967294,
		.own_runs = 37,
		.judged = 32,
		.held = 29,
		.extrapolated = true,
		.similar_runs = 31,
		.over_limit = 30,
		.outside = "étages 3000, 200 to 600 seen",
		.unbounded = true,
		.unlike = UNLIKE_TRAITS,
		.unlike_runs = 4294967293,
		.unlike_shortest_s = 1.0 / 7,
		.unlike_longest_s = 1e15 / 3,
		.last_error = NAN,
		.limit_chance = 1.0 / 7,
		.evidence_count = 2,
		.evidence = { { 4294967294, 1234567, 0.75 },
			      { 7, 0.5, 0.0625 } },
		.candidates_count = 2,
		.candidates = { { "regression", 1.0 / 3 }, { "mean2", NAN } },
	};

	snprintf(p.id, sizeof(p.id), "%s", id);
	conditions_init(&p.conditions);
	p.conditions.latency_s = 1e-5;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] = 0.25 * i + 4096;
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		p.levels[i] = 0.375 * i - 0.5;
	return p;
}

START_TEST(test_run_comes_back)
{
	struct memory *memory;
	struct postgres *store = fresh("comes_back", &memory);
	struct run run = example_run(4294967293, RUN_COMPLETED);

	run.suspended_s = 17.3;
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	/* The sink has it before the sender gets its reply. */
	ck_assert_uint_eq(memory->runs_count, 1);
	ck_assert_int_ne(memory->runs[0].id, 0);
	run.ended_at_s = microsecond(run.ended_at_s);
	check_same_run(memory->runs[0], run);
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

START_TEST(test_reload_is_identical)
{
	struct memory *memory, *again;
	struct postgres *store = fresh("reload", &memory);
	double now_s = clock_now_s();
	struct prediction p = example_prediction("00ff00ff00ff00ff", now_s);
	struct prediction q = p;
	struct measurement m = { .node = "n1",
				 .time_s = microsecond(now_s),
				 .cpu_load = 0.1,
				 .cpu_available = NAN,
				 .cpu_available_now = 1.0 / 7,
				 .cpu_correction = 0.95,
				 .cpu_speed = 1.75,
				 .cpu_turn_s = 0.0015,
				 .cpu_credit_s = 0.006,
				 .memory_available_mb = 1e4 / 3 };
	struct link_measurement link = { .from = "n1",
					 .to = "n2",
					 .time_s = microsecond(now_s),
					 .bandwidth_bps = 1e9 / 3,
					 .latency_s = NAN,
					 .utilisation = 0.25 };
	struct run runs[] = { example_run(9, RUN_RUNNING),
			      example_run(8, RUN_COMPLETED),
			      example_run(7, RUN_FAILED) };

	/* A run keeps the prediction of its own user only. */
	for (int i = 0; i < 3; i++)
		runs[i].user_id = p.user_id;
	runs[1].suspended_s = 1.0 / 3;
	q.stage = STAGE_SUBMISSION;
	q.made_at_s = microsecond(now_s - 1);
	q.evidence_count = q.candidates_count = 0;
	q.outside[0] = '\0';
	q.unbounded = false;
	q.unlike = UNLIKE_NOT;
	q.unlike_runs = 0;
	q.unlike_shortest_s = q.unlike_longest_s = 0;
	q.application.parameters.count = 0;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		q.knots_s[i] = NAN;
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		q.levels[i] = NAN;
	runs[0].before = (struct conditions){ .cpu_load = NAN };
	runs[0].application.parameters.count = 0;
	runs[0].prediction_id[0] = '\0';
	runs[1].ended_at_s = runs[1].started_at_s + 9;
	runs[2].ended_at_s = runs[2].started_at_s + 8.5;
	postgres_ops.put_prediction(store, &p);
	postgres_ops.put_prediction(store, &q);
	postgres_ops.put_measurements(store, "c1", &m, 1);
	postgres_ops.put_links(store, "c1", &link, 1);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(store_run(store, &runs[i]), STORE_STORED);
	postgres_destroy(store, 5); /* writes what waits */

	again = memory_create();
	store = store_start(conninfo_of("reload"), again);
	memory_wait(again, 3);
	ck_assert_uint_eq(again->predictions_count, 2);
	check_same_prediction(again->predictions[0], q);
	check_same_prediction(again->predictions[1], p);
	ck_assert_uint_eq(again->measurements_count, 1);
	SAME_TEXT(again->measurements[0], m, node);
	SAME_REAL(again->measurements[0], m, time_s);
	SAME_REAL(again->measurements[0], m, cpu_load);
	SAME_REAL(again->measurements[0], m, cpu_available);
	SAME_REAL(again->measurements[0], m, cpu_available_now);
	SAME_REAL(again->measurements[0], m, cpu_correction);
	SAME_REAL(again->measurements[0], m, cpu_turn_s);
	SAME_REAL(again->measurements[0], m, cpu_credit_s);
	SAME_REAL(again->measurements[0], m, cpu_speed);
	SAME_REAL(again->measurements[0], m, memory_available_mb);
	ck_assert_uint_eq(again->links_count, 1);
	SAME_TEXT(again->links[0], link, from);
	SAME_TEXT(again->links[0], link, to);
	SAME_REAL(again->links[0], link, time_s);
	SAME_REAL(again->links[0], link, bandwidth_bps);
	SAME_REAL(again->links[0], link, latency_s);
	SAME_REAL(again->links[0], link, utilisation);
	/* Ended ones by their ends, then running ones. */
	check_same_run(again->runs[0], runs[2]);
	check_same_run(again->runs[1], runs[1]);
	check_same_run(again->runs[2], runs[0]);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	memory_destroy(again);
}
END_TEST

START_TEST(test_short_history)
{
	struct memory *memory;
	struct postgres *store = fresh("short_history", &memory);
	struct run runs[] = { example_run(1, RUN_COMPLETED),
			      example_run(2, RUN_COMPLETED),
			      example_run(3, RUN_RUNNING) };

	runs[1].ended_at_s = clock_now_s() - 86400;
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(store_run(store, &runs[i]), STORE_STORED);
	postgres_destroy(store, 1);
	memory->runs_count = 0;

	const struct postgres_config config = {
		.conninfo = conninfo_of("short_history"),
		.measurements_keep_days = 1,
		.history_days = 2,
	};
	const struct store_sink sink = memory_sink(memory);

	memory->ready = false;
	store = postgres_create(&config, &sink, NULL);
	memory_wait(memory, 2);
	ck_assert_uint_eq(memory->runs_count, 2);
	ck_assert_uint_eq(memory->runs[0].job_id, 2);
	ck_assert_uint_eq(memory->runs[1].job_id, 3);
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

START_TEST(test_state_only_grows)
{
	static const struct {
		enum run_state reported, then;
	} steps[] = {
		{ RUN_RUNNING, RUN_RUNNING },  { RUN_LOST, RUN_LOST },
		{ RUN_RUNNING, RUN_LOST },     { RUN_FAILED, RUN_FAILED },
		{ RUN_RUNNING, RUN_FAILED },   { RUN_LOST, RUN_FAILED },
		{ RUN_COMPLETED, RUN_FAILED },
	};
	struct memory *memory;
	struct postgres *store = fresh("grows", &memory);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct run run = example_run(5, steps[i].reported);

		ck_assert_int_eq(store_run(store, &run), STORE_STORED);
		ck_assert_str_eq(sql(conninfo_of("grows"),
				     "SELECT state FROM predict.runs"),
				 run_state_name(steps[i].then));
	}
	/* Only what changed came back. */
	ck_assert_uint_eq(memory->runs_count, 3);
	ck_assert_int_eq(memory->runs[0].id, memory->runs[2].id);
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

START_TEST(test_start_is_remembered)
{
	struct memory *memory;
	struct postgres *store = fresh("remembered", &memory);
	struct run run = example_run(5, RUN_RUNNING);
	struct run end = example_run(5, RUN_COMPLETED);

	end.suspended_s = 17.3;
	conditions_init(&end.before);
	end.application.parameters.count = 0;
	snprintf(end.application.name, sizeof(end.application.name), "other");
	end.prediction_id[0] = '\0';
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	ck_assert_int_eq(store_run(store, &end), STORE_STORED);
	run.state = end.state;
	run.ended_at_s = microsecond(end.ended_at_s);
	run.suspended_s = end.suspended_s;
	check_same_run(memory->runs[1], run);

	/* Start and end may also arrive in one report. */
	struct run both[] = { example_run(6, RUN_RUNNING), end, end };
	const struct store_report report = { .runs_count = 3, .runs = both };

	both[1].job_id = both[2].job_id = 6;
	both[2].state = RUN_FAILED;
	run.job_id = 6;
	ck_assert_int_eq(store_report(store, &report, NULL), STORE_STORED);
	ck_assert_uint_eq(memory->runs_count, 3);
	check_same_run(memory->runs[2], run);
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

#define MANY 100

START_TEST(test_bad_report_fails_alone)
{
	struct memory *memory;
	struct postgres *store = fresh("alone", &memory);
	int counts[3] = { 0 };

	for (uint32_t i = 0; i < MANY; i++) {
		struct run run = example_run(i, RUN_COMPLETED);
		const struct store_report report = { .runs_count = 1,
						     .runs = &run };

		if (i == 17) /* refused by a CHECK of the table */
			run.ended_at_s = run.started_at_s - 1;
		if (i == 40) /* refused before PostgreSQL sees it */
			run.started_at_s = NAN;
		if (i == 41)
			run.state = RUN_STATES;
		if (i == 50) /* cut in the middle of a character */
			memcpy(run.job_name, "ab\xc3", 4);
		ck_assert_int_eq(postgres_ops.put_report(store, &report,
							 count_outcome, counts,
							 NULL),
				 0);
	}
	postgres_destroy(store, 20);
	ck_assert_int_eq(counts[-STORE_STORED], MANY - 3);
	ck_assert_int_eq(counts[-STORE_AGAIN], 0);
	ck_assert_int_eq(counts[-STORE_REFUSED], 3);
	const char *conninfo = conninfo_of("alone");

	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs"),
			 "97");
	ck_assert_str_eq(sql(conninfo, "SELECT job_name FROM predict.runs "
				       "WHERE job_id = 50"),
			 "ab?");
	memory_destroy(memory);
}
END_TEST

/* Others, and other jobs of the same user, may name a prediction: it is none of
 * theirs. */
START_TEST(test_foreign_predictions)
{
	struct memory *memory;
	struct postgres *store = fresh("own_only", &memory);
	struct run run = example_run(5, RUN_COMPLETED);
	struct prediction p =
		example_prediction(run.prediction_id, clock_now_s());
	const char *conninfo = conninfo_of("own_only");

	p.stage = STAGE_SUBMISSION;
	snprintf(p.cluster, sizeof(p.cluster), "%s", run.cluster);
	p.user_id = run.user_id;
	postgres_ops.put_prediction(store, &p);
	while (strcmp(sql(conninfo, "SELECT count(*) FROM predict.predictions"),
		      "1") != 0)
		usleep(10000);
	/* 4 is another user's, 5 and 6 are of one array, 7 is another job. */
	run.array_job_id = 5;
	for (run.job_id = 4; run.job_id <= 7; run.job_id++) {
		run.user_id = p.user_id + (run.job_id == 4);
		if (run.job_id == 7)
			run.array_job_id = 0;
		ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	}
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(job_id::text, ' ' ORDER BY "
			     "job_id) FROM predict.runs "
			     "WHERE prediction_id IS NOT NULL"),
			 "5 6");
	/* As rows from before may be. */
	sql(conninfo, "UPDATE predict.runs SET prediction_id = "
		      "'00ff00ff00ff00ff', change = "
		      "nextval('predict.run_changes') WHERE job_id = 4");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(job_id::text, ' ' ORDER BY "
			     "job_id) FROM predict.prediction_outcomes"),
			 "5 6");
	ck_assert_str_eq(sql(conninfo, "SELECT sum(predicted::integer) "
				       "FROM predict.run_outcomes "
				       "WHERE stage = 'submission'"),
			 "2");
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

/* --- Waiting jobs --------------------------------------------------------- */

static void sql_becomes(const char *conninfo, const char *query,
			const char *expected)
{
	while (strcmp(sql(conninfo, query), expected) != 0)
		usleep(10000);
}

static const char waiting_rows[] =
	"SELECT string_agg(median_s || '', ' ' ORDER BY made_at) "
	"FROM predict.predictions WHERE stage = 'waiting'";

/* A prediction each four seconds until 20 s after the start, number i at
 * start_s + 4 * (i - 200): it is reported later. */
static void put_waiting(struct postgres *store, struct prediction *p,
			double start_s)
{
	p->stage = STAGE_WAITING;
	for (int i = 1; i <= 205; i++) {
		p->made_at_s = start_s + 4 * (i - 200);
		p->median_s = i;
		postgres_ops.put_prediction(store, p);
		if (i % 70 == 0) /* in several batches */
			usleep(300000);
	}
}

/* A run is judged by the last prediction before its start, though there are
 * newer ones when its start is known; of a task that starts later, too. */
START_TEST(test_the_last_before_the_start)
{
	struct memory *memory;
	struct postgres *store = fresh("waiting", &memory);
	struct run run = example_run(5, RUN_COMPLETED);
	const char *conninfo = conninfo_of("waiting");

	run.started_at_s = 10 * floor(run.started_at_s / 10) + 9;
	run.ended_at_s = run.started_at_s + 1000;
	run.array_job_id = 5;

	double start_s = run.started_at_s;
	struct prediction p =
		example_prediction(run.prediction_id, start_s - 1000);

	snprintf(p.cluster, sizeof(p.cluster), "%s", run.cluster);
	p.user_id = run.user_id;
	p.stage = STAGE_SUBMISSION;
	postgres_ops.put_prediction(store, &p);
	put_waiting(store, &p, start_s);
	sql_becomes(conninfo, "SELECT max(median_s) FROM predict.predictions",
		    "205");
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) BETWEEN 20 AND 40 "
				       "FROM predict.predictions"),
			 "t");
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	run.job_id = 6;
	run.started_at_s += 13;
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(median_s || '', ' ' ORDER BY "
			     "run_id) FROM predict.run_outcomes "
			     "WHERE renewed"),
			 "198 203");
	ck_assert_str_eq(sql(conninfo, "SELECT string_agg(predicted_s || '', "
				       "' ' ORDER BY job_id) "
				       "FROM predict.recent_runs"),
			 "198 203");

	/* From another predictd, late. */
	p.made_at_s = start_s + 2;
	p.median_s = 300;
	postgres_ops.put_prediction(store, &p);
	p.stage = STAGE_START;
	p.made_at_s = start_s;
	postgres_ops.put_prediction(store, &p);
	sql_becomes(conninfo, waiting_rows, "198 300 203 205");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(stage || ' ' || runs, ' ') "
			     "FROM predict.accuracy_by_model "
			     "WHERE model = 'regression'"),
			 "submission 2 waiting 2 start 2");
	ck_assert_str_eq(sql(conninfo, "SELECT string_agg(median_s || '', ' ' "
				       "ORDER BY job_id) FROM "
				       "predict.prediction_outcomes "
				       "WHERE stage = 'waiting'"),
			 "198 203");
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

/* Two predictds that delete the same rows must not deadlock. */
START_TEST(test_forgets_in_turn)
{
	ck_assert_str_eq(sql(database_with_schema("turn"),
			     "BEGIN; SELECT predict.forget_waiting('{a}'); "
			     "SELECT objid FROM pg_locks WHERE pid = "
			     "pg_backend_pid() AND locktype = 'advisory'"),
			 "6");
}
END_TEST

/* The newest counts for a job that nobody has seen start. */
START_TEST(test_it_waits_still)
{
	struct memory *memory;
	struct postgres *store = fresh("still", &memory);
	struct run run = example_run(5, RUN_RUNNING);
	struct prediction p = example_prediction(run.prediction_id, 0);
	const char *conninfo = conninfo_of("still");

	snprintf(p.cluster, sizeof(p.cluster), "%s", run.cluster);
	p.user_id = run.user_id;
	put_waiting(store, &p, run.started_at_s - 100);
	sql_becomes(conninfo,
		    "SELECT string_agg(median_s || '', ' ') "
		    "FROM predict.prediction_outcomes",
		    "205");
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	ck_assert_str_eq(
		sql(conninfo, "SELECT predicted_s FROM predict.running"),
		"205");
	postgres_destroy(store, 1);
	memory_destroy(memory);
}
END_TEST

START_TEST(test_two_stores_see_each_other)
{
	struct memory *ours, *theirs = memory_create();
	struct postgres *store = fresh("two", &ours);
	struct postgres *other = store_start(conninfo_of("two"), theirs);
	struct run run = example_run(5, RUN_COMPLETED);
	struct prediction p =
		example_prediction(run.prediction_id, clock_now_s());

	strcpy(p.cluster, run.cluster);
	p.user_id = run.user_id;
	memory_wait(theirs, 0);
	postgres_ops.put_prediction(store, &p);
	/* The prediction was queued for longer than the job ran. */
	while (strcmp(sql(conninfo_of("two"),
			  "SELECT count(*) FROM predict.predictions"),
		      "1") != 0)
		usleep(10000);
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	memory_wait(theirs, 1);
	ck_assert_uint_eq(theirs->predictions_count, 1);
	check_same_prediction(theirs->predictions[0], p);
	ck_assert_uint_eq(ours->predictions_count, 0);
	postgres_destroy(store, 1);
	postgres_destroy(other, 1);
	memory_destroy(ours);
	memory_destroy(theirs);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_run_comes_back,
		test_reload_is_identical,
		test_short_history,
		test_state_only_grows,
		test_start_is_remembered,
		test_bad_report_fails_alone,
		test_foreign_predictions,
		test_the_last_before_the_start,
		test_forgets_in_turn,
		test_it_waits_still,
		test_two_stores_see_each_other,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "postgres", tests);
}
