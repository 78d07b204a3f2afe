/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_nodes.c - keeps what is known of Slurm's nodes and rules up to date
 *
 * Each round runs two commands, `scontrol show config` for the cluster's name and
 * rules, and `scontrol show node`.  Both have a deadline and a limit of their
 * output, and nothing of the engine is locked while they run.  The thread
 * sleeps on an eventfd, which ends it.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/daemon/slurm_nodes.h"
#include "predictor/slurm/node_record.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/slurm/slurm_config.h"

#define SCONTROL_TIMEOUT_S  60.0
#define SCONTROL_OUTPUT_MAX (128 << 20) /* 65,536 nodes of 2 kB */

/* After a failure: slurmctld may be about to start. */
#define RETRY_MIN_S 5.0

/* While nodes are closed, which may change soon. */
#define CLOSED_INTERVAL_S 60.0

#define PATH_SIZE 256

struct slurm_nodes {
	char scontrol[PATH_SIZE];
	double interval_s;
	struct engine *engine;
	int stop_fd; /* readable: the thread is to end */
	pthread_t thread;
	bool failed;    /* the last round */
	bool refreshed; /* at least once */
	bool closed;    /* nodes were, in the last round */
};

/* Wait for the descriptor, or the end of the thread.  True: it is to end. */
static bool wait_for(const struct slurm_nodes *n, int fd, double timeout_s)
{
	struct pollfd fds[] = { { .fd = n->stop_fd, .events = POLLIN },
				{ .fd = fd, .events = POLLIN } };

	poll(fds, 2, timeout_s > 0 ? (int)ceil(timeout_s * 1e3) : 0);
	return fds[0].revents != 0;
}

/* The command after its end; NULL: it failed, or the thread is to end. */
static struct slurm_command *scontrol_run(const struct slurm_nodes *n,
					  const char *const argv[],
					  struct sp_error *err)
{
	struct slurm_command *c = slurm_command_start(argv, SCONTROL_TIMEOUT_S,
						      SCONTROL_OUTPUT_MAX, err);
	enum slurm_command_state state = SLURM_COMMAND_FAILED;

	while (c &&
	       (state = slurm_command_poll(c, err)) == SLURM_COMMAND_RUNNING)
		if (wait_for(n, slurm_command_fd(c),
			     slurm_command_due_s(c) - clock_monotonic_s()))
			break;
	if (state == SLURM_COMMAND_DONE)
		return c;
	slurm_command_destroy(c);
	return NULL;
}

static int config_read(const struct slurm_nodes *n, struct slurm_config *ret,
		       struct sp_error *err)
{
	const char *const argv[] = { n->scontrol, "show", "config", NULL };
	struct slurm_command *c = scontrol_run(n, argv, err);

	if (!c)
		return -1;
	slurm_config_parse(slurm_command_output(c, NULL), ret);
	slurm_command_destroy(c);
	if (!ret->cluster[0])
		return sp_error_set(err, "scontrol printed no ClusterName");
	return 0;
}

/* Hidden partitions' nodes too (--all). */
static struct node_facts *facts_read(const struct slurm_nodes *n,
				     struct sp_error *err)
{
	const char *const argv[] = { n->scontrol, "--all", "--oneliner",
				     "show",      "node",  NULL };
	struct slurm_config config;
	struct slurm_command *c;
	struct node_facts *facts;

	if (config_read(n, &config, err))
		return NULL;
	c = scontrol_run(n, argv, err);
	if (!c)
		return NULL;
	facts = node_records_read(config.cluster, slurm_command_output(c, NULL),
				  err);
	if (facts) {
		facts->least_loaded = config.least_loaded;
		facts->jobs_public = config.jobs_public;
	}
	slurm_command_destroy(c);
	return facts;
}

static bool has_closed_kind(const struct node_facts *facts)
{
	for (uint32_t i = 0; i < facts->kind_count; i++)
		if (facts->kinds[i].closed)
			return true;
	return false;
}

/* Log the first failure, and the first success after it. */
static int refresh(struct slurm_nodes *n)
{
	struct sp_error err = { "" };
	struct node_facts *facts = facts_read(n, &err);

	if (!facts) {
		if (!n->failed && !wait_for(n, -1, 0))
			log_warning("nodes of Slurm: %s; their features, "
				    "generic resources, CPUs and memory are "
				    "not known",
				    err.text);
		n->failed = true;
		return -1;
	}
	if (n->failed || !n->refreshed)
		log_info("nodes of Slurm: %u of %u kinds in cluster %s",
			 facts->count, facts->kind_count, facts->cluster);
	n->failed = false;
	n->refreshed = true;
	n->closed = has_closed_kind(facts);
	engine_set_node_facts(n->engine, facts);
	return 0;
}

static void *work(void *argument)
{
	struct slurm_nodes *n = argument;
	double retry_s = RETRY_MIN_S;
	double pause_s;

	do {
		if (refresh(n) == 0) {
			retry_s = RETRY_MIN_S;
			pause_s = n->closed ? fmin(CLOSED_INTERVAL_S,
						   n->interval_s)
					    : n->interval_s;
		} else {
			pause_s = fmin(retry_s, n->interval_s);
			retry_s *= 2;
		}
	} while (!wait_for(n, -1, pause_s));
	return NULL;
}

struct slurm_nodes *slurm_nodes_create(const char *scontrol, int interval_s,
				       struct engine *engine,
				       struct sp_error *err)
{
	struct slurm_nodes *n = calloc(1, sizeof(*n));
	int rc;

	if (!n) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
	memccpy(n->scontrol, scontrol, '\0', PATH_SIZE - 1);
	n->interval_s = interval_s;
	n->engine = engine;
	n->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (n->stop_fd < 0) {
		sp_error_set(err, "eventfd: %s", strerror(errno));
		free(n);
		return NULL;
	}
	rc = pthread_create(&n->thread, NULL, work, n);
	if (rc) {
		sp_error_set(err, "thread: %s", strerror(rc));
		close(n->stop_fd);
		free(n);
		return NULL;
	}
	return n;
}

void slurm_nodes_destroy(struct slurm_nodes *nodes)
{
	static const uint64_t one = 1;

	if (!nodes)
		return;
	while (write(nodes->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(nodes->thread, NULL);
	close(nodes->stop_fd);
	free(nodes);
}
