/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_engine.c - the engine with a long history in memory
 *
 * usage: bench-engine memory [RUNS]
 *        bench-engine nodes [NODES]
 *        bench-engine waiting [RUNS]
 *        bench-engine starts [WAITING]
 *        bench-engine ask SOCKET [RATE [SECONDS [NAME]]]
 *        bench-engine nothing SOCKET
 *
 * `memory` learns RUNS past runs as predictd does when it starts, then predicts
 * (with the script's text) and learns, in one thread.  `nodes` predicts on a
 * large cluster: before Slurm's nodes are known, when all are idle, and when
 * every other one is full.  `waiting` has 5,000 jobs that wait: what it costs
 * to predict one again, and how long submissions take while 100 runs end a
 * second, by turns with seconds in which nothing else happens.  `ask` is a
 * client for a real predictd, and `nothing` a server to compare it with
 * (engine_client.h).
 *
 * Times are of this process's CPU but for those of `ask` and of submissions
 * while runs end.  `starts` finds when new jobs would start, behind a queue.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/daemon/engine_feed.h"
#include "predictor/engine/engine.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/features/node_facts.h"
#include "predictor/features/script/identify.h"
#include "tests/bench/engine_client.h"
#include "tests/bench/engine_workload.h"

#define RUNS_DEFAULT         1000000
#define NODES_DEFAULT        10000
#define NODES                64
#define WAITING_RUNS_DEFAULT 100000
#define ASKED                50000 /* predictions that are timed */
#define BEGAN_S              1.6e9

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench-engine: %s: %s\n", what, why);
	exit(1);
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double rss_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%*s %lu", &pages) != 1)
		die("statm", strerror(errno));
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile_of(double *values, size_t count, double probability)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[(size_t)((double)count * probability)];
}

/* --- In memory ------------------------------------------------------------ */

static void measure_nodes(struct engine *engine, int nodes, double now_s)
{
	for (int i = 0; i < nodes; i++) {
		struct measurement m = { .time_s = now_s,
					 .cpu_load = i % 3,
					 .cpu_available = 1.0 / (1 + i % 3),
					 .memory_available_mb = 8000 };

		snprintf(m.node, sizeof(m.node), "n%d", i + 1);
		engine_measure(engine, "shared", &m, NULL);
	}
}

static void load(struct engine *engine, struct random *r, uint32_t runs)
{
	double spent_s = 0;
	struct sp_error err;

	if (engine_load_begin(engine, &err))
		die("load", err.text);
	for (uint32_t i = 0; i < runs; i++) {
		static struct job job;
		struct run run;

		job_make(r, &job);
		run_make(&job, i, BEGAN_S + 30.0 * i, &run);
		application_identify(&job.submission, &run.application);

		double began_s = cpu_s();

		if (engine_learn(engine, &run, &err))
			die("run", err.text);
		spent_s += cpu_s() - began_s;
	}

	double began_s = cpu_s();

	if (engine_load_end(engine, &err))
		die("load", err.text);
	printf("engine_load_s %.1f, of these %.1f at the end\n",
	       spent_s + cpu_s() - began_s, cpu_s() - began_s);
}

struct asked {
	struct job job;
	struct prediction prediction;
};

/* Predict, then end what was predicted; in turns, so that tickets are there. */
static void ask_and_learn(struct engine *engine, struct random *r,
			  uint32_t runs)
{
	enum { BATCH = 1000 };
	struct asked *asked = calloc(BATCH, sizeof(*asked));
	double now_s = BEGAN_S + 30.0 * runs;
	double predict_s = 0, learn_s = 0;
	uint32_t number = runs;
	struct sp_error err;

	if (!asked)
		die("memory", "none");
	measure_nodes(engine, NODES, now_s);
	for (int done = 0; done < ASKED; done += BATCH) {
		for (int i = 0; i < BATCH; i++)
			job_make(r, &asked[i].job);

		double began_s = cpu_s();

		for (int i = 0; i < BATCH; i++) {
			engine_predict(engine, &asked[i].job.submission,
				       MODE_ADVISE, 0.9,
				       now_s + 0.01 * (done + i), true,
				       &asked[i].prediction);
			if (engine_keep(engine, &asked[i].prediction, &err))
				die("predict", err.text);
		}
		predict_s += cpu_s() - began_s;
		for (int i = 0; i < BATCH; i++) {
			struct run run;

			run_make(&asked[i].job, number++,
				 now_s + 7200 + 0.01 * (done + i), &run);
			run.application = asked[i].prediction.application;
			strcpy(run.prediction_id, asked[i].prediction.id);
			began_s = cpu_s();
			if (engine_learn(engine, &run, &err))
				die("learn", err.text);
			learn_s += cpu_s() - began_s;
		}
		measure_nodes(engine, NODES, now_s + 0.01 * done);
	}
	free(asked);
	printf("bar engine_predictions_per_s %.0f\n", ASKED / predict_s);
	printf("bar update_us %.1f\n", 1e6 * learn_s / ASKED);
}

static void show_choice(void *context, const struct engine_accuracy *a)
{
	(void)context;
	if (a->runs)
		printf("%-14s %7u runs, error %.3f, coverage %.3f\n", a->model,
		       a->runs, a->error, a->coverage);
}

static int in_memory(uint32_t runs)
{
	struct random r = { 1 };
	double before = rss_bytes();
	struct engine *engine = engine_create();

	if (!engine)
		die("engine", "out of memory");
	load(engine, &r, runs);
	ask_and_learn(engine, &r, runs);
	printf("bar bytes_per_run %.0f\n", (rss_bytes() - before) / runs);
	engine_visit_accuracy(engine, UINT32_MAX, show_choice, NULL);
	engine_destroy(engine);
	return 0;
}

/* --- On a large cluster --------------------------------------------------- */

static struct node_facts *facts_make(int nodes)
{
	static struct node_properties node = { .cpus = 16,
					       .memory_mb = 64000,
					       .weight = 1,
					       .partitions = "main" };
	struct node_facts *facts = node_facts_create("shared");
	struct sp_error err;

	if (!facts)
		die("facts", "out of memory");
	for (int i = 0; i < nodes; i++) {
		snprintf(node.name, sizeof(node.name), "n%d", i + 1);
		if (node_facts_add(facts, &node, &err))
			die("facts", err.text);
	}
	if (node_facts_arrange(facts, &err))
		die("facts", err.text);
	return facts;
}

/* A job of one node that fills it. */
static void node_fill(struct engine *engine, int node, double now_s)
{
	struct random r = { (uint64_t)node + 1 };
	struct sp_error err;
	struct job job;
	struct run run;

	job_make(&r, &job);
	job.submission.cluster = "shared";
	run_make(&job, 1000000 + (uint32_t)node, now_s, &run);
	application_identify(&job.submission, &run.application);
	run.state = RUN_RUNNING;
	run.started_at_s = run.ended_at_s - 10;
	run.submitted_at_s = run.started_at_s;
	run.nodes = 1;
	snprintf(run.node_list, sizeof(run.node_list), "n%d", node + 1);
	if (engine_learn(engine, &run, &err))
		die("running job", err.text);
}

static void predict_on(struct engine *engine, const char *name, double now_s)
{
	enum { TIMED = 500 };
	struct random r = { 3 };
	double times_us[TIMED];
	static struct job job;
	static struct prediction p;

	for (int i = 0; i < TIMED; i++) {
		job_make(&r, &job);
		job.submission.cluster = "shared";

		double began_s = cpu_s();

		engine_predict(engine, &job.submission, MODE_ADVISE, 0.9,
			       now_s + 0.001 * i, false, &p);
		times_us[i] = 1e6 * (cpu_s() - began_s);
	}
	printf("bar nodes_%s_us %.0f\n", name,
	       quantile_of(times_us, TIMED, 0.5));
	printf("nodes_%s_p99_us %.0f\n", name,
	       quantile_of(times_us, TIMED, 0.99));
}

static int on_nodes(int nodes)
{
	double now_s = BEGAN_S + 30.0 * 10000;
	struct random r = { 1 };
	struct engine *engine = engine_create();

	if (!engine)
		die("engine", "out of memory");
	load(engine, &r, 10000);
	measure_nodes(engine, nodes, now_s);
	predict_on(engine, "unknown", now_s);
	engine_set_node_facts(engine, facts_make(nodes));
	predict_on(engine, "idle", now_s);
	for (int i = 0; i < nodes; i += 2)
		node_fill(engine, i, now_s);
	predict_on(engine, "half_full", now_s);
	engine_destroy(engine);
	return 0;
}

/* --- While jobs wait ------------------------------------------------------ */

enum { WAITING = 5000, ENDS_PER_S = 100, SUBMITS_PER_S = 500, TURNS = 20 };

struct waiting_bench {
	struct engine_feed feed;
	struct random random;
	uint32_t number;        /* of the last run */
	atomic_bool busy, ends; /* runs end; the bench is over */
};

static void submit(struct waiting_bench *w, struct random *r,
		   struct asked *asked)
{
	struct sp_error err;

	job_make(r, &asked->job);
	engine_predict(w->feed.engine, &asked->job.submission, MODE_ADVISE, 0.9,
		       clock_now_s(), true, &asked->prediction);
	if (engine_keep(w->feed.engine, &asked->prediction, &err))
		die("predict", err.text);
}

static void cost_of_refresh(struct waiting_bench *w)
{
	double predict_s = 0, refresh_s = 0;
	static struct prediction p;
	static struct job job;
	bool due;

	for (int i = 0; i < WAITING; i++) {
		job_make(&w->random, &job);

		double began_s = cpu_s();

		engine_predict(w->feed.engine, &job.submission, MODE_ADVISE,
			       0.9, clock_now_s(), false, &p);

		double between_s = cpu_s();

		engine_refresh(w->feed.engine, clock_now_s(), &p, &due);
		predict_s += between_s - began_s;
		refresh_s += cpu_s() - between_s;
	}
	printf("prediction %.1f us, refresh %.1f us\n",
	       1e6 * predict_s / WAITING, 1e6 * refresh_s / WAITING);
	printf("bar refresh_vs_submission %.3f\n", refresh_s / predict_s);
}

static void pause_s(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds,
			      .tv_nsec = (long)(fmod(seconds, 1) * 1e9) };

	nanosleep(&t, NULL);
}

/* End runs of those who wait, other jobs than theirs. */
static void *end_runs(void *context)
{
	struct waiting_bench *w = context;
	struct random r = { 5 };
	static struct job job;
	struct sp_error err;
	struct run run;

	for (; !w->ends; pause_s(1.0 / ENDS_PER_S)) {
		if (!w->busy)
			continue;
		job_make(&r, &job);
		run_make(&job, ++w->number, clock_now_s(), &run);
		application_identify(&job.submission, &run.application);
		if (engine_learn(w->feed.engine, &run, &err))
			die("learn", err.text);
	}
	return NULL;
}

static void *refresh(void *context)
{
	struct waiting_bench *w = context;

	while (!w->ends)
		pause_s(w->busy ? engine_feed_refresh(&w->feed) : 0.01);
	return NULL;
}

static void submit_meanwhile(struct waiting_bench *w)
{
	static double took_s[2][TURNS * SUBMITS_PER_S];
	pthread_t threads[2];
	struct random r = { 7 };
	static struct asked asked;
	double p99_s[2];

	if (pthread_create(&threads[0], NULL, end_runs, w) ||
	    pthread_create(&threads[1], NULL, refresh, w))
		die("threads", "none");
	for (int i = 0; i < 2 * TURNS * SUBMITS_PER_S; i++) {
		int turn = i / SUBMITS_PER_S;

		w->busy = turn % 2;
		pause_s(1.0 / SUBMITS_PER_S);

		double began_s = clock_monotonic_s();

		submit(w, &r, &asked);
		took_s[turn % 2][turn / 2 * SUBMITS_PER_S + i % SUBMITS_PER_S] =
			clock_monotonic_s() - began_s;
	}
	w->ends = true;
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		p99_s[i] = quantile_of(took_s[i], TURNS * SUBMITS_PER_S, 0.99);
	}
	printf("submission p99 %.0f us, with waiting jobs and ends %.0f us\n",
	       1e6 * p99_s[0], 1e6 * p99_s[1]);
	printf("bar submit_p99_ratio %.3f\n", p99_s[1] / p99_s[0]);
}

static int while_jobs_wait(uint32_t runs)
{
	static struct waiting_bench w = { .random = { 1 } };
	static struct asked asked;
	struct engine *engine = engine_create();

	if (!engine)
		die("engine", "out of memory");
	load(engine, &w.random, runs);
	measure_nodes(engine, NODES, clock_now_s());
	w.feed.engine = engine;
	w.number = runs;
	for (int i = 0; i < WAITING; i++)
		submit(&w, &w.random, &asked);
	cost_of_refresh(&w);
	submit_meanwhile(&w);
	engine_destroy(engine);
	return 0;
}

/* --- Starts of new jobs --------------------------------------------------- */

#define LOOKUPS 20000

static struct queue_state queue_make(uint32_t waiting)
{
	struct queue_state queue = { .now_s = BEGAN_S,
				     .count = 2 * (size_t)waiting };

	queue.of = calloc(queue.count, sizeof(*queue.of));
	if (!queue.of)
		die("queue", "out of memory");
	for (uint32_t i = 0; i < queue.count; i++) {
		struct queue_entry *e = &queue.of[i];

		*e = (struct queue_entry){ .job_id = i + 1,
					   .nodes = 1,
					   .cpus = 1 + i * 7919 % 16,
					   .running = i < waiting,
					   .priority = queue.count - i,
					   .limit_s = 600 + i * 7907 % 86400,
					   .begin_s = NAN };
		strcpy(e->partition, "main");
	}
	return queue;
}

static int of_new_jobs(uint32_t waiting)
{
	struct engine *engine = engine_create();
	struct queue_state queue = queue_make(waiting);
	struct prediction p = { .partition = "main", .cluster = "shared" };
	struct start_time starts[START_TURNS];
	double above[START_TURNS];
	struct sp_error err;
	double worst_s = 0, began_s;
	int known = 0;

	engine_set_node_facts(engine, facts_make((int)waiting * 17 / 32));
	began_s = cpu_s();
	if (engine_set_queue(engine, &queue, &err))
		die("queue", err.text);
	printf("%u jobs run and %u wait: simulated in %.2f s\n", waiting,
	       waiting, cpu_s() - began_s);
	began_s = cpu_s();
	for (int i = 0; i < LOOKUPS; i++) {
		double once_s = cpu_s();

		p.cpus = 1 + (uint32_t)i * 31 % 200;
		p.limit_s = 300 + i * 7907 % 86400;
		known += engine_new_job_start(engine, &p, false, 120,
					      BEGAN_S + 60, starts, above) >= 0;
		once_s = cpu_s() - once_s;
		worst_s = once_s > worst_s ? once_s : worst_s;
	}
	printf("%d of %d starts are known, the slowest took %.0f us\n", known,
	       LOOKUPS, 1e6 * worst_s);
	printf("bar start_lookup_us %.1f\n",
	       1e6 * (cpu_s() - began_s) / LOOKUPS);
	free(queue.of);
	engine_destroy(engine);
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc >= 2 && strcmp(argv[1], "memory") == 0)
		return in_memory(argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10)
					  : RUNS_DEFAULT);
	if (argc >= 2 && strcmp(argv[1], "nodes") == 0)
		return on_nodes(argc > 2 ? atoi(argv[2]) : NODES_DEFAULT);
	if (argc >= 2 && strcmp(argv[1], "waiting") == 0)
		return while_jobs_wait(
			argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10)
				 : WAITING_RUNS_DEFAULT);
	if (argc >= 2 && strcmp(argv[1], "starts") == 0)
		return of_new_jobs(argc > 2 ? (uint32_t)atoi(argv[2]) : 1900);
	if (argc >= 3 && strcmp(argv[1], "ask") == 0)
		return engine_ask(argv[2],
				  argc > 3 ? strtod(argv[3], NULL) : 5000,
				  argc > 4 ? strtod(argv[4], NULL) : 10,
				  argc > 5 ? argv[5] : "http");
	if (argc == 3 && strcmp(argv[1], "nothing") == 0)
		return engine_answer_nothing(argv[2]);
	fputs("usage: bench-engine memory [RUNS]\n"
	      "       bench-engine nodes [NODES]\n"
	      "       bench-engine waiting [RUNS]\n"
	      "       bench-engine starts [WAITING]\n"
	      "       bench-engine ask SOCKET [RATE [SECONDS [NAME]]]\n"
	      "       bench-engine nothing SOCKET\n",
	      stderr);
	return 2;
}
