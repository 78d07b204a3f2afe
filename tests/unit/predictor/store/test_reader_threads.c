/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_threads.c - queries of the history */
#include <math.h>

#include "tests/unit/predictor/store/database.h"

#define ROWS_MAX 32

struct answer {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
	int rc;
	struct sp_error why;
	struct store_prediction prediction;
	size_t count, total;
	struct run runs[ROWS_MAX];
	struct store_accuracy rows[ROWS_MAX];
};

static struct answer *answer_create(void)
{
	struct answer *answer = calloc(1, sizeof(*answer));

	pthread_mutex_init(&answer->lock, NULL);
	pthread_cond_init(&answer->changed, NULL);
	return answer;
}

/* Under the lock. */
static void answered(struct answer *answer, int rc, const struct sp_error *why)
{
	ck_assert(!answer->done);
	ck_assert(rc == STORE_STORED || (why && why->text[0]));
	answer->done = true;
	answer->rc = rc;
	if (why)
		answer->why = *why;
	pthread_cond_signal(&answer->changed);
}

static void prediction_answered(void *context, int rc,
				const struct store_prediction *found,
				const struct sp_error *why)
{
	struct answer *answer = context;

	pthread_mutex_lock(&answer->lock);
	if (rc == STORE_STORED)
		answer->prediction = *found;
	answered(answer, rc, why);
	pthread_mutex_unlock(&answer->lock);
}

static void runs_answered(void *context, int rc, const void *runs, size_t count,
			  const struct sp_error *why)
{
	struct answer *answer = context;

	pthread_mutex_lock(&answer->lock);
	ck_assert_uint_le(count, ROWS_MAX);
	if (count)
		memcpy(answer->runs, runs, count * sizeof(answer->runs[0]));
	answer->count = count;
	answered(answer, rc, why);
	pthread_mutex_unlock(&answer->lock);
}

static void accuracy_answered(void *context, int rc, const void *rows,
			      size_t count, const struct sp_error *why)
{
	struct answer *answer = context;

	pthread_mutex_lock(&answer->lock);
	ck_assert_uint_le(count, ROWS_MAX);
	if (count)
		memcpy(answer->rows, rows, count * sizeof(answer->rows[0]));
	answer->count = count;
	answer->total = count ? answer->rows[0].total : 0;
	answered(answer, rc, why);
	pthread_mutex_unlock(&answer->lock);
}

static void wait_for(struct answer *answer)
{
	pthread_mutex_lock(&answer->lock);
	while (!answer->done)
		pthread_cond_wait(&answer->changed, &answer->lock);
	answer->done = false;
	pthread_mutex_unlock(&answer->lock);
}

static void ask_accuracy(struct postgres *store,
			 const struct store_accuracy_query *query,
			 struct answer *answer)
{
	ck_assert_int_eq(postgres_ops.get_accuracy(
				 store, query, accuracy_answered, answer, NULL),
			 0);
	wait_for(answer);
}

/* --- A history to query --------------------------------------------------- */

#define SUBMITTED_S 1767225600.0 /* 2026-01-01 00:00 UTC */

static struct prediction
make_prediction(const char *id, enum prediction_stage stage, double median_s)
{
	struct prediction p = { .stage = stage,
				.made_at_s = SUBMITTED_S + stage,
				.cluster = "c1",
				.user_id = 1003,
				.application = { .name = "a b #" },
				.basis = BASIS_HISTORY,
				.model = "mixture",
				.median_s = median_s,
				.quantile = 0.9,
				.quantile_s = 2 * median_s,
				.limit_s = NAN,
				.last_error = NAN };

	snprintf(p.id, sizeof(p.id), "%s", id);
	conditions_init(&p.conditions);
	return p;
}

static struct run make_run(uint32_t job_id, const char *prediction_id,
			   double runtime_s, enum run_state state)
{
	struct run run = example_run(job_id, state);

	snprintf(run.prediction_id, sizeof(run.prediction_id), "%s",
		 prediction_id);
	snprintf(run.application.name, sizeof(run.application.name), "a b #");
	run.started_at_s = SUBMITTED_S + 10 * job_id;
	run.ended_at_s = run.started_at_s + runtime_s;
	run.limit_s = 400;
	return run;
}

static void put(struct postgres *store, const struct prediction *p)
{
	postgres_ops.put_prediction(store, p);
}

/* Four runs that count and one that doesn't.  At submission 100 was
 * predicted for all but one, at the start 150 for one. */
static void fill(struct postgres *store, const char *conninfo)
{
	struct run runs[] = {
		make_run(1, "p1", 50, RUN_COMPLETED),
		make_run(2, "p2", 250, RUN_COMPLETED),
		make_run(3, "p3", 400, RUN_TIMEOUT),
		make_run(4, "p4", 300, RUN_FAILED), /* not predicted */
		make_run(5, "p5", 77, RUN_NODE_FAIL),
	};
	const struct store_report report = { .runs_count = 5, .runs = runs };
	struct prediction p;

	snprintf(runs[3].partition, sizeof(runs[3].partition), "long");
	runs[3].user_id = 1004;
	snprintf(runs[3].user, sizeof(runs[3].user), "yan");
	runs[3].limit_s = HUGE_VAL;
	for (int i = 0; i < 5; i++) {
		if (i == 3)
			continue;
		p = make_prediction(runs[i].prediction_id, STAGE_SUBMISSION,
				    100);
		put(store, &p);
	}
	p = make_prediction("p1", STAGE_START, 150);
	p.evidence_count = 1;
	p.evidence[0] = (struct prediction_evidence){ 77, 12.5, 0.25 };
	put(store, &p);
	ck_assert_int_eq(store_report(store, &report, NULL), STORE_STORED);
	while (strcmp(sql(conninfo, "SELECT count(*) FROM predict.predictions"),
		      "5") != 0)
		usleep(10000);
}

/* --- The tests ------------------------------------------------------------ */

static struct store_accuracy_query all_of(enum store_accuracy_by by)
{
	return (struct store_accuracy_query){ .by = by,
					      .user_id = UINT32_MAX,
					      .since_s = NAN,
					      .until_s = NAN,
					      .limit = ROWS_MAX };
}

START_TEST(test_accuracy)
{
	struct memory *memory;
	struct postgres *store = fresh("accuracy", &memory);
	struct answer *answer = answer_create();
	struct store_accuracy_query query = all_of(ACCURACY_BY_ALL);
	const struct store_accuracy *row = answer->rows;

	fill(store, conninfo_of("accuracy"));
	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);
	ck_assert_uint_eq(answer->count, 2);
	ck_assert_uint_eq(answer->total, 2);
	ck_assert_str_eq(row->group, "all");
	ck_assert_int_eq(row->stage, STAGE_SUBMISSION);
	ck_assert_uint_eq(row->runs, 4);
	ck_assert_uint_eq(row->predicted, 3);
	/* Errors 50, 150, 300 of 50, 250, 400. */
	ck_assert_double_eq_tol(row->error, 500.0 / 700, 1e-12);
	ck_assert_double_eq_tol(row->median_error, 0.75, 1e-12);
	ck_assert_double_eq_tol(row->accuracy, (0.5 + 0.4 + 0.25) / 3, 1e-12);
	ck_assert_double_eq_tol(row->under, 2.0 / 3, 1e-12);
	ck_assert_double_eq_tol(row->coverage, 1.0 / 3, 1e-12);
	ck_assert_double_eq_tol(row->quantile, 0.9, 1e-12);
	ck_assert_double_eq_tol(row->mean_s, 700.0 / 3, 1e-9);
	ck_assert_double_eq_tol(row->predicted_mean_s, 100, 1e-9);
	/* Limits of 400, one of which was met. */
	ck_assert_uint_eq(row->limited, 3);
	ck_assert_double_eq_tol(row->limit_missed, 1.0 / 3, 1e-12);
	ck_assert_double_eq_tol(row->limit_error, 500.0 / 700, 1e-12);
	ck_assert_double_eq_tol(row->limit_factor, 1200.0 / 700, 1e-12);

	ck_assert_int_eq(row[1].stage, STAGE_START);
	ck_assert_uint_eq(row[1].runs, 4);
	ck_assert_uint_eq(row[1].predicted, 1);
	ck_assert_double_eq_tol(row[1].error, 2, 1e-12);
	ck_assert_double_eq_tol(row[1].coverage, 1, 1e-12);
	ck_assert_double_eq_tol(row[1].mean_s, 50, 1e-9);
	ck_assert_double_eq_tol(row[1].predicted_mean_s, 150, 1e-9);

	query.completed = true;
	ask_accuracy(store, &query, answer);
	ck_assert_uint_eq(row->runs, 2);
	ck_assert_double_eq_tol(row->error, 200.0 / 300, 1e-12);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(answer);
}
END_TEST

START_TEST(test_accuracy_groups)
{
	static const struct {
		enum store_accuracy_by by;
		const char *group; /* first */
		uint64_t runs;
		size_t total;
	} cases[] = {
		{ ACCURACY_BY_CLUSTER, "c1", 4, 2 },
		{ ACCURACY_BY_PARTITION, "short", 3, 3 },
		{ ACCURACY_BY_USER, "zoë", 3, 3 },
		{ ACCURACY_BY_APPLICATION, "a b #", 4, 2 },
		{ ACCURACY_BY_MODEL, "mixture", 3, 3 },
		{ ACCURACY_BY_MONTH, "2026-01", 4, 2 },
	};
	struct memory *memory;
	struct postgres *store = fresh("groups", &memory);
	struct answer *answer = answer_create();
	struct store_accuracy_query query;

	fill(store, conninfo_of("groups"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		query = all_of(cases[i].by);
		ask_accuracy(store, &query, answer);
		ck_assert_str_eq(answer->rows[0].group, cases[i].group);
		ck_assert_uint_eq(answer->rows[0].runs, cases[i].runs);
		ck_assert_uint_eq(answer->total, cases[i].total);
	}

	/* A page, and what is left out. */
	query = all_of(ACCURACY_BY_USER);
	query.offset = 1;
	query.limit = 1;
	ask_accuracy(store, &query, answer);
	ck_assert_uint_eq(answer->count, 1);
	ck_assert_uint_eq(answer->total, 3);
	query = all_of(ACCURACY_BY_ALL);
	query.user_id = 1004;
	ask_accuracy(store, &query, answer);
	ck_assert_uint_eq(answer->rows[0].runs, 1);
	ck_assert_uint_eq(answer->rows[0].predicted, 0);
	ck_assert(isnan(answer->rows[0].error));
	query = all_of(ACCURACY_BY_ALL);
	query.since_s = SUBMITTED_S + 60 + 1;
	query.until_s = SUBMITTED_S + 20 + 250 + 1;
	ask_accuracy(store, &query, answer);
	ck_assert_uint_eq(answer->rows[0].runs, 1);
	snprintf(query.user, sizeof(query.user), "1003");
	ask_accuracy(store, &query, answer);
	ck_assert_uint_eq(answer->rows[0].runs, 1);
	snprintf(query.user, sizeof(query.user), "yan'; --");
	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);
	ck_assert_uint_eq(answer->count, 0);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(answer);
}
END_TEST

START_TEST(test_prediction)
{
	struct memory *memory;
	struct postgres *store = fresh("prediction", &memory);
	struct answer *answer = answer_create();
	const struct store_prediction *found = &answer->prediction;

	fill(store, conninfo_of("prediction"));
	postgres_ops.get_prediction(store, "p1", prediction_answered, answer,
				    NULL);
	wait_for(answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);
	ck_assert(found->known[STAGE_SUBMISSION] && found->known[STAGE_START]);
	ck_assert_double_eq(found->stages[STAGE_SUBMISSION].median_s, 100);
	ck_assert_double_eq(found->stages[STAGE_START].median_s, 150);
	ck_assert_uint_eq(found->stages[STAGE_START].evidence[0].job_id, 77);
	ck_assert(found->has_run);
	ck_assert_uint_eq(found->run.job_id, 1);
	ck_assert_double_eq(run_runtime_s(&found->run), 50);

	static const char *const unknown[] = { "p", "p4", "",
					       "00000000000000000000000" };

	for (int i = 0; i < 4; i++) {
		postgres_ops.get_prediction(store, unknown[i],
					    prediction_answered, answer, NULL);
		wait_for(answer);
		ck_assert_int_eq(answer->rc, STORE_STORED);
		ck_assert(!found->known[0] && !found->known[1]);
	}
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(answer);
}
END_TEST

START_TEST(test_pages_of_runs)
{
	static const uint32_t by_end[] = { 1, 5, 2, 4, 3 };
	struct memory *memory;
	struct postgres *store = fresh("pages", &memory);
	struct answer *answer = answer_create();
	struct store_runs_query query = { .user_id = UINT32_MAX,
					  .since_s = NAN,
					  .until_s = NAN,
					  .limit = 2 };
	size_t seen = 0;

	fill(store, conninfo_of("pages"));
	do {
		ck_assert_int_eq(postgres_ops.get_runs(store, &query,
						       runs_answered, answer,
						       NULL),
				 0);
		wait_for(answer);
		ck_assert_int_eq(answer->rc, STORE_STORED);
		for (size_t i = 0; i < answer->count; i++)
			ck_assert_uint_eq(answer->runs[i].job_id,
					  by_end[seen++]);
		if (answer->count) {
			const struct run *last =
				&answer->runs[answer->count - 1];

			query.after_id = last->id;
			query.after_ended_at_s = last->ended_at_s;
		}
	} while (answer->count == query.limit);
	ck_assert_uint_eq(seen, 5);
	ck_assert_str_eq(answer->runs[0].user, "zoë");
	query.limit = 0;
	ck_assert_int_eq(postgres_ops.get_runs(store, &query, runs_answered,
					       answer, NULL),
			 -1);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(answer);
}
END_TEST

START_TEST(test_down_and_up)
{
	struct memory *memory;
	struct postgres *store = fresh("down", &memory);
	struct answer *answer = answer_create();
	struct store_accuracy_query query = all_of(ACCURACY_BY_ALL);

	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);
	ck_assert_uint_eq(answer->count, 0);
	server("kill");
	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_AGAIN);
	server("start");
	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);

	/* It broke unnoticed, between two queries. */
	server("kill");
	server("start");
	ask_accuracy(store, &query, answer);
	ck_assert_int_eq(answer->rc, STORE_STORED);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(answer);
}
END_TEST

/* A query that hangs delays neither reports nor the end. */
START_TEST(test_hanging_question)
{
	struct memory *memory;
	struct postgres *store = fresh("hanging", &memory);
	struct answer *answers[STORE_QUERIES_MAX + 2];
	const struct store_accuracy_query query = all_of(ACCURACY_BY_ALL);
	struct run run = example_run(5, RUN_COMPLETED);
	PGconn *pg = PQconnectdb(conninfo_of("hanging"));
	int taken = 0;

	/* Only queries need the table then. */
	run.prediction_id[0] = '\0';
	PQclear(PQexec(pg, "BEGIN; LOCK TABLE predict.predictions"));
	for (int i = 0; i < STORE_QUERIES_MAX + 2; i++) {
		answers[i] = answer_create();
		if (postgres_ops.get_accuracy(store, &query, accuracy_answered,
					      answers[i], NULL) == 0)
			taken++;
	}
	ck_assert_int_ge(taken, STORE_QUERIES_MAX);
	ck_assert_int_lt(taken, STORE_QUERIES_MAX + 2);

	double began_s = clock_monotonic_s();

	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	postgres_destroy(store, 5);
	ck_assert_double_lt(clock_monotonic_s() - began_s, 4);
	for (int i = 0; i < STORE_QUERIES_MAX + 2; i++) {
		if (i < taken)
			ck_assert_int_eq(answers[i]->rc, STORE_AGAIN);
		free(answers[i]);
	}
	PQfinish(pg);
	memory_destroy(memory);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_accuracy,
		test_accuracy_groups,
		test_prediction,
		test_pages_of_runs,
		test_down_and_up,
		test_hanging_question,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "questions_threads", tests);
}
