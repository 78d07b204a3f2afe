/* SPDX-License-Identifier: GPL-2.0-or-later */
/* database.h - a private PostgreSQL for the tests of the store
 *
 * main() starts one server beside the test program; each test makes a database
 * of its own in it.
 */
#pragma once

#include <check.h>
#include <dirent.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/store/postgres.h"
#include "tests/unit/suite.h"

static char server_dir[4096];
static char server_conninfo[512];

/* Run contrib/cluster/postgres; what it prints ends up in server_conninfo. */
__attribute__((unused)) static void server(const char *command)
{
	char line[8192];

	snprintf(line, sizeof(line), "contrib/cluster/postgres %s '%s'",
		 command, server_dir);
	FILE *pipe = popen(line, "re");

	if (pipe && fgets(line, sizeof(line), pipe) && strstr(line, "host="))
		snprintf(server_conninfo, sizeof(server_conninfo), "%.500s",
			 line);
	server_conninfo[strcspn(server_conninfo, "\n")] = '\0';
	if (!pipe || pclose(pipe) != 0) {
		fprintf(stderr, "contrib/cluster/postgres %s failed\n",
			command);
		exit(1);
	}
}

/* Send `signal` to the postmaster and all its children. */
__attribute__((unused)) static void server_signal(int signal)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/data/postmaster.pid", server_dir);
	FILE *file = fopen(path, "re");
	int postmaster = 0;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%d", &postmaster), 1);
	fclose(file);
	kill(postmaster, signal);

	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while ((entry = readdir(proc))) {
		int parent = 0;

		snprintf(path, sizeof(path), "/proc/%.20s/stat", entry->d_name);
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    !(file = fopen(path, "re")))
			continue;
		if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) == 1 &&
		    parent == postmaster)
			kill(atoi(entry->d_name), signal);
		fclose(file);
	}
	closedir(proc);
}

static inline void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

/* Run SQL in the database of `conninfo`; gives the first value as text. */
static inline const char *sql(const char *conninfo, const char *text)
{
	static char value[256];
	PGconn *pg = PQconnectdb(conninfo);

	PQsetNoticeProcessor(pg, ignore_notice, NULL);
	PGresult *result = PQexec(pg, text);

	if (PQresultStatus(result) != PGRES_TUPLES_OK &&
	    PQresultStatus(result) != PGRES_COMMAND_OK)
		snprintf(value, sizeof(value), "%.250s", PQerrorMessage(pg));
	else if (PQntuples(result) > 0)
		snprintf(value, sizeof(value), "%.250s",
			 PQgetvalue(result, 0, 0));
	else
		value[0] = '\0';
	PQclear(result);
	PQfinish(pg);
	return value;
}

/* The tests, with a server that lives as long as they do. */
static inline int suite_run_with_server(const char *program, const char *name,
					const TTest *const tests[])
{
	char line[8192];

	snprintf(server_dir, sizeof(server_dir), "%.4000s.postgres", program);
	snprintf(line, sizeof(line), "rm -rf '%s'", server_dir);
	server("up");
	/* Servers are killed here, machines are not; and a busy disk would
	 * make the tests slow. */
	sql(server_conninfo, "ALTER SYSTEM SET fsync = off");
	sql(server_conninfo, "SELECT pg_reload_conf()");
	log_open(getenv("TEST_LOG") ? NULL : "/dev/null", LOG_LEVEL_DEBUG,
		 NULL);
	int rc = suite_run(name, tests);

	server("down");
	return system(line) != 0 || rc != 0;
}

/* A new database of that name; gives its conninfo. */
static inline const char *database_create(const char *name)
{
	static char conninfo[1024];
	char text[256];

	snprintf(text, sizeof(text), "DROP DATABASE IF EXISTS %s", name);
	sql(server_conninfo, text);
	snprintf(text, sizeof(text), "CREATE DATABASE %s", name);
	ck_assert_str_eq(sql(server_conninfo, text), "");
	snprintf(conninfo, sizeof(conninfo), "%s dbname=%s", server_conninfo,
		 name);
	return conninfo;
}

static inline const char *database_with_schema(const char *name)
{
	const char *conninfo = database_create(name);
	struct sp_error err = { .text = "" };

	ck_assert_msg(postgres_migrate(conninfo, "sql", &err) == 0, "%s",
		      err.text);
	return conninfo;
}

/* --- What a store passes to its sink ------------------------------------ */

#define MEMORY_MAX 20000

struct memory {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t runs_count, predictions_count, measurements_count, links_count;
	size_t speeds_count;
	size_t reloads;
	bool ready;
	struct run *runs;
	struct prediction *predictions;
	struct measurement *measurements;
	struct link_measurement *links;
};

static inline void memory_run(void *context, const struct run *run)
{
	struct memory *memory = context;

	pthread_mutex_lock(&memory->lock);
	ck_assert_uint_lt(memory->runs_count, MEMORY_MAX);
	memory->runs[memory->runs_count++] = *run;
	pthread_cond_broadcast(&memory->changed);
	pthread_mutex_unlock(&memory->lock);
}

static inline void memory_prediction(void *context, const struct prediction *p)
{
	struct memory *memory = context;

	pthread_mutex_lock(&memory->lock);
	ck_assert_uint_lt(memory->predictions_count, MEMORY_MAX);
	memory->predictions[memory->predictions_count++] = *p;
	pthread_mutex_unlock(&memory->lock);
}

static inline void memory_measurement(void *context, const char *cluster,
				      const struct measurement *m)
{
	struct memory *memory = context;

	ck_assert_str_eq(cluster, "c1");
	pthread_mutex_lock(&memory->lock);
	ck_assert_uint_lt(memory->measurements_count, MEMORY_MAX);
	memory->measurements[memory->measurements_count++] = *m;
	pthread_mutex_unlock(&memory->lock);
}

static inline void memory_speed(void *context, const char *cluster,
				const char *node, double time_s, double speed)
{
	struct memory *memory = context;

	ck_assert_str_eq(cluster, "c1");
	ck_assert_str_eq(node, "n1");
	ck_assert_double_gt(time_s, 1e9);
	ck_assert_double_eq(speed, 1.5);
	pthread_mutex_lock(&memory->lock);
	memory->speeds_count++;
	pthread_mutex_unlock(&memory->lock);
}

static inline void memory_link(void *context, const char *cluster,
			       const struct link_measurement *m)
{
	struct memory *memory = context;

	ck_assert_str_eq(cluster, "c1");
	pthread_mutex_lock(&memory->lock);
	ck_assert_uint_lt(memory->links_count, MEMORY_MAX);
	memory->links[memory->links_count++] = *m;
	pthread_mutex_unlock(&memory->lock);
}

/* Forget all; not ready until all was passed again. */
static inline void memory_reload_begin(void *context)
{
	struct memory *memory = context;

	pthread_mutex_lock(&memory->lock);
	memory->runs_count = memory->predictions_count = 0;
	memory->ready = false;
	memory->reloads++;
	pthread_mutex_unlock(&memory->lock);
}

static inline void memory_ready(void *context)
{
	struct memory *memory = context;

	pthread_mutex_lock(&memory->lock);
	memory->ready = true;
	pthread_cond_broadcast(&memory->changed);
	pthread_mutex_unlock(&memory->lock);
}

static inline struct memory *memory_create(void)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	pthread_mutex_init(&memory->lock, NULL);
	pthread_cond_init(&memory->changed, NULL);
	memory->runs = calloc(MEMORY_MAX, sizeof(*memory->runs));
	memory->predictions = calloc(MEMORY_MAX, sizeof(*memory->predictions));
	memory->measurements =
		calloc(MEMORY_MAX, sizeof(*memory->measurements));
	memory->links = calloc(MEMORY_MAX, sizeof(*memory->links));
	return memory;
}

static inline void memory_destroy(struct memory *memory)
{
	free(memory->runs);
	free(memory->predictions);
	free(memory->measurements);
	free(memory->links);
	free(memory);
}

/* Wait for ready() and at least that many runs. */
static inline void memory_wait(struct memory *memory, size_t runs)
{
	pthread_mutex_lock(&memory->lock);
	while (!memory->ready || memory->runs_count < runs)
		pthread_cond_wait(&memory->changed, &memory->lock);
	pthread_mutex_unlock(&memory->lock);
}

/* Wait until all was passed again that many times. */
static inline void memory_wait_reloads(struct memory *memory, size_t reloads)
{
	pthread_mutex_lock(&memory->lock);
	while (!memory->ready || memory->reloads < reloads)
		pthread_cond_wait(&memory->changed, &memory->lock);
	pthread_mutex_unlock(&memory->lock);
}

static inline struct store_sink memory_sink(struct memory *memory)
{
	return (struct store_sink){
		.context = memory,
		.reload_begin = memory_reload_begin,
		.prediction = memory_prediction,
		.measurement = memory_measurement,
		.speed = memory_speed,
		.link = memory_link,
		.run = memory_run,
		.ready = memory_ready,
	};
}

static inline struct postgres *store_start(const char *conninfo,
					   struct memory *memory)
{
	const struct postgres_config config = { .conninfo = conninfo,
						.measurements_keep_days = 3 };
	const struct store_sink sink = memory_sink(memory);
	struct sp_error err = { .text = "" };
	struct postgres *store = postgres_create(&config, &sink, &err);

	ck_assert_msg(store != NULL, "%s", err.text);
	return store;
}

/* A store on a new database, ready. */
static inline struct postgres *fresh(const char *name, struct memory **ret)
{
	*ret = memory_create();
	struct postgres *store = store_start(database_with_schema(name), *ret);

	memory_wait(*ret, 0);
	return store;
}

static inline const char *conninfo_of(const char *name)
{
	static char conninfo[1024];

	snprintf(conninfo, sizeof(conninfo), "%s dbname=%s", server_conninfo,
		 name);
	return conninfo;
}

/* --- A report, and waiting for its result --------------------------------- */

struct outcome {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
	int rc;
	struct sp_error why;
};

static inline void outcome_done(void *context, int rc,
				const struct sp_error *why)
{
	struct outcome *outcome = context;

	pthread_mutex_lock(&outcome->lock);
	ck_assert(!outcome->done);
	outcome->done = true;
	outcome->rc = rc;
	if (why)
		outcome->why = *why;
	pthread_cond_broadcast(&outcome->changed);
	pthread_mutex_unlock(&outcome->lock);
}

/* STORE_AGAIN also if the store refused to take it. */
static inline int store_report(struct postgres *store,
			       const struct store_report *report,
			       struct sp_error *err)
{
	struct outcome outcome = { .done = false };

	pthread_mutex_init(&outcome.lock, NULL);
	pthread_cond_init(&outcome.changed, NULL);
	if (postgres_ops.put_report(store, report, outcome_done, &outcome,
				    err) < 0)
		return STORE_AGAIN;
	pthread_mutex_lock(&outcome.lock);
	while (!outcome.done)
		pthread_cond_wait(&outcome.changed, &outcome.lock);
	pthread_mutex_unlock(&outcome.lock);
	if (err)
		*err = outcome.why;
	return outcome.rc;
}

/* Counts by rc; a plain int each, as only the store's thread touches it until
 * the store is destroyed. */
static inline void count_outcome(void *context, int rc,
				 const struct sp_error *why)
{
	int *counts = context;

	counts[-rc]++;
	ck_assert(rc == STORE_STORED || (why && why->text[0]));
}

static inline int store_run(struct postgres *store, const struct run *run)
{
	const struct store_report report = { .runs_count = 1, .runs = run };

	return store_report(store, &report, NULL);
}

/* Awkward values: fractions, an infinite limit, unknowns, accents. */
static inline struct run example_run(uint32_t job_id, enum run_state state)
{
	struct run run = {
		.cluster = "c1",
		.job_id = job_id,
		.array_job_id = 4294967294,
		.array_task_id = 17,
		.het_job_id = 4294967293,
		.het_offset = 3,
		.user_id = 1003,
		.user = "zoë",
		.account = "phys",
		.partition = "short",
		.qos = "low",
		.features = "avx2|avx512",
		.gres = "gpu:a100:8",
		.licenses = "matlab:2,fluent@flex:7",
		.job_name = "n-body 'x' \"y\" \\z",
		.prediction_id = "00ff00ff00ff00ff",
		.nodes = 3,
		.tasks = 12,
		.cpus = 24,
		.memory_mb = 1536.25,
		.limit_s = __builtin_huge_val(),
		.node_list = "n[1-3]",
		.submitted_at_s = 1700000000.123457,
		.started_at_s = 1700000003,
		.ended_at_s = state == RUN_RUNNING ? __builtin_nan("")
						   : 1700000190.7654321,
		.state = state,
		.exit_code = state == RUN_FAILED ? 7 : 0,
		.application = { .name = "nbody # #",
				 .parameters = { .count = 2,
						 .of = { { "n", 1e5 / 3 },
							 { "steps", 0.1 } } },
				 .traits = "data=a,b method=CCSD(T)" },
	};

	conditions_init(&run.before);
	run.before.nodes_known = 2;
	run.before.cpu_load = 0.3;
	run.before.cpu_available_min = 1.0 / 3;
	return run;
}
