/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_store.c - how fast a history comes into PostgreSQL, and back
 *
 * usage: bench-store CONNINFO [RUNS]
 *
 * Imports runs as a job log would have them: 5000 users, each with a few
 * applications, a fifth of the runs with parameters.  Two batches are on their
 * way at any moment, as from `spredict import`.  Then it starts anew, as
 * predictd does, with a sink that only counts.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/store/postgres.h"
#include "tests/unit/random.h"

#define RUNS_DEFAULT 1000000
#define BATCH        5000
#define IN_FLIGHT    2
#define USERS        5000
#define BEGAN_S      1.6e9

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int in_flight;
static size_t stored;
static bool ready;

static void make_run(struct random *random, uint32_t number, struct run *run)
{
	uint32_t user = (uint32_t)random_below(random, USERS);
	uint32_t kind = (uint32_t)random_below(random, 4);
	double runtime_s = floor(exp(4 + 6 * random_unit(random)));

	*run = (struct run){
		.cluster = "bench",
		.job_id = number + 1,
		.user_id = 10000 + user,
		.nodes = 1u << random_below(random, 5),
		.memory_mb = 4096,
		.limit_s = 3600.0 * (double)(1 + random_below(random, 24)),
		.node_list = "n[001-016]",
		.state = random_below(random, 10) ? RUN_COMPLETED : RUN_FAILED,
	};
	run->tasks = run->cpus = 8 * run->nodes;
	/* Submitted one after the other; the ends come out of order. */
	run->submitted_at_s = BEGAN_S + 60.0 * number;
	run->started_at_s =
		run->submitted_at_s + (double)random_below(random, 7200);
	run->ended_at_s = run->started_at_s + runtime_s;
	snprintf(run->user, sizeof(run->user), "user%u", user);
	snprintf(run->account, sizeof(run->account), "group%u", user % 100);
	snprintf(run->partition, sizeof(run->partition), "p%u", kind);
	snprintf(run->job_name, sizeof(run->job_name), "job %u", kind);
	snprintf(run->application.name, sizeof(run->application.name),
		 "program%u.%u # #", user % 1000, kind);
	conditions_init(&run->before);
	if (random_below(random, 5) == 0) {
		parameters_set(&run->application.parameters, "n",
			       (double)random_below(random, 10000), NULL);
		parameters_set(&run->application.parameters, "steps", 100,
			       NULL);
	}
}

static void imported(void *context, int rc, const struct store_imported *result,
		     const struct sp_error *why)
{
	(void)context;
	if (rc != STORE_STORED) {
		fprintf(stderr, "bench-store: %s\n", why->text);
		exit(1);
	}
	pthread_mutex_lock(&lock);
	in_flight--;
	stored += result->stored;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void send_batch(struct postgres *store, const struct run *runs,
		       size_t count, bool last)
{
	const struct store_import import = { count, runs, last };
	struct sp_error err;

	pthread_mutex_lock(&lock);
	while (in_flight >= (last ? 1 : IN_FLIGHT))
		pthread_cond_wait(&changed, &lock);
	in_flight++;
	pthread_mutex_unlock(&lock);
	if (postgres_ops.put_import(store, &import, imported, NULL, &err)) {
		fprintf(stderr, "bench-store: %s\n", err.text);
		exit(1);
	}
	while (last) {
		pthread_mutex_lock(&lock);
		last = in_flight > 0;
		pthread_mutex_unlock(&lock);
	}
}

/* --- The sink ------------------------------------------------------------- */

static size_t runs_read;

static void take_run(void *context, const struct run *run)
{
	(void)context;
	(void)run;
	runs_read++;
}

static void take_prediction(void *context, const struct prediction *p)
{
	(void)context;
	(void)p;
}

static void take_measurement(void *context, const char *cluster,
			     const struct measurement *m)
{
	(void)context;
	(void)cluster;
	(void)m;
}

static void take_ready(void *context)
{
	(void)context;
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static struct postgres *start(const char *conninfo)
{
	const struct postgres_config config = { .conninfo = conninfo,
						.measurements_keep_days = 1 };
	const struct store_sink sink = { .prediction = take_prediction,
					 .measurement = take_measurement,
					 .run = take_run,
					 .ready = take_ready };
	struct sp_error err;
	struct postgres *store = postgres_create(&config, &sink, &err);

	if (!store) {
		fprintf(stderr, "bench-store: %s\n", err.text);
		exit(1);
	}
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	ready = false;
	pthread_mutex_unlock(&lock);
	return store;
}

int main(int argc, char **argv)
{
	static struct run runs[BATCH];
	size_t total = argc > 2 ? strtoul(argv[2], NULL, 10) : RUNS_DEFAULT;
	struct random random = { 1 };
	double began_s;

	if (argc < 2)
		return 2;
	log_open(NULL, LOG_LEVEL_INFO, NULL);
	struct postgres *store = start(argv[1]);

	began_s = clock_monotonic_s();
	for (size_t n = 0; n < total; n += BATCH) {
		for (uint32_t i = 0; i < BATCH; i++)
			make_run(&random, (uint32_t)n + i, &runs[i]);
		send_batch(store, runs, BATCH, false);
	}
	send_batch(store, runs, 0, true);
	printf("bar store_import_runs_per_s %.0f\n",
	       (double)stored / (clock_monotonic_s() - began_s));
	postgres_destroy(store, 10);

	runs_read = 0;
	began_s = clock_monotonic_s();
	store = start(argv[1]);
	printf("bar store_start_s %.2f\n", clock_monotonic_s() - began_s);
	fprintf(stderr, "%zu runs stored, %zu read\n", stored, runs_read);
	postgres_destroy(store, 10);
	return runs_read < stored;
}
