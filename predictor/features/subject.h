/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subject.h - a job as models see it, and what became of it
 *
 * Made from a submission, from a stored run, or from a line of a job log; all
 * three must give the same subject for the same job.  Texts and the
 * application are lent, and never NULL; an empty text is "not given".
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/measurement.h"
#include "predictor/features/profile.h"

/* The nodes of a job one by one, and the links between them: what struct
 * conditions has as means and worst values.  NAN: not known. */
struct job_nodes {
	int count; /* 1 to PROFILE_NODES_MAX, in the order of the node list */
	double cpu_available[PROFILE_NODES_MAX]; /* forecast, 0 to 1 */

	/* As in struct measurement, the worst of the nodes. */
	double cpu_turn_s, cpu_credit_s;

	/* The link between two of them; `ret_latency_s`: one way. */
	void (*link_of)(const void *context, int from, int to,
			double *ret_bandwidth_bps, double *ret_latency_s);
	const void *context;
};

struct subject {
	const char *cluster;
	const char *account; /* or the group, where there are no accounts */
	const char *partition, *qos;
	const char *features; /* of nodes: Slurm's --constraint */
	const char *gres;     /* over all nodes, as gres_list_print() has it */
	const char *traits;   /* of the application (traits.h); those in
				 `application` are not read */
	uint32_t user_id;
	const struct application *application;
	uint32_t nodes, tasks, cpus;
	double memory_mb; /* requested over all nodes; 0: not given */
	double limit_s;   /* NAN: none given, HUGE_VAL: unlimited */
	double submitted_at_s;

	/* The nodes that it runs on, or is assumed to; NULL: its conditions
	 * are all that is known of them. */
	const struct job_nodes *job_nodes;
};

/* The job of a prediction or of a run, submitted at that time.  Lends its
 * texts. */
#define SUBJECT_OF(x, at_s)                        \
	((struct subject){                         \
		.cluster = (x)->cluster,           \
		.account = (x)->account,           \
		.partition = (x)->partition,       \
		.qos = (x)->qos,                   \
		.features = (x)->features,         \
		.gres = (x)->gres,                 \
		.traits = (x)->application.traits, \
		.user_id = (x)->user_id,           \
		.application = &(x)->application,  \
		.nodes = (x)->nodes,               \
		.tasks = (x)->tasks,               \
		.cpus = (x)->cpus,                 \
		.memory_mb = (x)->memory_mb,       \
		.limit_s = (x)->limit_s,           \
		.submitted_at_s = (at_s),          \
	})

/* How a run ended, as far as it matters for its run time. */
enum outcome_end {
	OUTCOME_COMPLETED,
	OUTCOME_FAILED,    /* by itself: an exit code, a signal, memory */
	OUTCOME_CANCELLED, /* by the user */
	OUTCOME_TIMEOUT,   /* by its limit: it would have run longer */
	OUTCOME_OTHER,     /* the system's fault, or not known */
	OUTCOME_ENDS
};

struct outcome {
	uint32_t job_id;
	enum outcome_end end;
	double started_at_s;
	double ended_at_s; /* >= started_at_s */
};

/* A job that has ended, as a history or a log has it. */
struct past_job {
	struct subject subject;
	struct outcome outcome;
	struct conditions before; /* on its nodes, before the start */
};
