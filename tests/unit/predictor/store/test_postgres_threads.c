/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_postgres_threads.c - many senders, a server that is killed, each run
 * stored once
 */
#include "tests/unit/predictor/store/database.h"

#define THREADS 8
#define EACH    125 /* runs of a thread */

struct sender {
	pthread_t thread;
	struct postgres *store;
	uint32_t first_job_id;
	_Atomic unsigned stored; /* runs acknowledged */
	unsigned repeated;
};

/* As a collector does: the same again until it is acknowledged. */
static void *sender_run(void *argument)
{
	struct sender *sender = argument;
	const struct measurement m = { .node = "n1" };
	struct prediction p = { .cluster = "c1" };

	snprintf(p.application.name, sizeof(p.application.name), "nbody");
	for (uint32_t i = 0; i < EACH; i++) {
		uint32_t job_id = sender->first_job_id + i;
		struct run runs[] = { example_run(job_id, RUN_RUNNING),
				      example_run(job_id, RUN_COMPLETED) };

		snprintf(p.id, sizeof(p.id), "%u", job_id);
		postgres_ops.put_prediction(sender->store, &p);
		postgres_ops.put_measurements(sender->store, "c1", &m, 1);
		for (int k = 0; k < 2; k++)
			while (store_run(sender->store, &runs[k]) !=
			       STORE_STORED) {
				sender->repeated++;
				usleep(5000);
			}
		sender->stored++;
	}
	return NULL;
}

static unsigned stored_by(struct sender senders[])
{
	unsigned stored = 0;

	for (int i = 0; i < THREADS; i++)
		stored += senders[i].stored;
	return stored;
}

START_TEST(test_each_run_is_stored_once)
{
	struct memory *memory = memory_create();
	const char *conninfo = database_with_schema("once");
	struct postgres *store = store_start(conninfo, memory);
	struct sender senders[THREADS] = { 0 };
	struct store_status status;
	unsigned repeated = 0;

	memory_wait(memory, 0);
	for (int i = 0; i < THREADS; i++) {
		senders[i].store = store;
		senders[i].first_job_id = 1 + (uint32_t)i * EACH;
		ck_assert_int_eq(pthread_create(&senders[i].thread, NULL,
						sender_run, &senders[i]),
				 0);
	}
	for (unsigned part = 1; part <= 2; part++) {
		while (stored_by(senders) < part * THREADS * EACH / 3) {
			postgres_ops.status(store, &status);
			usleep(500);
		}
		server("kill");
		server("start");
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(senders[i].thread, NULL);
		repeated += senders[i].repeated;
	}
	postgres_destroy(store, 20);
	ck_assert_uint_gt(repeated, 0);
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs "
				       "WHERE state = 'COMPLETED'"),
			 "1000");
	ck_assert_str_eq(sql(conninfo, "SELECT count(*) FROM predict.runs"),
			 "1000");
	ck_assert_str_eq(
		sql(conninfo, "SELECT count(*) FROM predict.run_parameters"),
		"2000");
	ck_assert_str_eq(
		sql(conninfo, "SELECT count(*) FROM predict.predictions"),
		"1000");

	/* The sink saw each end once. */
	unsigned char ends[THREADS * EACH + 1] = { 0 };

	for (size_t i = 0; i < memory->runs_count; i++)
		ends[memory->runs[i].job_id] +=
			memory->runs[i].state == RUN_COMPLETED;
	for (int i = 1; i <= THREADS * EACH; i++)
		ck_assert_int_eq(ends[i], 1);
	memory_destroy(memory);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = { test_each_run_is_stored_once, NULL };

	(void)argc;
	return suite_run_with_server(argv[0], "postgres_threads", tests);
}
