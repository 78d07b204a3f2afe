/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_nodes.c - keeps what is known of Slurm's nodes and rules up to date
 *
 * Each round runs two commands, `scontrol show config` for the cluster's name
 * and rules, and `scontrol show node`.  Both have a deadline and a limit of
 * their output, and nothing of the engine is locked while they run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/daemon/slurm_nodes.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/slurm/node_record.h"
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
	struct slurm_thread *thread;
	double retry_s; /* after the next failure */
	bool failed;    /* the last round */
	bool refreshed; /* at least once */
	bool closed;    /* nodes were, in the last round */
};

static struct slurm_command *scontrol_run(const char *const argv[],
					  struct sp_error *err)
{
	return slurm_thread_run(argv, SCONTROL_TIMEOUT_S, SCONTROL_OUTPUT_MAX,
				err);
}

static int config_read(const struct slurm_nodes *n, struct slurm_config *ret,
		       struct sp_error *err)
{
	const char *const argv[] = { n->scontrol, "show", "config", NULL };
	struct slurm_command *c = scontrol_run(argv, err);

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
	c = scontrol_run(argv, err);
	if (!c)
		return NULL;
	facts = node_records_read(config.cluster, slurm_command_output(c, NULL),
				  err);
	if (facts) {
		facts->least_loaded = config.least_loaded;
		facts->jobs_public = config.jobs_public;
		facts->nodes_hidden = config.nodes_hidden;
		facts->reservations = config.reservations;
		facts->memory_unadvised = config.memory_unadvised;
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
		if (!n->failed && !slurm_thread_ends())
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

static double round_make(void *context)
{
	struct slurm_nodes *n = context;
	double pause_s = n->interval_s;

	if (refresh(n) == 0) {
		n->retry_s = RETRY_MIN_S;
		return n->closed ? fmin(CLOSED_INTERVAL_S, pause_s) : pause_s;
	}
	pause_s = fmin(n->retry_s, pause_s);
	n->retry_s *= 2;
	return pause_s;
}

struct slurm_nodes *slurm_nodes_create(const char *scontrol, int interval_s,
				       struct engine *engine,
				       struct sp_error *err)
{
	struct slurm_nodes *n = calloc(1, sizeof(*n));

	if (!n)
		return sp_error_null(err, "out of memory");
	memccpy(n->scontrol, scontrol, '\0', PATH_SIZE - 1);
	n->interval_s = interval_s;
	n->retry_s = RETRY_MIN_S;
	n->engine = engine;
	n->thread = slurm_thread_create(round_make, n, err);
	if (!n->thread) {
		free(n);
		return NULL;
	}
	return n;
}

void slurm_nodes_destroy(struct slurm_nodes *nodes)
{
	if (!nodes)
		return;
	slurm_thread_destroy(nodes->thread);
	free(nodes);
}
