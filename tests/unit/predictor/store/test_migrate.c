/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_migrate.c - the schema is applied once; roles have the rights they need
 */
#include <sys/stat.h>

#include "tests/unit/predictor/store/database.h"

#define MIGRATORS 6

START_TEST(test_twice)
{
	const char *conninfo = database_create("twice");
	struct sp_error err = { .text = "" };

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(postgres_migrate(conninfo, "sql", &err), 0);
		ck_assert_str_eq(sql(conninfo, "SELECT count(*) || ' ' || "
					       "max(name) FROM "
					       "predict.schema_steps"),
				 "15 schema.sql");
	}
}
END_TEST

static void *migrate(void *conninfo)
{
	struct sp_error err;

	return postgres_migrate(conninfo, "sql", &err) == 0 ? NULL : conninfo;
}

START_TEST(test_at_once)
{
	pthread_t threads[MIGRATORS];
	char conninfo[1024];
	void *failed;

	snprintf(conninfo, sizeof(conninfo), "%s", database_create("at_once"));
	for (int i = 0; i < MIGRATORS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, migrate, conninfo),
			0);
	for (int i = 0; i < MIGRATORS; i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
}
END_TEST

START_TEST(test_newer_is_refused)
{
	const char *conninfo = database_with_schema("newer");
	struct memory *memory = memory_create();
	struct store_status status;
	struct sp_error err;

	sql(conninfo, "INSERT INTO predict.schema_steps (step, name, checksum) "
		      "VALUES (999, 'later', '')");
	ck_assert_int_eq(postgres_migrate(conninfo, "sql", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "newer version"));

	struct postgres *store = store_start(conninfo, memory);

	do {
		postgres_ops.status(store, &status);
		usleep(1000);
	} while (strstr(status.last.text, "not connected yet"));
	ck_assert_ptr_nonnull(strstr(status.last.text, "newer version"));
	postgres_destroy(store, 0);
	memory_destroy(memory);
}
END_TEST

static void remove_step(const char *dir, const char *name)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/steps/%s", dir, name);
	ck_assert_int_eq(unlink(path), 0);
}

/* A folder `dir` for steps, whose name mkdtemp() completes. */
static void make_steps(char *dir)
{
	char path[8192];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/steps", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void remove_steps(const char *dir)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/steps", dir);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *const first_steps[] = { "0001_history.sql", "0002_days.sql",
					   "0003_views.sql", "0004_roles.sql" };
#define FIRST_STEPS 4

/* Bring a database to the first steps only. */
static void migrate_first_steps(const char *conninfo)
{
	char dir[] = "/tmp/steps.XXXXXX";
	char here[2048], from[4096];
	char to[256];
	struct sp_error err = { .text = "" };

	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	make_steps(dir);
	for (int i = 0; i < FIRST_STEPS; i++) {
		snprintf(from, sizeof(from), "%s/sql/steps/%s", here,
			 first_steps[i]);
		snprintf(to, sizeof(to), "%s/steps/%s", dir, first_steps[i]);
		ck_assert_int_eq(symlink(from, to), 0);
	}
	ck_assert_msg(postgres_migrate(conninfo, dir, &err) == 0, "%s",
		      err.text);
	for (int i = 0; i < FIRST_STEPS; i++)
		remove_step(dir, first_steps[i]);
	remove_steps(dir);
}

/* A database of an older version, with data. */
START_TEST(test_data_of_step_4)
{
	const char *conninfo = database_create("step_4");
	struct memory *memory = memory_create();
	struct sp_error err = { .text = "" };

	migrate_first_steps(conninfo);
	ck_assert_str_eq(
		sql(conninfo,
		    "INSERT INTO predict.clusters (name) VALUES ('c1');"
		    "INSERT INTO predict.applications (name) VALUES ('a');"
		    "INSERT INTO predict.runs (change, cluster_id, "
		    "application_id, job_id, array_job_id, array_task_id, "
		    "user_id, user_name, account, partition, job_name, "
		    "prediction_id, nodes, tasks, cpus, node_list, started_at, "
		    "ended_at, state, exit_code, exit_signal) "
		    "SELECT nextval('predict.run_changes'), 1, 1, i, 0, 0, 1, "
		    "'', '', '', '', 'p' || i, 1, 1, 1, 'n1', "
		    "'2026-02-01 00:00+00', '2026-02-01 00:01+00', "
		    "'COMPLETED', 0, 0 FROM generate_series(1, 3) i;"
		    "INSERT INTO predict.run_parameters VALUES (1, 'n', 7.5), "
		    "(1, 'b', -1), (2, 'n', 8);"
		    "INSERT INTO predict.run_conditions (run_id, nodes_known, "
		    "cpu_load) VALUES (1, 1, 0.25), (2, 0, NULL), "
		    "(3, 1, 0.75);"
		    "INSERT INTO predict.predictions (prediction_id, origin, "
		    "made_at, mode, cluster_id, user_id, account, partition, "
		    "job_name, application_id, nodes, tasks, cpus, "
		    "assumed_nodes, nodes_known, basis, model, median_s, "
		    "quantile, quantile_s, runs) SELECT 'p' || i, 1, "
		    "'2026-01-31 00:00+00', 'act', 1, 1, '', '', '', 1, 1, 1, "
		    "1, '', 0, 'history', 'm', 59, 0.9, 61, 3 "
		    "FROM generate_series(1, 3) i;"
		    "INSERT INTO predict.prediction_parameters "
		    "VALUES ('p1', 'n', 7.5), ('p3', 'n', 9);"
		    "INSERT INTO predict.prediction_candidates VALUES "
		    "('p1', 1, 'x', NULL), ('p1', 0, 'm', 59), "
		    "('p2', 0, 'm', 58)"),
		"");
	ck_assert_msg(postgres_migrate(conninfo, "sql", &err) == 0, "%s",
		      err.text);

	struct postgres *store = store_start(conninfo, memory);

	memory_wait(memory, 3);
	postgres_destroy(store, 1);
	ck_assert_uint_eq(memory->predictions_count, 3);
	for (int i = 0; i < 3; i++) {
		static const struct {
			int parameters, candidates;
		} of[] = { { 1, 2 }, { 0, 1 }, { 1, 0 } };
		const struct run *run = &memory->runs[i];
		const struct prediction *p = NULL;

		for (int k = 0; k < 3; k++)
			if (!strcmp(memory->predictions[k].id,
				    run->prediction_id))
				p = &memory->predictions[k];
		ck_assert_ptr_nonnull(p);
		ck_assert_int_eq(p->stage, STAGE_SUBMISSION);
		ck_assert_int_eq(p->application.parameters.count,
				 of[i].parameters);
		ck_assert_int_eq(p->candidates_count, of[i].candidates);
		ck_assert(p->knots_s[0] != p->knots_s[0]); /* not known */
	}
	const struct parameters *set = &memory->runs[0].application.parameters;

	ck_assert_int_eq(set->count, 2);
	ck_assert_str_eq(set->of[0].name, "b");
	ck_assert_double_eq(set->of[1].value, 7.5);
	ck_assert_str_eq(memory->predictions[0].model, "m");
	ck_assert_double_eq(memory->runs[0].before.cpu_load, 0.25);
	ck_assert_int_eq(memory->runs[1].before.nodes_known, 0);
	ck_assert_double_eq(memory->runs[2].before.cpu_load, 0.75);
	memory_destroy(memory);
}
END_TEST

static void write_step(const char *dir, const char *name, const char *text)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/steps/%s", dir, name);
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(test_bad_steps)
{
	const char *conninfo = database_create("bad_steps");
	char dir[] = "/tmp/steps.XXXXXX";
	struct sp_error err;

	make_steps(dir);
	ck_assert_int_eq(postgres_migrate(conninfo, dir, &err), -1);
	write_step(dir, "0001_one.sql",
		   "CREATE SCHEMA predict; CREATE TABLE predict.schema_steps "
		   "(step int, name text, checksum text)");
	write_step(dir, "0003_three.sql", "SELECT 1");
	ck_assert_int_eq(postgres_migrate(conninfo, dir, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "expected step 2"));

	/* A step that fails leaves no trace. */
	write_step(dir, "0002_two.sql",
		   "CREATE TABLE predict.two (); SELECT x");
	ck_assert_int_eq(postgres_migrate(conninfo, dir, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "0002_two.sql"));
	ck_assert_str_eq(sql(conninfo, "SELECT max(step) || ' ' || "
				       "(to_regclass('predict.two') IS NULL) "
				       "FROM predict.schema_steps"),
			 "1 true");
	remove_step(dir, "0001_one.sql");
	remove_step(dir, "0002_two.sql");
	remove_step(dir, "0003_three.sql");
	remove_steps(dir);
}
END_TEST

START_TEST(test_missing)
{
	struct sp_error err;

	ck_assert_int_eq(postgres_migrate(server_conninfo, "/nowhere", &err),
			 -1);
	ck_assert_int_eq(postgres_migrate("host=/nowhere", "sql", &err), -1);
	ck_assert_int_eq(postgres_migrate("no such = key", "sql", &err), -1);
}
END_TEST

/* What each role may do; the rest gives "permission denied" or says that it is
 * not the owner. */
START_TEST(test_rights)
{
	static const struct {
		const char *user, *sql;
		bool allowed;
	} cases[] = {
		{ "the_daemon", "DELETE FROM predict.runs", false },
		{ "the_daemon", "TRUNCATE predict.runs", false },
		{ "the_daemon", "DROP TABLE predict.runs", false },
		{ "the_daemon", "DROP SCHEMA predict CASCADE", false },
		{ "the_daemon", "DELETE FROM predict.predictions", false },
		{ "the_daemon", "DELETE FROM predict.clusters", false },
		{ "the_daemon", "DELETE FROM predict.applications", false },
		{ "the_daemon", "UPDATE predict.predictions SET runs = 0",
		  false },
		{ "the_daemon", "CREATE TABLE predict.mine ()", false },
		{ "the_daemon", "UPDATE predict.schema_steps SET step = 9",
		  false },
		{ "the_daemon", "SELECT predict.drop_measurement_days(0)",
		  false },
		{ "the_daemon", "SELECT predict.drop_measurement_days(3)",
		  true },
		{ "the_daemon", "SELECT predict.thin_measurements(3)", true },
		{ "the_daemon", "DELETE FROM predict.link_measurements",
		  false },
		{ "the_reader", "SELECT predict.thin_measurements(3)", false },
		{ "the_reader", "SELECT count(*) FROM predict.links_now",
		  true },
		{ "the_daemon", "SELECT count(*) FROM predict.runs", true },
		{ "the_reader", "SELECT count(*) FROM predict.runs", false },
		{ "the_reader", "SELECT predict.drop_measurement_days(3)",
		  false },
		{ "the_reader", "SELECT count(*) FROM predict.recent_runs",
		  true },
		{ "the_reader", "SELECT count(*) FROM predict.running", true },
		{ "the_reader", "SELECT count(*) FROM predict.run_nodes",
		  true },
		{ "the_reader", "SELECT count(*) FROM predict.node_load_now",
		  true },
		{ "the_reader",
		  "SELECT count(*) FROM predict.accuracy_by_model", true },
		{ "the_reader",
		  "SELECT count(*) FROM predict.accuracy_by_application",
		  true },
		{ "the_reader",
		  "SELECT count(*) FROM predict.accuracy_by_month", true },
		{ "the_reader", "SELECT count(*) FROM predict.accuracy('user')",
		  true },
		{ "the_reader",
		  "SELECT count(*) FROM predict.prediction_evidence", true },
		{ "the_reader", "SELECT count(*) FROM predict.imports", false },
		{ "the_daemon", "DELETE FROM predict.imports", false },
	};
	const char *conninfo = database_with_schema("rights");
	char login[2048];

	sql(conninfo, "CREATE ROLE the_daemon LOGIN IN ROLE predict_daemon");
	sql(conninfo, "CREATE ROLE the_reader LOGIN IN ROLE predict_reader");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(login, sizeof(login), "%s user=%s", conninfo,
			 cases[i].user);
		const char *answer = sql(login, cases[i].sql);

		ck_assert_msg(
			(strstr(answer, "ERROR") == NULL) == cases[i].allowed,
			"%s: %s: %s", cases[i].user, cases[i].sql, answer);
	}

	/* And that is enough for the store. */
	struct memory *memory = memory_create();
	struct run run = example_run(5, RUN_RUNNING);
	struct prediction p = { .id = "1", .cluster = "c1" };
	struct measurement m = { .node = "n1", .time_s = clock_now_s() };

	snprintf(login, sizeof(login), "%s user=the_daemon", conninfo);
	struct postgres *store = store_start(login, memory);

	memory_wait(memory, 0);
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	run = example_run(5, RUN_COMPLETED);
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	postgres_ops.put_prediction(store, &p);
	postgres_ops.put_measurements(store, "c1", &m, 1);
	postgres_destroy(store, 5);
	ck_assert_str_eq(sql(conninfo,
			     "SELECT count(*) FROM predict.runs, "
			     "predict.predictions, predict.measurements"),
			 "1");
	memory_destroy(memory);
}
END_TEST

START_TEST(test_views)
{
	const char *conninfo = database_with_schema("views");

	ck_assert_str_eq(
		sql(conninfo,
		    "INSERT INTO predict.clusters (name) VALUES ('c1');"
		    "INSERT INTO predict.applications (name) VALUES ('a'), "
		    "('b');"
		    "INSERT INTO predict.predictions (prediction_id, stage, "
		    "origin, made_at, mode, cluster_id, user_id, account, "
		    "partition, job_name, application_id, nodes, tasks, cpus, "
		    "assumed_nodes, nodes_known, basis, model, median_s, "
		    "quantile, quantile_s, runs, candidate_models, "
		    "candidate_medians_s) "
		    "SELECT 'p' || i, 'submission', 1, "
		    "'2026-01-31 00:00+00', 'act', 1, 1, '', '', '', "
		    "1 + i % 2, 1, 1, 1, '', 0, 'history', 'm1', 90 + i, 0.9, "
		    "98, 3, '{m0}', '{200}' FROM generate_series(0, 10) i;"),
		"");
	sql(conninfo,
	    "INSERT INTO predict.runs (change, cluster_id, application_id, "
	    "job_id, array_job_id, array_task_id, user_id, user_name, account, "
	    "partition, job_name, prediction_id, nodes, tasks, cpus, "
	    "node_list, started_at, ended_at, state, exit_code, exit_signal) "
	    "SELECT i, 1, 1 + i % 2, i, 0, 0, 1, '', '', '', '', 'p' || i, 1, "
	    "1, 1, 'n1', '2026-02-01 00:00+00', "
	    "timestamptz '2026-02-01 00:00+00' + "
	    "(90 + 2 * i) * interval '1 second', "
	    "CASE WHEN i = 10 THEN 'NODE_FAIL' ELSE 'COMPLETED' END, 0, 0 "
	    "FROM generate_series(0, 10) i");
	/* Ten completed: actual 90 + 2 i, predicted 90 + i: sum of errors 45,
	 * sum of times 990; within 98 are i = 0 to 4. */
	ck_assert_str_eq(sql(conninfo,
			     "SELECT runs || ' ' || round(error_pct::numeric, "
			     "4) || ' ' || covered_pct FROM "
			     "predict.accuracy_by_model "
			     "WHERE model = '(chosen)'"),
			 "10 4.5455 50");
	/* 200 predicted each time: sum of errors 1010. */
	ck_assert_str_eq(sql(conninfo,
			     "SELECT runs || ' ' || round(error_pct::numeric, "
			     "4) FROM predict.accuracy_by_model "
			     "WHERE model = 'm0'"),
			 "10 102.0202");
	ck_assert_str_eq(sql(conninfo,
			     "SELECT string_agg(application || runs, ' ' "
			     "ORDER BY application) FROM "
			     "predict.accuracy_by_application"),
			 "a5 b5");
	ck_assert_str_eq(sql(conninfo, "SELECT month || ' ' || runs "
				       "FROM predict.accuracy_by_month"),
			 "2026-02 10");
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) || ' ' || "
				       "count(error_pct) FROM "
				       "predict.prediction_outcomes"),
			 "11 10");
	ck_assert_str_eq(sql(conninfo, "SELECT job_id || ' ' || predicted_s "
				       "FROM predict.recent_runs LIMIT 1"),
			 "10 100");
}
END_TEST

/* Everything in the schema has a comment. */
START_TEST(test_everything_has_a_comment)
{
	const char *conninfo = database_with_schema("comments");

	ck_assert_str_eq(
		sql(conninfo,
		    "SELECT string_agg(c.relname, ' ') FROM pg_class c "
		    "WHERE c.relnamespace = 'predict'::regnamespace "
		    "AND c.relkind IN ('r', 'p', 'v') AND NOT relispartition "
		    "AND obj_description(c.oid, 'pg_class') IS NULL"),
		"");
	ck_assert_str_eq(
		sql(conninfo,
		    "SELECT string_agg(c.relname || '.' || a.attname, ' ') "
		    "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
		    "WHERE c.relnamespace = 'predict'::regnamespace "
		    "AND c.relkind IN ('r', 'p') AND a.attnum > 0 "
		    "AND NOT relispartition "
		    "AND col_description(c.oid, a.attnum) IS NULL"),
		"");
}
END_TEST

/* As for a logical replication of the whole database: no change fails. */
START_TEST(test_all_tables_are_published)
{
	const char *conninfo = database_with_schema("published");

	ck_assert_str_eq(
		sql(conninfo, "CREATE PUBLICATION everything FOR ALL TABLES"),
		"");
	ck_assert_str_eq(
		sql(conninfo,
		    "DO $$ DECLARE t regclass; BEGIN FOR t IN SELECT oid "
		    "FROM pg_class WHERE relkind IN ('r', 'p') "
		    "AND relnamespace = 'predict'::regnamespace "
		    "LOOP EXECUTE 'DELETE FROM ' || t; END LOOP; END $$"),
		"");
	ck_assert_str_eq(sql(conninfo,
			     "UPDATE predict.predictions SET runs = 1;"
			     "UPDATE predict.traces_sum SET bytes = "
			     "1"),
			 "");
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_twice,
		test_at_once,
		test_newer_is_refused,
		test_data_of_step_4,
		test_bad_steps,
		test_missing,
		test_rights,
		test_views,
		test_everything_has_a_comment,
		test_all_tables_are_published,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "migrate", tests);
}
