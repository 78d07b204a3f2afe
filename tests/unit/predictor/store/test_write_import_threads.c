/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_write_import_threads.c - job logs are stored once, in spite
 * of crashes */
#include "tests/unit/predictor/store/database.h"

/* --- Importing, and waiting for it ---------------------------------------- */

struct imported {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
	int rc;
	struct store_imported result;
	struct sp_error why;
};

static void import_done(void *context, int rc,
			const struct store_imported *result,
			const struct sp_error *why)
{
	struct imported *imported = context;

	pthread_mutex_lock(&imported->lock);
	ck_assert(!imported->done);
	imported->done = true;
	imported->rc = rc;
	imported->result = *result;
	if (why)
		imported->why = *why;
	pthread_cond_signal(&imported->changed);
	pthread_mutex_unlock(&imported->lock);
}

static int import_runs(struct postgres *store, const struct run *runs,
		       size_t count, bool last, struct store_imported *ret)
{
	const struct store_import import = { count, runs, last };
	struct imported imported = { .done = false };
	struct sp_error err;

	pthread_mutex_init(&imported.lock, NULL);
	pthread_cond_init(&imported.changed, NULL);
	if (postgres_ops.put_import(store, &import, import_done, &imported,
				    &err))
		return STORE_AGAIN;
	pthread_mutex_lock(&imported.lock);
	while (!imported.done)
		pthread_cond_wait(&imported.changed, &imported.lock);
	pthread_mutex_unlock(&imported.lock);
	*ret = imported.result;
	return imported.rc;
}

#define BATCH 500

static struct run *make_runs(uint32_t first_job_id, size_t count)
{
	struct run *runs = calloc(count, sizeof(*runs));

	for (size_t i = 0; i < count; i++) {
		runs[i] =
			example_run(first_job_id + (uint32_t)i, RUN_COMPLETED);
		runs[i].prediction_id[0] = '\0';
		if (i % 2)
			runs[i].application.parameters.count = 0;
	}
	return runs;
}

/* --- The tests ------------------------------------------------------------ */

START_TEST(test_twice_is_once)
{
	struct memory *memory;
	struct postgres *store = fresh("import_twice", &memory);
	struct store_imported result;
	struct run *runs = make_runs(1, BATCH);
	struct run reported = example_run(7, RUN_FAILED);

	/* A reported run wins over a log's. */
	ck_assert_int_eq(store_run(store, &reported), STORE_STORED);
	runs[20] = runs[21]; /* a log may have a line twice */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(
			import_runs(store, runs, BATCH, i == 1, &result),
			STORE_STORED);
		ck_assert_uint_eq(result.stored, i == 0 ? BATCH - 2 : 0);
		ck_assert_uint_eq(result.doubles, BATCH - result.stored);
		ck_assert_uint_eq(result.refused, 0);
	}
	memory_wait_reloads(memory, 1);
	ck_assert_uint_eq(memory->runs_count, BATCH - 1);
	for (size_t i = 0; i < memory->runs_count; i++) {
		const struct run *run = &memory->runs[i];
		const struct parameters *set = &run->application.parameters;

		ck_assert_str_eq(run->application.name, "nbody # #");
		ck_assert_str_eq(run->user, "zoë");
		ck_assert_int_eq(run->state,
				 run->job_id == 7 ? RUN_FAILED : RUN_COMPLETED);
		if (run->job_id % 2)
			ck_assert_double_eq(set->of[0].value, 1e5 / 3);
		else
			ck_assert_int_eq(set->count, 0);
	}
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(runs);
}
END_TEST

START_TEST(test_bad_runs_are_left_out)
{
	struct memory *memory;
	struct postgres *store = fresh("import_bad", &memory);
	struct store_imported result;
	struct run *runs = make_runs(1, BATCH);

	runs[3].state = RUN_RUNNING;
	runs[5].ended_at_s = runs[5].started_at_s - 1;
	runs[8].ended_at_s = __builtin_nan("");
	runs[400].started_at_s = -5;
	/* Only the server finds this one: the name is too long for it. */
	memset(runs[499].application.name, 'x', APPLICATION_NAME_SIZE);
	ck_assert_int_eq(import_runs(store, runs, BATCH, true, &result),
			 STORE_STORED);
	ck_assert_uint_eq(result.stored + result.refused, BATCH);
	ck_assert_uint_ge(result.refused, 4);
	ck_assert_ptr_nonnull(strstr(result.refusal.text, "has not ended"));
	memory_wait_reloads(memory, 1);
	ck_assert_uint_eq(memory->runs_count, result.stored);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(runs);
}
END_TEST

START_TEST(test_others_notice)
{
	struct memory *ours, *theirs = memory_create();
	struct postgres *store = fresh("import_notice", &ours);
	struct postgres *other =
		store_start(conninfo_of("import_notice"), theirs);
	struct store_imported result;
	struct run *runs = make_runs(1, BATCH);

	memory_wait(theirs, 0);
	ck_assert_int_eq(import_runs(store, runs, BATCH, false, &result),
			 STORE_STORED);
	ck_assert_uint_eq(theirs->runs_count, 0);
	ck_assert_int_eq(import_runs(store, NULL, 0, true, &result),
			 STORE_STORED);
	memory_wait_reloads(ours, 1);
	memory_wait_reloads(theirs, 1);
	ck_assert_uint_eq(ours->runs_count, BATCH);
	ck_assert_uint_eq(theirs->runs_count, BATCH);
	postgres_destroy(store, 1);
	postgres_destroy(other, 1);

	/* It is neither stored again nor lost at the next start. */
	ck_assert_uint_eq(theirs->reloads, 1);
	memory_destroy(theirs);
	theirs = memory_create();
	other = store_start(conninfo_of("import_notice"), theirs);
	memory_wait(theirs, BATCH);
	postgres_destroy(other, 1);
	ck_assert_uint_eq(theirs->reloads, 0);
	memory_destroy(ours);
	memory_destroy(theirs);
	free(runs);
}
END_TEST

/* --- Two on one database -------------------------------------------------- */

static _Atomic bool holds, goes_on;

/* Wait at the first run that comes, in the store's thread. */
static void hold_run(void *context, const struct run *run)
{
	memory_run(context, run);
	holds = true;
	while (!goes_on)
		usleep(1000);
}

/* A run that becomes known with an import comes with the prediction that the
 * other predictd made for it. */
START_TEST(test_predictions_of_others)
{
	struct memory *ours, *theirs = memory_create();
	struct postgres *store = fresh("import_others", &ours);
	const char *conninfo = conninfo_of("import_others");
	const struct postgres_config config = { .conninfo = conninfo };
	struct store_sink sink = memory_sink(theirs);
	struct store_imported result;
	struct run run = example_run(1, RUN_COMPLETED);
	struct prediction p = { .id = "0123456789abcdef",
				.cluster = "c1",
				.user_id = run.user_id,
				.made_at_s = clock_now_s() };
	struct sp_error err;

	sink.run = hold_run;
	struct postgres *other = postgres_create(&config, &sink, &err);

	memory_wait(theirs, 0);
	run.prediction_id[0] = '\0';
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	while (!holds)
		usleep(1000);
	postgres_ops.put_prediction(store, &p);
	while (strcmp(sql(conninfo, "SELECT count(*) FROM predict.predictions"),
		      "1") != 0)
		usleep(1000);
	run.job_id = 2;
	memcpy(run.prediction_id, p.id, sizeof(p.id));
	ck_assert_int_eq(store_run(store, &run), STORE_STORED);
	ck_assert_int_eq(import_runs(store, NULL, 0, true, &result),
			 STORE_STORED);
	goes_on = true;
	memory_wait_reloads(theirs, 1);
	ck_assert_uint_eq(theirs->runs_count, 2);
	ck_assert_uint_eq(theirs->predictions_count, 1);
	ck_assert_str_eq(theirs->predictions[0].id, p.id);
	postgres_destroy(store, 1);
	postgres_destroy(other, 1);
	memory_destroy(ours);
	memory_destroy(theirs);
}
END_TEST

/* --- At the start --------------------------------------------------------- */

static size_t first_count;
static uint32_t first_job_id;

static void note_newest(void *context)
{
	struct memory *memory = context;

	pthread_mutex_lock(&memory->lock);
	ck_assert(!memory->ready);
	ck_assert_uint_eq(memory->predictions_count, 1);
	ck_assert_uint_eq(memory->reloads, 1);
	first_count = memory->runs_count;
	first_job_id = memory->runs[0].job_id;
	pthread_mutex_unlock(&memory->lock);
}

/* The connection is lost at the first run that comes. */
static void note_run(void *context, const struct run *run)
{
	struct memory *memory = context;

	if (memory->runs_count == 0 && memory->reloads == 0)
		ck_assert_str_eq(sql(server_conninfo,
				     "SELECT pg_terminate_backend(pid) "
				     "FROM pg_stat_activity "
				     "WHERE datname = 'import_newest'"),
				 "t");
	memory_run(context, run);
}

START_TEST(test_newest_first)
{
	const size_t count = STORE_RUNS_FIRST + 7;
	struct memory *memory;
	struct postgres *store = fresh("import_newest", &memory);
	struct store_imported result;
	struct run *runs = make_runs(1, count);
	struct sp_error err;

	for (size_t i = 0; i < count; i++)
		runs[i].ended_at_s += (double)i;
	ck_assert_int_eq(import_runs(store, runs, count, true, &result),
			 STORE_STORED);
	postgres_ops.put_prediction(
		store, &(struct prediction){ .id = "1", .cluster = "c1" });
	postgres_destroy(store, 5);
	memory_destroy(memory);

	memory = memory_create();
	const struct postgres_config config = {
		.conninfo = conninfo_of("import_newest"),
	};
	struct store_sink sink = memory_sink(memory);

	sink.newest = note_newest;
	sink.run = note_run;
	store = postgres_create(&config, &sink, &err);
	ck_assert_ptr_nonnull(store);
	memory_wait_reloads(memory, 2);
	ck_assert_uint_eq(first_count, STORE_RUNS_FIRST);
	ck_assert_uint_eq(memory->predictions_count, 0);
	ck_assert_uint_eq(first_job_id, 8);
	ck_assert_uint_eq(memory->runs_count, count);
	ck_assert_uint_eq(memory->runs[0].job_id, 1);
	postgres_destroy(store, 1);
	memory_destroy(memory);
	free(runs);
}
END_TEST

/* --- Beside reports, through crashes -------------------------------------- */

#define BATCHES 30

struct importer {
	pthread_t thread;
	struct postgres *store;
	_Atomic unsigned batches; /* acknowledged */
	unsigned repeated;
	size_t stored;
};

static void *importer_run(void *argument)
{
	struct importer *importer = argument;
	struct store_imported result;

	for (uint32_t i = 0; i < BATCHES; i++) {
		struct run *runs = make_runs(100000 + i * BATCH, BATCH);

		while (import_runs(importer->store, runs, BATCH,
				   i + 1 == BATCHES, &result) != STORE_STORED) {
			importer->repeated++;
			usleep(5000);
		}
		free(runs);
		importer->stored += result.stored;
		importer->batches++;
	}
	return NULL;
}

START_TEST(test_crashes_meanwhile)
{
	struct memory *memory;
	struct postgres *store = fresh("import_crash", &memory);
	const char *conninfo = conninfo_of("import_crash");
	struct importer importer = { .store = store };
	uint32_t job_id = 0;
	char expected[32];

	ck_assert_int_eq(
		pthread_create(&importer.thread, NULL, importer_run, &importer),
		0);
	for (unsigned part = 1; part <= 2; part++) {
		while (importer.batches < part * BATCHES / 3) {
			struct run run = example_run(++job_id, RUN_COMPLETED);

			while (store_run(store, &run) != STORE_STORED)
				usleep(5000);
		}
		server("kill");
		server("start");
	}
	pthread_join(importer.thread, NULL);
	memory_wait_reloads(memory, 1);
	postgres_destroy(store, 20);
	snprintf(expected, sizeof(expected), "%u", job_id);
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs "
				       "WHERE import_id IS NULL"),
			 expected);
	snprintf(expected, sizeof(expected), "%d", BATCHES * BATCH);
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs "
				       "WHERE import_id IS NOT NULL"),
			 expected);
	/* A batch whose commit got no reply counts as doubles. */
	ck_assert_uint_le(importer.stored, BATCHES * BATCH);
	ck_assert_uint_eq(memory->runs_count, job_id + BATCHES * BATCH);
	memory_destroy(memory);
}
END_TEST

START_TEST(test_down)
{
	struct memory *memory = memory_create();
	struct postgres *store = store_start("host=/nowhere", memory);
	struct run *runs = make_runs(1, 1);
	const struct store_import import = { 1, runs, true };
	const struct store_import huge = { STORE_IMPORT_RUNS_MAX + 1, runs,
					   false };
	struct imported imported = { .done = false };
	struct sp_error err;

	ck_assert_int_eq(postgres_ops.put_import(store, &import, import_done,
						 &imported, &err),
			 -1);
	ck_assert_int_eq(postgres_ops.put_import(store, &huge, import_done,
						 &imported, &err),
			 -1);
	postgres_destroy(store, 0);
	ck_assert(!imported.done);
	memory_destroy(memory);
	free(runs);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_twice_is_once,
		test_bad_runs_are_left_out,
		test_others_notice,
		test_predictions_of_others,
		test_crashes_meanwhile,
		test_newest_first,
		test_down,
		NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "import_threads", tests);
}
