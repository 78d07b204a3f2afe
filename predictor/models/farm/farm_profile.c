/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_profile.c - whether a profiled run was a farm
 *
 * 1. Processes: those that the MPI library reported; without it nodes take
 *    their place, as packets show messages between nodes only.
 * 2. farm_recognise() decides, and fits M, mu, sigma, V, alpha and lm.
 *    sigma of packets is that of rounds, the time from one request to the next,
 *    on nodes where rounds are little else than tasks: workers that hardly wait
 *    for their master, nor for a CPU.
 * 3. Where no MPI library reported, tasks may have been processes of their own,
 *    one after the other, with or without a master's node: those are added up.
 *    No message is known of them; what one costs is to start a process.
 * 4. mo and k begin as the latency and the time for a byte of the links between
 *    the master's node and the others, as they were measured by probes.  A long
 *    message has its own mo, as [1] of farm.h found: it pays the
 *    latency thrice.  Runs on several numbers of nodes refine mo
 *    (predictor/engine/learn_profiles.c).
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/hostlist.h"
#include "predictor/farm/recognise.h"
#include "predictor/models/farm/farm_profile.h"
#include "predictor/models/known_or.h"

#define PROCESSES_MAX 1024

/* Where no link was measured, as on one node. */
#define MESSAGE_S 2e-5

/* A long message crosses the link as its first part, as the receiver's word
 * that it takes it, and as the rest. */
#define LONG_CROSSINGS 3

/* The cost of a process: fork, exec and wait. */
#define START_S 1e-3

/* The least number of tasks that are seen as rounds, and the share of waiting
 * that may be in them. */
#define ROUNDS_MIN 10
#define WAIT_SHARE 0.1

/* The least number of nodes where ranks are not known: three neighbours in a
 * line have a hub, too. */
#define NODES_MIN 4

/* Messages between two nodes of this size in the mean are MPI's own, as it
 * begins, ends and makes communicators. */
#define MPI_OWN_BYTES 8

struct processes {
	int count;
	struct farm_process of[PROCESSES_MAX];
	uint16_t node[PROCESSES_MAX];
};

/* Return the share of a CPU that a busy task got: as its node saw it, which
 * conditions only guess.  Without that: as conditions have it. */
static double share_seen(const struct profile_node *n)
{
	return known_or(n->busy_s / (n->busy_s + n->ready_s),
			profile_node_share(n));
}

/* Return a process on that node of the profile; NULL: there are too many. */
static struct farm_process *processes_add(struct processes *processes,
					  const struct profile *p, int node)
{
	const struct profile_node *n = &p->node[node];

	if (processes->count == PROCESSES_MAX)
		return NULL;
	processes->node[processes->count] = (uint16_t)node;

	struct farm_process *process = &processes->of[processes->count++];

	*process = (struct farm_process){
		.processes = 1,
		.peer = -1,
		.asked_any = NAN,
		.speed = p->node_count ? known_or(n->cpu_speed, 1) : 1,
		.available = p->node_count ? share_seen(n) : 1,
	};
	return process;
}

/* --- As MPI counts -------------------------------------------------------- */

/* False: a node has not reported its ranks. */
static bool add_ranks(const struct profile_share *share, int node,
		      const struct profile *p, struct processes *ret)
{
	for (int i = 0; i < share->rank_count; i++) {
		const struct profile_rank *r = &share->rank[i];
		struct farm_process *process = processes_add(ret, p, node);

		if (!process || r->rank > INT32_MAX || !r->ranks ||
		    r->ranks > INT32_MAX || r->peer == PROFILE_PEER_ROUNDS)
			return false;
		process->rank = (int)r->rank;
		process->processes = (int)r->ranks;
		process->peer = r->peer;
		process->messages = r->messages;
		process->bytes = r->bytes;
		process->peer_messages = r->peer_messages;
		process->peer_bytes = r->peer_bytes;
		process->asked_any = r->asked_any;
		process->own_s = r->own_s;
		process->tasks = r->tasks;
		process->tasks_s = r->tasks_s;
		process->tasks_s2 = r->tasks_s2;
	}
	return share->rank_count > 0;
}

static bool list_ranks(const struct run *run,
		       const struct profile_share shares[], size_t count,
		       const struct profile *p, struct processes *ret)
{
	struct hostlist nodes;
	struct sp_error err;
	bool all = count > 0;

	if (hostlist_expand(run->node_list, &nodes, &err))
		return false;
	ret->count = 0;
	for (size_t i = 0; i < count && all; i++) {
		int node = hostlist_position(&nodes, shares[i].node);

		all = node >= 0 && node < PROFILE_NODES_MAX &&
		      add_ranks(&shares[i], node, p, ret);
	}
	hostlist_clear(&nodes);
	return all;
}

/* --- As packets show ------------------------------------------------------ */

static double messages_between(const struct profile *p, int from, int to)
{
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from == from && p->pair[i].to == to)
			return p->pair[i].messages;
	return 0;
}

static void add_pair(const struct profile_pair *pair,
		     struct farm_process *process)
{
	process->messages += pair->messages;
	process->bytes += pair->bytes;
	if (pair->messages <= process->peer_messages)
		return;
	process->peer = pair->to;
	process->peer_messages = pair->messages;
	process->peer_bytes = pair->bytes;
}

/* Rounds are tasks where they take about as long, of processes that had their
 * CPUs for themselves. */
static bool are_tasks(const struct profile_rank *rounds,
		      const struct farm_process *process,
		      const struct profile_node *node)
{
	double task_s = process->tasks_s / process->tasks;
	double round_s = rounds->tasks_s / rounds->tasks;

	return rounds->tasks >= ROUNDS_MIN &&
	       node->ready_s <= WAIT_SHARE * node->busy_s &&
	       fabs(task_s - round_s) <= WAIT_SHARE * round_s;
}

/* Return the variance of a task at speed 1; NAN: not known. */
static double variance_of_rounds(const struct run *run,
				 const struct profile_share shares[],
				 size_t count, const struct profile *p,
				 const struct processes *processes)
{
	struct hostlist nodes;
	struct sp_error err;
	double sum = 0, tasks = 0;

	if (hostlist_expand(run->node_list, &nodes, &err))
		return NAN;
	for (size_t i = 0; i < count; i++) {
		const struct profile_rank *r = &shares[i].rank[0];
		int node = hostlist_position(&nodes, shares[i].node);

		if (shares[i].rank_count != 1 ||
		    r->peer != PROFILE_PEER_ROUNDS || node < 0 ||
		    node >= processes->count)
			continue;

		const struct farm_process *process = &processes->of[node];
		double mean_s = r->tasks_s / r->tasks;

		if (!are_tasks(r, process, &p->node[node]))
			continue;
		sum += process->tasks * process->speed * process->speed *
		       fmax(r->tasks_s2 / r->tasks - mean_s * mean_s, 0);
		tasks += process->tasks;
	}
	hostlist_clear(&nodes);
	return tasks > 0 ? sum / tasks : NAN;
}

/* Give the tasks of nodes whose rounds are not known the variance of
 * the others. */
static void set_variance(struct processes *processes, double variance)
{
	for (int i = 0; i < processes->count; i++) {
		struct farm_process *process = &processes->of[i];
		double mean_s = process->tasks_s / process->tasks;
		double speed = process->speed;

		process->tasks_s2 =
			process->tasks *
			(mean_s * mean_s + variance / (speed * speed));
	}
}

static bool list_nodes(const struct run *run,
		       const struct profile_share shares[], size_t count,
		       const struct profile *p, struct processes *ret)
{
	ret->count = 0;
	if (p->pair_count < 0 || p->node_count < NODES_MIN)
		return false;
	for (int i = 0; i < p->node_count; i++) {
		struct farm_process *process = processes_add(ret, p, i);

		process->rank = i;
		process->own_s = p->node[i].busy_s;
		process->tasks_s = p->node[i].busy_s * p->node[i].tasks;
		process->tasks_s2 = NAN;
	}
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < ret->count &&
		    p->pair[i].bytes > MPI_OWN_BYTES * p->pair[i].messages)
			add_pair(&p->pair[i], &ret->of[p->pair[i].from]);
	for (int i = 0; i < ret->count; i++) {
		struct farm_process *process = &ret->of[i];

		if (process->peer >= 0)
			process->tasks =
				fmin(process->peer_messages,
				     messages_between(p, process->peer, i));
	}
	set_variance(ret, variance_of_rounds(run, shares, count, p, ret));
	return true;
}

/* --- As processes begin and end ------------------------------------------- */

struct births {
	double tasks, seen, work, work2;
};

/* Return false if the share is none of such. */
static bool add_births(const struct profile_share *share, int node,
		       struct profile *p, struct births *sum)
{
	const struct profile_rank *r = &share->rank[0];

	if (share->rank_count != 1 || r->peer != PROFILE_PEER_NONE ||
	    !(r->tasks > 0) || !r->ranks || r->ranks > UINT16_MAX)
		return false;

	double speed = p->node_count ? known_or(p->node[node].cpu_speed, 1) : 1;

	p->farm.workers_on[node] = (uint16_t)r->ranks;
	p->farm.workers += r->ranks;
	sum->tasks += r->tasks;
	sum->seen += r->messages;
	sum->work += r->tasks_s * speed;
	sum->work2 += r->tasks_s2 * speed * speed;
	return true;
}

static bool set_births(const struct run *run,
		       const struct profile_share shares[], size_t count,
		       struct profile *p)
{
	struct births sum = { 0 };
	struct hostlist nodes;
	struct sp_error err;

	if (hostlist_expand(run->node_list, &nodes, &err))
		return false;
	for (size_t i = 0; i < count; i++) {
		int node = hostlist_position(&nodes, shares[i].node);

		if (node >= 0 && node < PROFILE_NODES_MAX)
			(void)add_births(&shares[i], node, p, &sum);
	}
	hostlist_clear(&nodes);
	if (!(sum.tasks > 0) || !(sum.work > 0))
		return false;

	double mu_s = sum.work / sum.tasks;

	p->farm.kind = PROFILE_FARM_PROCESSES;
	p->farm.tasks = sum.tasks;
	p->farm.tasks_seen = sum.seen;
	p->farm.mu_s = mu_s;
	p->farm.sigma_s = sqrt(fmax(sum.work2 / sum.tasks - mu_s * mu_s, 0));
	p->farm.alpha = .5;
	p->farm.message_s = p->farm.long_message_s = START_S;
	return true;
}

/* --- The farm ------------------------------------------------------------- */

static void set_costs(struct profile *p)
{
	double latency_s = 0, byte_s = 0;
	int links = 0;

	for (int i = 0; i < p->pair_count; i++) {
		const struct profile_pair *pair = &p->pair[i];

		if (pair->from != p->farm.hub || !(pair->latency_s > 0) ||
		    !(pair->bandwidth_bps > 0))
			continue;
		latency_s += pair->latency_s;
		byte_s += 8 / pair->bandwidth_bps;
		links++;
	}
	p->farm.message_s = links ? latency_s / links : MESSAGE_S;
	p->farm.long_message_s = LONG_CROSSINGS * p->farm.message_s;
	p->farm.byte_s = links ? byte_s / links : 0;
}

static void count_workers(const struct processes *processes, int hub,
			  bool are_nodes, struct profile *p)
{
	int hub_rank = processes->of[hub].rank;

	for (int i = 0; i < processes->count; i++) {
		const struct farm_process *process = &processes->of[i];
		int node = processes->node[i];
		uint32_t workers = are_nodes ? p->node[node].tasks
					     : (uint32_t)process->processes;

		if (process->peer == hub_rank && i != hub &&
		    process->tasks > 0) {
			p->farm.workers_on[node] += (uint16_t)workers;
			p->farm.workers += workers;
		}
	}
}

static const enum profile_farm_kind kinds[] = {
	[FARM_STATIC] = PROFILE_FARM_STATIC,
	[FARM_DYNAMIC] = PROFILE_FARM_DYNAMIC,
	[FARM_UNCLEAR] = PROFILE_FARM_UNCLEAR,
};

void farm_profile_set(const struct run *run, const struct profile_share *shares,
		      size_t count, struct profile *profile)
{
	struct processes *processes = malloc(sizeof(*processes));
	bool by_rank =
		processes && list_ranks(run, shares, count, profile, processes);
	struct farm_seen seen;

	profile->farm = (struct profile_farm){ .kind = PROFILE_NO_FARM };
	if (set_births(run, shares, count, profile)) {
		free(processes);
		return;
	}
	profile->farm = (struct profile_farm){ .kind = PROFILE_NO_FARM };
	if (by_rank ||
	    (processes && list_nodes(run, shares, count, profile, processes))) {
		farm_recognise(processes->of, processes->count, &seen);
		if (seen.kind != FARM_NONE) {
			profile->farm = (struct profile_farm){
				.kind = kinds[seen.kind],
				.tasks = seen.farm.M,
				.tasks_seen = seen.farm.M,
				.mu_s = seen.farm.mu,
				.sigma_s = seen.farm.sigma,
				.bytes = seen.farm.V,
				.alpha = seen.farm.alpha,
				.master_s = seen.farm.lm,
				.hub = processes->node[seen.hub],
			};
			count_workers(processes, seen.hub, !by_rank, profile);
			set_costs(profile);
		}
	}
	free(processes);
}
