/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_http.c - predictions over the Unix socket, beside an empty handler
 *
 * A child serves as predictd does, with the real engine, some history, and the
 * real store; one route more reads the same body and answers a constant of the
 * same size.  The parent asks over kept-alive connections, in rounds that take
 * turns so that whatever else the machine does hits all equally; medians over
 * the rounds are printed.
 *
 * usage: bench-http SOCKET CONNINFO
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/daemon/engine_feed.h"
#include "predictor/engine/engine.h"
#include "predictor/features/script/identify.h"
#include "predictor/http/http.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/store/postgres.h"
#include "predictor/wire/wire.h"

#define ROUNDS      7
#define ROUND_S     1.0
#define CONNECTIONS 4      /* where throughput is measured */
#define RUNS        10000  /* in the history */
#define NODES       100    /* measured */
#define SAMPLES_MAX 200000 /* latencies of a round */
#define REPLY_MAX   65536

#define SCRIPT                                                      \
	"#!/bin/bash\n#SBATCH -N 4\n#SBATCH -t 60\nmodule load x\n" \
	"cd $SLURM_SUBMIT_DIR\nsrun ./solver -n %d --steps=%d\n"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench-http: %s: %s\n", what, why);
	exit(1);
}

/* --- The server ----------------------------------------------------------- */

static int answer_empty(struct request *request)
{
	/* As long as the reply to the request below. */
	static const char constant[] =
		"{\"errors\":[],\"warnings\":[],\"x\":\"";
	const size_t size = 1100;

	request->text = malloc(size);
	if (!request->text)
		return request_out_of_memory(request);
	memset(request->text, 'x', size);
	memcpy(request->text, constant, sizeof(constant) - 1);
	memcpy(request->text + size - 2, "\"}", 2);
	request->text_size = size;
	request->text_type = "application/json";
	return 200;
}

static const struct route bench_routes[] = {
	{ "POST", "/v1/predictions", ROLE_USER, predictions_make, "" },
	{ "POST", "/empty", ROLE_USER, answer_empty, "" },
	{ "GET", "/metrics", ROLE_ANYBODY, metrics_show, "" },
	{ 0 },
};

static void submission_make(struct submission *job, char script[512], int n,
			    int steps)
{
	submission_init(job);
	snprintf(script, 512, SCRIPT, n, steps);
	job->cluster = "bench";
	job->user_id = geteuid();
	job->name = "solver";
	job->partition = "main";
	job->script = script;
	job->size.nodes_min = job->size.nodes_max = 4;
	job->size.tasks = 16;
	job->limit_s = 3600;
}

/* Runs of 50 sizes under changing load. */
static void fill(struct engine *engine)
{
	double now_s = clock_now_s();
	struct sp_error err;

	for (int i = 0; i < NODES; i++) {
		struct measurement m = { .time_s = now_s,
					 .cpu_load = i % 3,
					 .cpu_available = 1.0 / (1 + i % 3),
					 .memory_available_mb = 8000 };

		snprintf(m.node, sizeof(m.node), "n%d", i + 1);
		if (engine_measure(engine, "bench", &m, &err))
			die("measurement", err.text);
	}
	for (int i = 0; i < RUNS; i++) {
		char script[512];
		struct submission job;
		struct run run = { .id = i + 1,
				   .job_id = (uint32_t)i + 1,
				   .user_id = geteuid(),
				   .nodes = 4,
				   .tasks = 16,
				   .limit_s = 3600,
				   .state = RUN_COMPLETED };
		int n = 1000 * (1 + i % 50);

		submission_make(&job, script, n, 100);
		application_identify(&job, &run.application);
		conditions_init(&run.before);
		run.before.nodes_known = 4;
		run.before.cpu_load = run.before.cpu_load_max = i % 3;
		strcpy(run.cluster, "bench");
		strcpy(run.job_name, "solver");
		strcpy(run.node_list, "n[1-4]");
		run.started_at_s = now_s - 1e6 + 60 * i;
		run.ended_at_s = run.started_at_s +
				 1e-3 * n * (1 + i % 3) * (1 + 0.01 * (i % 7));
		if (engine_learn(engine, &run, &err))
			die("run", err.text);
	}
}

static void serve(struct listener *listener, const char *conninfo, int ready_fd)
{
	static struct engine_feed feed;
	struct sp_error err;
	sigset_t end;
	int number;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);

	struct engine *engine = engine_create();

	if (!engine)
		die("engine", "out of memory");
	fill(engine);
	engine_feed_init(&feed, engine);

	struct postgres_config database = { .conninfo = conninfo,
					    .measurements_keep_days = 7 };
	struct store_sink sink = engine_feed_sink(&feed);
	struct postgres *store = postgres_create(&database, &sink, &err);

	if (!store)
		die("store", err.text);
	for (int i = 0; i < 1000 && !feed.ready; i++)
		usleep(10000);

	struct http_config config = { .engine = engine,
				      .store_ops = &postgres_ops,
				      .store = store,
				      .answers = &feed.answers,
				      .ready = &feed.ready,
				      .routes = bench_routes };
	struct http *http = http_create(&config, listener, 1, &err);

	if (!http)
		die("server", err.text);
	if (write(ready_fd, "", 1) != 1)
		die("pipe", strerror(errno));
	sigwait(&end, &number);
	http_destroy(http);
	postgres_destroy(store, 1);
	engine_destroy(engine);
	exit(0);
}

/* --- The client ----------------------------------------------------------- */

struct connection {
	int fd;
	double sent_s;
	size_t size; /* of the reply, as far as it came */
	char reply[REPLY_MAX];
};

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

static void ask(struct connection *c, const char *request, size_t size)
{
	c->size = 0;
	c->sent_s = clock_monotonic_s();
	if (send(c->fd, request, size, MSG_NOSIGNAL) != (ssize_t)size)
		die("send", strerror(errno));
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

/* The bytes of a request to `path`; n varies as users do. */
static size_t request_make(const char *path, int n, char ret[4096])
{
	static char body[3000];
	char script[512];
	struct wire_request request = { .mode = MODE_ADVISE, .quantile = 0.9 };

	submission_make(&request.job, script, 1000 * (1 + n % 50), 100);

	struct json_object *message = wire_request_encode(&request);

	snprintf(body, sizeof(body), "%s", json_object_to_json_string(message));
	json_object_put(message);
	return (size_t)snprintf(ret, 4096,
				"POST %s HTTP/1.1\r\nHost: localhost\r\n"
				"Content-Type: application/json\r\n"
				"Content-Length: %zu\r\n\r\n%s",
				path, strlen(body), body);
}

/* Until the store has written what it was given, so that a round does not pay
 * for the one before. */
static void wait_for_store(struct connection *c)
{
	static const char request[] =
		"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
	static const char waiting[] = "\nslurm_predict_store_waiting{";
	struct pollfd polled = { c->fd, POLLIN, 0 };

	for (int i = 0; i < 1000; i++) {
		ask(c, request, sizeof(request) - 1);
		do
			poll(&polled, 1, 5000);
		while (!take(c));

		const char *at = strstr(c->reply, waiting);

		at = at ? strstr(at, "} ") : NULL;
		if (at && strtod(at + 2, NULL) == 0)
			return;
		usleep(20000);
	}
	die("store", "does not keep up");
}

struct round {
	double per_s, p50_us, p99_us;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct connection connections[CONNECTIONS];
static char requests[50][4096];
static size_t request_sizes[50];

/* Ask over the first `count` connections, each again as soon as answered. */
static struct round run_round(const char *path, int count)
{
	static double latencies_s[SAMPLES_MAX];
	struct pollfd polled[CONNECTIONS];
	double began_s;
	size_t samples = 0;
	int next = 0;

	for (int i = 0; i < 50; i++)
		request_sizes[i] = request_make(path, i, requests[i]);
	wait_for_store(&connections[0]);
	began_s = clock_monotonic_s();
	for (int i = 0; i < count; i++, next++) {
		polled[i] = (struct pollfd){ connections[i].fd, POLLIN, 0 };
		ask(&connections[i], requests[next % 50],
		    request_sizes[next % 50]);
	}

	int open = count;

	while (open > 0 && poll(polled, (nfds_t)count, 5000) > 0)
		for (int i = 0; i < count; i++) {
			if (!polled[i].revents || !take(&connections[i]))
				continue;

			double now_s = clock_monotonic_s();

			if (samples < SAMPLES_MAX)
				latencies_s[samples++] =
					now_s - connections[i].sent_s;
			if (now_s - began_s > ROUND_S) {
				open--;
				polled[i].fd = -1;
				continue;
			}
			ask(&connections[i], requests[next % 50],
			    request_sizes[next % 50]);
			next++;
		}
	if (open > 0)
		die(path, "no reply");

	double took_s = clock_monotonic_s() - began_s;

	qsort(latencies_s, samples, sizeof(latencies_s[0]), compare);
	return (struct round){
		.per_s = (double)samples / took_s,
		.p50_us = 1e6 * latencies_s[samples / 2],
		.p99_us = 1e6 * latencies_s[samples * 99 / 100],
	};
}

/* The median over the rounds of the member at `offset`. */
static double median(const struct round rounds[ROUNDS], size_t offset)
{
	double values[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		memcpy(&values[i], (const char *)&rounds[i] + offset,
		       sizeof(double));
	qsort(values, ROUNDS, sizeof(values[0]), compare);
	return values[ROUNDS / 2];
}

static void measure(const char *path)
{
	struct round full[ROUNDS], empty[ROUNDS], single[ROUNDS];
	double ratios[ROUNDS];

	for (int i = 0; i < CONNECTIONS; i++)
		connection_open(&connections[i], path);
	run_round("/v1/predictions", CONNECTIONS); /* warm up */
	for (int i = 0; i < ROUNDS; i++) {
		empty[i] = run_round("/empty", CONNECTIONS);
		full[i] = run_round("/v1/predictions", CONNECTIONS);
		single[i] = run_round("/v1/predictions", 1);
		ratios[i] = full[i].per_s / empty[i].per_s;
		printf("round %d: empty %.0f/s, predictions %.0f/s; one "
		       "connection %.0f/s, p50 %.0f us, p99 %.0f us\n",
		       i + 1, empty[i].per_s, full[i].per_s, single[i].per_s,
		       single[i].p50_us, single[i].p99_us);
	}
	qsort(ratios, ROUNDS, sizeof(ratios[0]), compare);
	printf("ok bench_http\n");
	printf("bar http_predictions_per_s %.0f\n",
	       median(full, offsetof(struct round, per_s)));
	printf("bar http_p50_us %.0f\n",
	       median(single, offsetof(struct round, p50_us)));
	printf("bar http_p99_us %.0f\n",
	       median(single, offsetof(struct round, p99_us)));
	printf("bar http_vs_empty_handler %.3f\n", ratios[ROUNDS / 2]);
}

int main(int argc, char *argv[])
{
	char address[LISTEN_ADDRESS_SIZE], byte;
	struct listener listener;
	struct sp_error err;
	int ready[2], status = 1;

	if (argc != 3) {
		fputs("usage: bench-http SOCKET CONNINFO\n", stderr);
		return 2;
	}
	snprintf(address, sizeof(address), "unix:%s", argv[1]);
	if (listener_open(address, 0600, &listener, &err))
		die("listen", err.text);
	if (pipe(ready))
		die("pipe", strerror(errno));

	pid_t server = fork();

	if (server == 0)
		serve(&listener, argv[2], ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("server", "does not start");
	measure(argv[1]);
	kill(server, SIGTERM);
	waitpid(server, &status, 0);
	return status ? 1 : 0;
}
