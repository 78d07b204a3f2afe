/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_engine.c - the engine with a long history in memory
 *
 * usage: bench-engine memory [RUNS]
 *        bench-engine ask SOCKET [RATE [SECONDS [NAME]]]
 *        bench-engine nothing SOCKET
 *
 * `memory` learns RUNS past runs as predictd does when it starts, then predicts
 * (with the script's text) and learns, in one thread.  5,000 users, most of
 * them with few runs and some with many, each have four programs; those of
 * every fifth user run on a cluster whose load is measured, with parameters
 * that the run time grows with.  `ask` is a client for a real predictd: RATE
 * predictions a second, sent when they are due and not when the one before has
 * been answered, over a few connections that are kept.  `nothing` is a server
 * that answers without looking: what `ask` says of it is the machine's own.
 *
 * Times are of this process's CPU but for those of `ask`.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "predictor/features/script/identify.h"
#include "predictor/base/clock.h"
#include "predictor/engine/engine.h"
#include "predictor/wire/wire.h"
#include "tests/unit/random.h"

#define RUNS_DEFAULT 1000000
#define USERS        5000
#define PROGRAMS     4
#define NODES        64
#define ASKED        50000 /* predictions that are timed */
#define BEGAN_S      1.6e9

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

/* --- The workload ------------------------------------------------------------ */

struct job {
	uint32_t user, program;
	int n; /* its parameter; 0: it has none */
	double load, runtime_s;
	char script[768];
	struct submission submission;
};

static const char *const scripts[PROGRAMS] = {
	"module load gcc openmpi\ncd $SLURM_SUBMIT_DIR\n"
	"srun ./solver%u -n %d --steps=100 input.dat\n",
	"source ~/env/bin/activate\nexport OMP_NUM_THREADS=8\n"
	"python3 analyse%u.py --size %d data/set.h5\n",
	"for i in a b c; do\n\tmpirun -np 16 /opt/md%u/bin/mdrun -nsteps %d "
	"-s $i.tpr\ndone\n",
	"#SBATCH --mail-type=END\nexport TMPDIR=/scratch/$USER\n"
	"./fit%u --points=%d > out.$SLURM_JOB_ID\n",
};

static void job_make(struct random *r, struct job *job)
{
	double rank = random_unit(r);

	job->user = (uint32_t)(USERS * rank * rank);
	job->program = (uint32_t)random_below(r, PROGRAMS);

	bool measured = job->user % 5 == 0;
	int sizes = measured ? 12 : 1;

	job->n = 1000 * (1 + (int)random_below(r, (uint64_t)sizes));
	job->load = measured ? (double)random_below(r, 3) : 0;
	job->runtime_s = (20 + 37 * (job->user % 97)) *
			 (measured ? job->n / 4000.0 * (1 + job->load) : 1) *
			 exp(0.5 * (random_unit(r) - 0.5));

	int used = snprintf(job->script, sizeof(job->script),
			    "#!/bin/bash\n#SBATCH -N 2\n#SBATCH -t 120\n");

	snprintf(job->script + used, sizeof(job->script) - (size_t)used,
		 scripts[job->program], job->user, job->n);
	submission_init(&job->submission);
	job->submission.cluster = measured ? "shared" : "batch";
	job->submission.user_id = 10000 + job->user;
	job->submission.account = "physics";
	job->submission.partition = "main";
	job->submission.name = "job";
	job->submission.script = job->script;
	job->submission.size.nodes_min = 2;
	job->submission.size.tasks = 16;
	job->submission.limit_s = 7200;
}

static void run_make(const struct job *job, uint32_t number, double ended_at_s,
		     struct run *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->job_id = number + 1;
	ret->user_id = job->submission.user_id;
	ret->nodes = 2;
	ret->tasks = ret->cpus = 16;
	ret->limit_s = 7200;
	ret->state = number % 10 ? RUN_COMPLETED : RUN_FAILED;
	ret->ended_at_s = floor(ended_at_s);
	ret->started_at_s = ret->ended_at_s - ceil(job->runtime_s);
	ret->submitted_at_s = ret->started_at_s - number % 600;
	strcpy(ret->cluster, job->submission.cluster);
	strcpy(ret->account, "physics");
	strcpy(ret->partition, "main");
	strcpy(ret->job_name, "job");
	strcpy(ret->node_list, "n[1-2]");
	conditions_init(&ret->before);
	if (job->submission.user_id % 5 == 0) {
		ret->before.nodes_known = 2;
		ret->before.cpu_load = ret->before.cpu_load_max = job->load;
		ret->before.cpu_available = ret->before.cpu_available_min =
			1 / (1 + job->load);
	}
}

/* --- In memory ---------------------------------------------------------------- */

static void measure_nodes(struct engine *engine, double now_s)
{
	for (int i = 0; i < NODES; i++) {
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
	measure_nodes(engine, now_s);
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
		measure_nodes(engine, now_s + 0.01 * done);
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

/* --- Over HTTP ------------------------------------------------------------------ */

#define CONNECTIONS 8
#define REQUESTS    512
#define REPLY_MAX   65536

struct connection {
	int fd;
	bool busy;
	double due_s;
	size_t size;
	char reply[REPLY_MAX];
};

static struct connection connections[CONNECTIONS];
static struct {
	size_t size;
	char bytes[4096];
} requests[REQUESTS];

static void connection_open(struct connection *c, const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(name.sun_path))
		die(path, "too long");
	strcpy(name.sun_path, path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&name, sizeof(name)))
		die(path, strerror(errno));
}

static void requests_make(void)
{
	struct random r = { 9 };

	for (int i = 0; i < REQUESTS; i++) {
		static struct job job;
		struct wire_request request = { .mode = MODE_ADVISE,
						.quantile = 0.9 };

		job_make(&r, &job);
		request.job = job.submission;
		request.job.user_id = geteuid();

		struct json_object *message = wire_request_encode(&request);
		const char *body = json_object_to_json_string(message);

		requests[i].size = (size_t)snprintf(
			requests[i].bytes, sizeof(requests[i].bytes),
			"POST /v1/predictions HTTP/1.1\r\nHost: localhost\r\n"
			"Content-Type: application/json\r\n"
			"Content-Length: %zu\r\n\r\n%s",
			strlen(body), body);
		json_object_put(message);
		if (requests[i].size >= sizeof(requests[i].bytes))
			die("request", "too long");
	}
}

/* Read what is there; true when the reply is whole. */
static bool take(struct connection *c)
{
	ssize_t got =
		recv(c->fd, c->reply + c->size, REPLY_MAX - 1 - c->size, 0);

	if (got <= 0)
		die("reply", got ? strerror(errno) : "connection closed");
	c->size += (size_t)got;
	c->reply[c->size] = '\0';

	const char *body = strstr(c->reply, "\r\n\r\n");
	const char *length = strstr(c->reply, "Content-Length: ");

	if (!body || !length)
		return false;
	if (strncmp(c->reply, "HTTP/1.1 200", 12))
		die("refused", body);
	return c->size >=
	       (size_t)(body + 4 - c->reply) + strtoul(length + 16, NULL, 10);
}

static struct connection *idle(void)
{
	for (int i = 0; i < CONNECTIONS; i++)
		if (!connections[i].busy)
			return &connections[i];
	return NULL;
}

#define SECONDS_MAX 60

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Send what is due, as far as a connection is free; what waits for one is late
 * all the same. */
static size_t send_due(size_t sent, size_t total, double began_s, double gap_s)
{
	struct connection *c;

	while (sent < total &&
	       began_s + gap_s * (double)sent <= clock_monotonic_s() &&
	       (c = idle())) {
		const size_t size = requests[sent % REQUESTS].size;

		c->busy = true;
		c->size = 0;
		c->due_s = began_s + gap_s * (double)sent;
		if (send(c->fd, requests[sent % REQUESTS].bytes, size,
			 MSG_NOSIGNAL) != (ssize_t)size)
			die("send", strerror(errno));
		sent++;
	}
	return sent;
}

static size_t take_replies(struct pollfd polled[CONNECTIONS],
			   double *latencies_s, size_t done)
{
	for (int i = 0; i < CONNECTIONS; i++) {
		struct connection *c = &connections[i];

		if (!polled[i].revents || !c->busy || !take(c))
			continue;
		c->busy = false;
		latencies_s[done++] = clock_monotonic_s() - c->due_s;
	}
	return done;
}

/* Until a reply comes or the next question is due: whoever measures must not
 * take the processor that is needed to answer. */
static bool wait_for(struct pollfd polled[CONNECTIONS], double until_s)
{
	double wait_s = fmax(0, until_s - clock_monotonic_s());
	struct timespec timeout = { .tv_sec = (time_t)wait_s };

	timeout.tv_nsec = (long)(1e9 * (wait_s - (double)timeout.tv_sec));
	return ppoll(polled, CONNECTIONS, &timeout, NULL) > 0;
}

static double quantile(double *values, size_t count, double probability)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[(size_t)((double)count * probability)];
}

/* Of each second by itself, and the median of these: a machine that others
 * have a share of stands still now and then, which a second or two show. */
static void tell(const char *name, double *latencies_s, size_t count,
		 double rate)
{
	double p99_s[SECONDS_MAX];
	size_t each = (size_t)rate, seconds = 0;

	for (size_t i = 0; i + each <= count && seconds < SECONDS_MAX;
	     i += each)
		p99_s[seconds++] = quantile(latencies_s + i, each, 0.99);
	printf("%s_p50_us_at_%.0f %.0f\n", name, rate,
	       1e6 * quantile(latencies_s, count, 0.5));
	printf("%s_p99_us_at_%.0f, of all at once: %.0f; of each second:", name,
	       rate, 1e6 * quantile(latencies_s, count, 0.99));
	for (size_t i = 0; i < seconds; i++)
		printf(" %.0f", 1e6 * p99_s[i]);
	printf("\nbar %s_p99_us_at_%.0f %.0f\n", name, rate,
	       1e6 * quantile(p99_s, seconds, 0.5));
}

/* Not counted: PostgreSQL plans its statements, and looks after tables that
 * have just been filled. */
#define WARM_S 10.0

static int ask(const char *path, double rate, double seconds, const char *name)
{
	if (rate < 1 || seconds < 1 || seconds > SECONDS_MAX)
		die("ask", "bad RATE or SECONDS");

	size_t first = (size_t)(rate * WARM_S);
	size_t total = first + (size_t)(rate * seconds);
	double *latencies_s = calloc(total + CONNECTIONS, sizeof(double));
	struct pollfd polled[CONNECTIONS];
	size_t sent = 0, done = 0;

	prctl(PR_SET_TIMERSLACK, 1);
	requests_make();
	for (int i = 0; i < CONNECTIONS; i++) {
		connection_open(&connections[i], path);
		polled[i] = (struct pollfd){ connections[i].fd, POLLIN, 0 };
	}
	if (!latencies_s)
		die("memory", "none");

	double began_s = clock_monotonic_s();

	while (done < total) {
		sent = send_due(sent, total, began_s, 1 / rate);

		double next_s = began_s + 10 * (WARM_S + seconds);

		/* Without a free connection only a reply can help. */
		if (sent < total && idle())
			next_s = began_s + (double)sent / rate;
		if (wait_for(polled, next_s))
			done = take_replies(polled, latencies_s, done);
		if (clock_monotonic_s() - began_s > 10 * (WARM_S + seconds))
			die(path, "does not keep up");
	}
	tell(name, latencies_s + first, total - first, rate);
	free(latencies_s);
	return 0;
}

/* Each question is there as a whole, or nearly always: then it is answered in
 * one piece.  Ends when it is killed. */
static int answer_nothing(const char *path)
{
	static const char reply[] =
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct pollfd polled[1 + CONNECTIONS];
	nfds_t count = 1;
	char request[65536];

	if (strlen(path) >= sizeof(name.sun_path))
		die(path, "too long");
	strcpy(name.sun_path, path);
	polled[0] =
		(struct pollfd){ socket(AF_UNIX, SOCK_STREAM, 0), POLLIN, 0 };
	if (polled[0].fd < 0 ||
	    bind(polled[0].fd, (struct sockaddr *)&name, sizeof(name)) ||
	    listen(polled[0].fd, CONNECTIONS))
		die(path, strerror(errno));
	while (poll(polled, count, -1) > 0) {
		for (nfds_t i = 1; i < count; i++) {
			if (!polled[i].revents)
				continue;
			if (recv(polled[i].fd, request, sizeof(request), 0) > 0)
				send(polled[i].fd, reply, sizeof(reply) - 1,
				     MSG_NOSIGNAL);
			else
				polled[i].fd = -1;
		}
		if (polled[0].revents && count <= CONNECTIONS)
			polled[count++] = (struct pollfd){
				accept(polled[0].fd, NULL, NULL), POLLIN, 0
			};
	}
	return 1;
}

int main(int argc, char *argv[])
{
	if (argc >= 2 && strcmp(argv[1], "memory") == 0)
		return in_memory(argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10)
					  : RUNS_DEFAULT);
	if (argc >= 3 && strcmp(argv[1], "ask") == 0)
		return ask(argv[2], argc > 3 ? strtod(argv[3], NULL) : 5000,
			   argc > 4 ? strtod(argv[4], NULL) : 10,
			   argc > 5 ? argv[5] : "http");
	if (argc == 3 && strcmp(argv[1], "nothing") == 0)
		return answer_nothing(argv[2]);
	fputs("usage: bench-engine memory [RUNS]\n"
	      "       bench-engine ask SOCKET [RATE [SECONDS [NAME]]]\n"
	      "       bench-engine nothing SOCKET\n",
	      stderr);
	return 2;
}
