/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clients.c - slurmctld, root and a collector, while predictd is attacked
 *
 * They send what the plugin and collectord send, through the same code.  One
 * prediction in KEEP_EVERY is of a real submission: predictd must keep it.  In
 * real time where that is allowed: it is predictd that is measured, and not how
 * the kernel shares CPUs between slurmctld and the attackers.
 */
#include <grp.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "predictor/wire/wire.h"
#include "tests/hostile/hostile.h"

#define KEEP_EVERY 20
#define NODES      100 /* that the collector reports */

const struct client_row client_rows[CLIENTS] = {
	{ "slurmctld", .is_slurmctld = true, .every_s = 0.005,
	  .deadline_ms = 20 },
	{ "root", .is_slurmctld = true, .is_root = true, .every_s = 0.005,
	  .deadline_ms = 20 },
	{ "connecting", .is_slurmctld = true, .connects = true, .every_s = 0.01,
	  .deadline_ms = 20 },
	{ "collector", .tcp = true, .is_root = true, .every_s = 0.1,
	  .deadline_ms = 5000 },
	{ "newcomer", .tcp = true, .is_root = true, .connects = true,
	  .every_s = 0.1, .deadline_ms = 5000 },
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "hostile: %s: %s\n", what, why);
	_exit(1);
}

static void prediction_write(uint32_t n, bool kept, struct wire_text *out)
{
	static const char script[] =
		"#!/bin/bash\nmodule load openmpi\ncd $SLURM_SUBMIT_DIR\n"
		"mpirun ./solver -n 1000\n";
	struct wire_request request;

	wire_request_init(&request);
	request.job.cluster = HOSTILE_CLUSTER;
	request.job.user_id = 1000 + n % 7;
	request.job.name = "solver";
	request.job.script = script;
	request.job.limit_s = 600;
	request.job.size.nodes_min = request.job.size.nodes_max = 2;
	request.brief = true;
	request.dry_run = !kept;
	wire_request_print(&request, out);
}

static void measurements_write(struct wire_text *out)
{
	static char text[NODES * 128];
	double now_s = clock_now_s();
	size_t used = (size_t)sprintf(text, "{\"cluster\":\"" HOSTILE_CLUSTER
					    "\",\"measurements\":[");

	for (int i = 0; i < NODES; i++)
		used += (size_t)sprintf(
			text + used,
			"%s{\"node\":\"n%d\",\"time_s\":%.3f,"
			"\"cpu_load\":%d,\"cpu_available\":%.2f}",
			i ? "," : "", i + 1, now_s, i % 3, 1.0 / (1 + i % 3));
	used += (size_t)sprintf(text + used, "]}");
	*out = (struct wire_text){ .bytes = text, .size = used };
}

static void record_keep(struct client_record *record, const char *reply)
{
	const char *id = strstr(reply, "\"id\":");
	unsigned count = atomic_load(&record->kept_count);

	if (!id || count >= CLIENT_KEPT_MAX)
		return;
	id += strspn(id + 5, " \"") + 5;
	record->kept[count] = strtoull(id, NULL, 16);
	atomic_store(&record->kept_count, count + 1);
}

static void client_once(struct client *client, const struct client_row *row,
			struct client_record *record, uint32_t n)
{
	unsigned place = atomic_load(&record->count);
	bool kept = !row->tcp && n % KEEP_EVERY == 0;
	struct client_sample sample = { .at_s = clock_monotonic_s() };
	struct wire_text text = { 0 };
	struct client_reply reply = { 0 };
	struct sp_error err;

	if (row->tcp)
		measurements_write(&text);
	else
		prediction_write(n, kept, &text);

	int rc = client_request(
		client, row->tcp ? "/v1/measurements" : "/v1/predictions",
		text.bytes, text.size, row->deadline_ms, &reply, &err);

	sample.latency_s = (float)(clock_monotonic_s() - sample.at_s);
	sample.answered = !rc && reply.status == 200;
	if (sample.answered && kept)
		record_keep(record, reply.body);
	if (!row->tcp)
		wire_text_clear(&text);
	if (place < CLIENT_SAMPLES_MAX) {
		record->samples[place] = sample;
		atomic_store(&record->count, place + 1);
	}
}

static void client_run(const struct client_row *row,
		       const struct hostile_site *site,
		       struct client_record *record)
{
	struct sched_param priority = { .sched_priority = 1 };
	char url[CLIENT_URL_SIZE];
	struct sp_error err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)sched_setscheduler(0, SCHED_RR, &priority);
	if (!row->is_root && (setgroups(0, NULL) || setgid(site->slurm_uid) ||
			      setuid(site->slurm_uid)))
		die(row->name, "setuid failed");
	if (row->tcp)
		snprintf(url, sizeof(url), "http://127.0.0.1:%d", site->port);
	else
		snprintf(url, sizeof(url), "unix:%s", site->socket_path);

	const char *munge = row->tcp ? site->munge_socket : NULL;
	struct client *client = NULL;
	double next_s = clock_monotonic_s();

	for (uint32_t n = 0;; n++) {
		if (!client && !(client = client_create(url, munge, &err)))
			die(row->name, err.text);
		client_once(client, row, record, n);
		if (row->connects) {
			client_destroy(client);
			client = NULL;
		}
		next_s = fmax(next_s + row->every_s, clock_monotonic_s());
		usleep((useconds_t)(1e6 *
				    fmax(next_s - clock_monotonic_s(), 0)));
	}
}

pid_t client_start(const struct client_row *row,
		   const struct hostile_site *site,
		   struct client_record *record)
{
	pid_t pid = fork();

	if (pid == 0)
		client_run(row, site, record);
	return pid;
}
