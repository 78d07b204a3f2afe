/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.h - how an application uses the CPUs and links that it gets
 *
 * What the paper [2] calls its measured execution characteristics: CPU busy
 * and idle phases of each task, and the messages between every two nodes,
 * measured from outside on a normal run.  A profile belongs to an application
 * of one size with certain parameters, and is a mean over the runs that were
 * watched; all times are of such a run, in the setting it then had.
 *
 * A task is *busy* while it computes or handles messages, *idle* while it
 * sleeps or spins only to wait for a message.  NAN: not measured.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, sections 2 and 3, figure 3.
 */
#pragma once

#include <limits.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/features/application.h"
#include "predictor/features/run.h"

#define PROFILE_NODES_MAX 64  /* of larger runs there is no profile */
#define PROFILE_PAIRS_MAX 512 /* those that exchange most bytes */

/* A first part of a long message is sent, and the rest when the receiver has
 * said that it takes it. */
#define PROFILE_LONG_BYTES 65536

/* The tasks on one node; means over tasks. */
struct profile_node {
	uint32_t tasks;
	double busy_s;       /* CPU time that a task was busy */
	double ready_s;      /* it would have been busy, but had no CPU */
	double idle_s;       /* the rest of the run time */
	double spinning_s;   /* CPU time spent on waiting, within idle_s */
	double busy_phase_s; /* mean length of a busy phase, with what was
				ready_s in it */
	double idle_phase_s; /* mean length of an idle phase */

	/* The setting in which it was measured. */
	double cpu_available; /* 0 to 1, what a process could get there */
	double cpu_speed;     /* relative to the site's reference; 1: equal */
	double cpu_left; /* 0 to 1: of the CPU that its tasks could have had
			    during the run, what processes outside of the job
			    left them; 1: nothing was shared */
};

/* Return the share of a CPU that a task got, as conditions have it: that which
 * could be had before the run, a quota's too, or that which others left, if it
 * is less; 1: neither is known. */
double profile_node_share(const struct profile_node *node);

/* Messages that node `from` sent to node `to`; numbers of nodes in the order
 * of the run's node list. */
struct profile_pair {
	uint16_t from, to;
	double messages, bytes;
	double replies; /* of the messages, those that it sent because one of
			   `to` had come, not because its own work was done */
	double long_messages; /* of the messages, those of PROFILE_LONG_BYTES
				 and more */

	/* The setting in which it was measured. */
	double bandwidth_bps; /* of a new stream, bytes are not bits */
	double latency_s;     /* one way */
};

/* Whether a program is a farm: one process hands out tasks, others work on
 * them.  In a static farm the share of each worker is fixed, in a dynamic one
 * a worker that is done gets more.  In one of processes each task is a process
 * of its own. */
enum profile_farm_kind {
	PROFILE_NO_FARM,
	PROFILE_FARM_STATIC,
	PROFILE_FARM_DYNAMIC,
	PROFILE_FARM_PROCESSES,
	PROFILE_FARM_UNCLEAR, /* static or dynamic: packets cannot tell */
	PROFILE_FARM_KINDS
};

extern const struct enum_words profile_farm_words; /* "dynamic" */

/* What one does in a run, in the symbols of predictor/farm/farm.h; times are
 * those of a CPU of speed 1. */
struct profile_farm {
	enum profile_farm_kind kind;
	uint32_t workers;
	double tasks;      /* M */
	double tasks_seen; /* of these; the others were too short, and are
			      estimated */
	double mu_s;
	double sigma_s; /* NAN: not known */
	double bytes;   /* V */
	double alpha;
	double master_s;       /* lm */
	double message_s;      /* mo */
	double long_message_s; /* mo of a long one */
	double byte_s;         /* k */
	uint16_t hub;          /* node of the master */
	uint16_t workers_on[PROFILE_NODES_MAX];
};

/* Return whether a run on other nodes has the sum of their workers' speeds: in
 * a dynamic farm, and in one of processes that were on several nodes. */
bool profile_farm_sums(const struct profile_farm *farm);

struct profile {
	char cluster[RUN_NAME_SIZE];
	struct application application;
	uint32_t nodes, tasks;

	uint32_t runs;        /* that it is a mean of */
	double runtime_s;     /* mean of these */
	double measured_at_s; /* the newest of them ended */

	int node_count; /* `nodes`, or 0: phases were not measured */
	struct profile_node node[PROFILE_NODES_MAX];
	int pair_count; /* those without a message are left out; -1: not
			   measured */
	struct profile_pair pair[PROFILE_PAIRS_MAX];

	struct profile_farm farm;
};

/* --- Where profiles come from ------------------------------------------- */

enum profile_source {
	PROFILE_PACKETS, /* messages as packets show them */
	PROFILE_MPI,     /* as the MPI library counts them */
	PROFILE_SOURCES
};

extern const struct enum_words profile_source_words; /* "packets" */

/* Messages to another node of the run. */
struct profile_peer {
	char node[HOSTLIST_NAME_SIZE];
	double messages, bytes;
	double replies;       /* of these; NAN: not known, as from packets */
	double long_messages; /* of these; NAN: not known */
	double bandwidth_bps, latency_s; /* filled in by predictd */
};

#define PROFILE_PEERS_MAX (PROFILE_NODES_MAX - 1)

/* A process on the node, as the MPI library counts; or several that send most
 * messages to the same one, all added up.  With PROFILE_PEER_NONE: processes
 * that began and ended one after the other, each a task, in the MPI library's
 * place: `ranks` at a time, `messages` of them seen, all numbers of tasks
 * estimates.  With PROFILE_PEER_ROUNDS: as packets show, how often a message
 * followed an answer of the node that got most messages, on `ranks`
 * connections, and how long that took by the clock; of the other numbers none
 * is known. */
struct profile_rank {
	uint32_t rank;
	uint32_t ranks;  /* how many these are */
	int peer;        /* rank that got most of its messages; its own:
			    there is none */
	double messages; /* sent to all, but in collective operations */
	double bytes;
	double peer_messages; /* of these to the peer */
	double peer_bytes;
	double asked_any; /* receives from whoever was first */
	double own_s;     /* CPU time outside of MPI */
	double tasks;     /* times that it worked between a message from the
			      peer and the next one to it */
	double tasks_s;   /* their CPU time, without MPI's */
	double tasks_s2;  /* sum of its squares */
};

#define PROFILE_RANKS_MAX   32
#define PROFILE_PEER_NONE   INT_MAX
#define PROFILE_PEER_ROUNDS (INT_MAX - 1)

/* What one node saw of what a run did; known as struct run_share is. */
struct profile_share {
	char cluster[RUN_NAME_SIZE];
	uint32_t job_id;
	char node[HOSTLIST_NAME_SIZE];
	double started_at_s; /* by the node's clock */
	double ended_at_s;
	enum profile_source source;
	struct profile_node phases; /* setting: filled in by predictd */
	double mpi_s;        /* per task in MPI, by the clock; NAN: not known */
	double mpi_cpu_s;    /* CPU time of that; NAN: not known */
	double missed_bytes; /* sent, but not seen; NAN: not known */
	int peer_count;      /* -1: messages were not watched */
	struct profile_peer peer[PROFILE_PEERS_MAX];
	int rank_count; /* 0: not known */
	struct profile_rank rank[PROFILE_RANKS_MAX];
};

void profile_share_init(struct profile_share *ret); /* nothing known */

/* Find the profile of one run, of what its nodes saw, in any order.  Fails if
 * a node is missing, if there are too many, or if the run did not complete. */
int profile_of_run(const struct run *run, const struct profile_share *shares,
		   size_t count, struct profile *ret, struct sp_error *err);

/* --- Many of them ------------------------------------------------------- */

/* Return whether its nodes were shared so little that its times are the
 * application's own.  Beside competitors a task that polls for messages gets
 * them later, and seems to be busy for less and to spin for longer than it
 * is alone. */
bool profile_is_undisturbed(const struct profile *profile);

/* Return whether one mean can be made of both: of one application, size and
 * set of parameters, both undisturbed or both not. */
bool profile_is_alike(const struct profile *a, const struct profile *b);

/* What runs before the last ones weigh at the most, all together. */
#define PROFILE_MERGE_RUNS 10

/* Make `into` a mean over one more run. */
void profile_merge(struct profile *into, const struct profile *run);
