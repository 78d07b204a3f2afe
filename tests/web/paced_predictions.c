/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paced_predictions.c - predictions at a steady rate, and how long they take
 *
 * Threads ask as the submission plugin does, over a connection each, at times
 * that are fixed beforehand.  A latency counts from that time: if predictd
 * stops for a while, all requests that fall into it are late.  One prediction
 * in KEEP_EVERY is of a real submission, which predictd stores.  In real time
 * where that is allowed, since it is predictd that is measured.
 *
 * usage: paced-predictions SOCKET CLUSTER PER-S SECONDS
 * prints: the number of replies, that of failures, p50 and p99 in us
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "predictor/wire/wire.h"

#define THREADS     4
#define KEEP_EVERY  20
#define SAMPLES_MAX 500000
#define DEADLINE_MS 1000
#define LEAD_S      0.2 /* until all threads have connected */

struct pace {
	char url[CLIENT_URL_SIZE];
	const char *cluster;
	double began_s, every_s; /* of one thread */
	size_t count;
};

struct asker {
	const struct pace *pace;
	pthread_t thread;
	size_t place, failed;
	double *latencies_s;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "paced-predictions: %s: %s\n", what, why);
	exit(1);
}

static void request_print(const char *cluster, size_t n, struct wire_text *out)
{
	static const char script[] =
		"#!/bin/bash\nmodule load openmpi\ncd $SLURM_SUBMIT_DIR\n"
		"mpirun ./solver -n 1000\n";
	struct wire_request request;

	wire_request_init(&request);
	request.job.cluster = cluster;
	request.job.user_id = 1000 + (uint32_t)(n % 7);
	request.job.name = "solver";
	request.job.script = script;
	request.job.limit_s = 600;
	request.job.size.nodes_min = request.job.size.nodes_max = 2;
	request.brief = true;
	request.dry_run = n % KEEP_EVERY != 0;
	wire_request_print(&request, out);
}

static void sleep_until(double at_s)
{
	double left_s = at_s - clock_monotonic_s();

	if (left_s > 0)
		usleep((useconds_t)(1e6 * left_s));
}

static void *ask(void *context)
{
	struct asker *a = context;
	const struct pace *p = a->pace;
	struct client_reply reply;
	struct sp_error err;
	struct client *client = client_create(p->url, NULL, &err);

	if (!client)
		die(p->url, err.text);
	prctl(PR_SET_TIMERSLACK, 1);
	for (size_t i = 0; i < p->count; i++) {
		double due_s =
			p->began_s +
			p->every_s * ((double)i + (double)a->place / THREADS);
		struct wire_text text = { 0 };

		request_print(p->cluster, i, &text);
		sleep_until(due_s);
		a->failed +=
			client_request(client, "/v1/predictions", text.bytes,
				       text.size, DEADLINE_MS, &reply, &err) ||
			reply.status != 200;
		a->latencies_s[i] = clock_monotonic_s() - due_s;
		wire_text_clear(&text);
	}
	client_destroy(client);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char *argv[])
{
	static double latencies_s[SAMPLES_MAX];
	struct sched_param priority = { .sched_priority = 1 };
	struct asker askers[THREADS];
	struct pace pace;
	size_t failed = 0;

	if (argc != 5) {
		fputs("usage: paced-predictions SOCKET CLUSTER PER-S SECONDS\n",
		      stderr);
		return 2;
	}

	double per_s = strtod(argv[3], NULL), seconds = strtod(argv[4], NULL);

	if (!(per_s > 0 && seconds > 0 && per_s * seconds < SAMPLES_MAX))
		die(argv[3], "not a rate that can be measured");
	snprintf(pace.url, sizeof(pace.url), "unix:%s", argv[1]);
	pace.cluster = argv[2];
	pace.every_s = THREADS / per_s;
	pace.count = (size_t)(seconds / pace.every_s);
	pace.began_s = clock_monotonic_s() + LEAD_S;
	(void)sched_setscheduler(0, SCHED_RR, &priority);
	for (size_t i = 0; i < THREADS; i++) {
		askers[i] = (struct asker){
			.pace = &pace,
			.place = i,
			.latencies_s = latencies_s + i * pace.count,
		};
		if (pthread_create(&askers[i].thread, NULL, ask, &askers[i]))
			die("thread", "not created");
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(askers[i].thread, NULL);
		failed += askers[i].failed;
	}

	size_t count = THREADS * pace.count;

	qsort(latencies_s, count, sizeof(*latencies_s), compare);
	printf("%zu %zu %.0f %.0f\n", count - failed, failed,
	       1e6 * latencies_s[count / 2],
	       1e6 * latencies_s[count * 99 / 100]);
	return 0;
}
