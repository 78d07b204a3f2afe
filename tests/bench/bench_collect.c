/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_collect.c - what measurements of a large cluster cost predictd
 *
 * Posts the measurements of many nodes as their collectors would, a message for
 * each node with the samples of one report, and reads from /proc what predictd
 * used: CPU time, of all its threads together, and resident memory.  Each
 * measurement reports all five resources of a node; their values wander as
 * those of real nodes do.
 *
 * usage: bench-collect URL PID NODES REPORTS
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"

/* SampleInterval and ReportInterval of collectord by default. */
#define SAMPLE_S 5
#define SAMPLES  3
#define BODY     4096

#define DEADLINE_MS 30000
#define DRAIN_S     300

struct state {
	float load, available, memory_mb;
};

static uint64_t random_state = 88172645463325252;

static double random_unit(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)(random_state >> 11) / 9007199254740992.0;
}

static double wander(double value, double step, double high)
{
	return fmin(high, fmax(0, value + step * (random_unit() - 0.5)));
}

static size_t write_body(char body[BODY], size_t node, struct state *s,
			 double time_s)
{
	size_t used = (size_t)snprintf(
		body, BODY, "{\"cluster\":\"bench\",\"measurements\":[");

	for (int i = 0; i < SAMPLES; i++) {
		s->load = (float)wander((double)s->load, 0.4, 8);
		s->available = (float)wander((double)s->available, 0.1, 1);
		s->memory_mb = (float)wander((double)s->memory_mb, 500, 65536);
		used += (size_t)snprintf(
			body + used, BODY - used,
			"%s{\"node\":\"n%zu\",\"time_s\":%.6f,\"cpu_load\":%g,"
			"\"cpu_available\":%g,\"cpu_available_now\":%g,"
			"\"cpu_correction\":1,\"cpu_speed\":1.5,"
			"\"memory_available_mb\":%g}",
			i ? "," : "", node,
			time_s + i * SAMPLE_S + 0.001 * (double)(node % 1000),
			(double)s->load, (double)s->available,
			(double)s->available, (double)s->memory_mb);
	}
	return used + (size_t)snprintf(body + used, BODY - used, "]}");
}

/* --- What predictd uses --------------------------------------------------- */

static double cpu_s(int pid)
{
	char path[64];
	unsigned long user = 0, system = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);

	FILE *file = fopen(path, "re");

	/* utime and stime are the 14th and 15th; the name has no blanks. */
	if (!file || fscanf(file,
			    "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u "
			    "%*u %lu %lu",
			    &user, &system) != 2) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	fclose(file);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double rss_mb(int pid)
{
	char path[64], line[256];
	unsigned long kb = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);

	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmRSS: %lu", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return (double)kb / 1024;
}

/* --- The run -------------------------------------------------------------- */

static void post(struct client *client, const char *body, size_t size)
{
	struct client_reply reply;
	struct sp_error err;

	if (client_request(client, "/v1/measurements", body, size, DEADLINE_MS,
			   &reply, &err)) {
		fprintf(stderr, "bench-collect: %s\n", err.text);
		exit(1);
	}
	if (reply.status != 200) {
		fprintf(stderr, "bench-collect: %d: %s\n", reply.status,
			reply.body);
		exit(1);
	}
}

static const char *ask(struct client *client, const char *path)
{
	struct client_reply reply;
	struct sp_error err;

	if (client_request(client, path, NULL, 0, DEADLINE_MS, &reply, &err) ==
		    0 &&
	    reply.status == 200)
		return reply.body;
	fprintf(stderr, "bench-collect: GET %s failed\n", path);
	exit(1);
}

static double metric(struct client *client, const char *name)
{
	const char *at = strstr(ask(client, "/metrics"), name);

	at = at ? strstr(at, "} ") : NULL;
	return at ? strtod(at + 2, NULL) : NAN;
}

/* Wait until all of it is in PostgreSQL.  The question itself costs predictd a
 * hundredth of a second, so it is not asked often. */
static void drain(struct client *client)
{
	double until_s = clock_monotonic_s() + DRAIN_S;

	while (metric(client, "\nslurm_predict_store_waiting{") > 0) {
		if (clock_monotonic_s() > until_s) {
			fprintf(stderr, "bench-collect: not stored in %d s\n",
				DRAIN_S);
			exit(1);
		}
		usleep(1000000);
	}
}

/* All nodes report, `reports` times.  Gives the seconds of CPU that predictd
 * took for it, storing included. */
static double report_all(struct client *client, int pid, struct state *states,
			 size_t nodes, int reports, double *time_s)
{
	char body[BODY];
	double before_s = cpu_s(pid);

	for (int i = 0; i < reports; i++, *time_s += SAMPLES * SAMPLE_S)
		for (size_t node = 0; node < nodes; node++) {
			size_t size =
				write_body(body, node, &states[node], *time_s);

			post(client, body, size);
		}
	drain(client);
	return cpu_s(pid) - before_s;
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: bench-collect URL PID NODES REPORTS\n");
		return 2;
	}

	int pid = atoi(argv[2]);
	size_t nodes = strtoul(argv[3], NULL, 10);
	int reports = atoi(argv[4]);
	double time_s = clock_now_s() - 3600;
	double rss_before_mb = rss_mb(pid);
	struct state *states = calloc(nodes, sizeof(*states));
	struct sp_error err;
	struct client *client = client_create(argv[1], NULL, &err);

	if (!states || !client) {
		fprintf(stderr, "bench-collect: %s\n",
			client ? "out of memory" : err.text);
		return 1;
	}
	for (size_t i = 0; i < nodes; i++)
		states[i] = (struct state){ 0.5F, 0.9F, 32768 };

	/* Batteries that have seen a few values are as dear as they get. */
	report_all(client, pid, states, nodes, 2, &time_s);

	double began_s = clock_monotonic_s();
	double used_s =
		report_all(client, pid, states, nodes, reports, &time_s);
	double measurements = (double)nodes * reports * SAMPLES;

	printf("%zu nodes, %.0f measurements of 5 resources, 3 to a message: "
	       "%.1f s, %.1f s of predictd's CPU; %.0f given up\n",
	       nodes, measurements, clock_monotonic_s() - began_s, used_s,
	       metric(client, "\nslurm_predict_store_dropped_total{"));
	printf("bar measurements_per_s %.0f\n", measurements / used_s);
	printf("bar predictd_series_mb %.0f\n", rss_mb(pid) - rss_before_mb);
	client_destroy(client);
	free(states);
	return 0;
}
