/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_trace.c - a traced run whose tasks go to free workers
 *
 * The hub is the rank with most receives from any source.  Nearly all messages
 * are its own, and it works less than the others together.  Each message
 * that it sends, and to which the receiver works and replies, is a task.  It
 * is a farm if workers wait for their first task, or got unequal numbers of
 * them: clients that call a server begin with a request, and have as many as
 * they have.
 *
 * Time: the start of the slowest, each round in the simulation, the hub's end.
 * There the hub's work for a task is mo of farm.h.  A worker pays mo for a
 * reply in the simulation, but its CPU time in MPI is in the trace's work
 * already, so that it is taken off the task.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/farm/simulate.h"
#include "predictor/replay/farm_trace.h"
#include "predictor/replay/replay_turn.h"

#define HUB_MESSAGES_MIN .95 /* of all: as hubs are recognised from profiles */

/* --- The hub -------------------------------------------------------------- */

static int find_hub(const struct matched_trace *m)
{
	int hub = -1, most = 0;

	for (int r = 0; r < m->ranks; r++) {
		int open = 0;

		for (int g = m->first[r]; g < m->first[r + 1]; g++)
			open += m->events[g].wildcard;
		if (open > most) {
			most = open;
			hub = r;
		}
	}
	return hub;
}

/* Return whether nearly all messages are of the hub, and most of the work
 * is elsewhere. */
static bool hub_is_master(const struct matched_trace *m, int hub)
{
	int64_t sends = 0, of_hub = 0;
	double work_s = 0, hub_s = 0;

	for (int r = 0; r < m->ranks; r++)
		for (int g = m->first[r]; g < m->first[r + 1]; g++) {
			const struct trace_event *e = &m->events[g];

			work_s += e->work_s;
			hub_s += r == hub ? e->work_s : 0;
			if (e->call > CALL_ISEND)
				continue;
			sends++;
			of_hub += r == hub || e->peer == hub;
		}
	return (double)of_hub >= HUB_MESSAGES_MIN * (double)sends &&
	       hub_s < work_s / 2;
}

/* --- Tasks ---------------------------------------------------------------- */

/* Find what was worked from the receive until the reply, which ends
 * *ret_reply; false: there is no reply. */
static bool find_task(const struct matched_trace *m, int receive, int worker,
		      int hub, double *ret_work_s, int *ret_reply)
{
	*ret_work_s = 0;
	for (int g = receive + 1; g < m->first[worker + 1]; g++) {
		const struct trace_event *e = &m->events[g];

		*ret_work_s += e->work_s;
		if (e->call == CALL_RECEIVE && e->peer == hub)
			return false;
		if (e->call <= CALL_ISEND && e->peer == hub) {
			*ret_reply = g;
			return true;
		}
	}
	return false;
}

struct reading {
	struct farm_trace *farm;
	int *counts;     /* [ranks]: tasks */
	bool *is_reply;  /* [events]: of a task; not a worker's first request */
	int outstanding; /* tasks whose reply has not come */
	double hub_s;    /* since the round began, or the last one ended */
};

/* The hub sends event g. */
static void read_send(struct reading *reading, const struct matched_trace *m,
		      int g)
{
	struct farm_trace *f = reading->farm;
	int worker = m->events[g].peer;
	double work_s;
	int reply;

	if (!find_task(m, m->partner[g], worker, f->hub, &work_s, &reply))
		return;
	if (!reading->outstanding++)
		f->rounds[f->rounds_count++] =
			(struct farm_round){ .first_task = f->tasks_count };
	f->rounds[f->rounds_count - 1].tasks++;
	if (!reading->counts[worker]++)
		f->workers[f->workers_count++] = worker;
	reading->is_reply[reply] = true;
	f->work[f->tasks_count + 1] = f->work[f->tasks_count] + work_s;
	f->tasks_count++;
	f->out_bytes += (double)m->events[g].bytes;
	f->back_bytes += (double)m->events[reply].bytes;
	f->synchronous |= m->events[g].call == CALL_SEND;
}

static void read_hub(struct reading *reading, const struct matched_trace *m)
{
	struct farm_trace *f = reading->farm;

	for (int g = m->first[f->hub] + 1; g < m->first[f->hub + 1]; g++) {
		const struct trace_event *e = &m->events[g - 1];

		/* The first event's work is in begin_s. */
		if (e->call <= CALL_ISEND)
			read_send(reading, m, g - 1);
		else if (e->call == CALL_RECEIVE &&
			 reading->is_reply[m->partner[g - 1]] &&
			 !--reading->outstanding) {
			f->rounds[f->rounds_count - 1].hub_s = reading->hub_s;
			reading->hub_s = 0;
		}
		reading->hub_s += m->events[g].work_s;
	}
	f->end_s = reading->hub_s;
	f->out_bytes /= fmax(f->tasks_count, 1);
	f->back_bytes /= fmax(f->tasks_count, 1);
}

/* Tasks went to whoever was free, as far as the trace can tell. */
static bool is_dynamic(const struct farm_trace *f,
		       const struct matched_trace *m, const int counts[])
{
	bool equal = true, hub_begins = true;

	if (f->workers_count < 2 || f->workers_count > FARM_WORKERS_MAX ||
	    f->tasks_count < 2 * f->workers_count)
		return false;
	for (int i = 0; i < f->workers_count; i++) {
		int w = f->workers[i];
		int g = m->first[w];

		while (trace_call_is_collective(m->events[g].call))
			g++;
		equal &= counts[w] == counts[f->workers[0]];
		hub_begins &= m->events[g].call == CALL_RECEIVE;
	}
	return hub_begins || !equal;
}

int farm_trace_find(const struct matched_trace *m, struct farm_trace *ret,
		    struct sp_error *err)
{
	int hub = find_hub(m);

	if (hub < 0 || !hub_is_master(m, hub))
		return 0;

	int most = m->first[hub + 1] - m->first[hub] + 1;
	struct farm_trace f = {
		.ranks = m->ranks,
		.hub = hub,
		.workers = calloc(m->ranks, sizeof(*f.workers)),
		.work = calloc(most, sizeof(*f.work)),
		.rounds = calloc(most, sizeof(*f.rounds)),
		.begin_s = calloc(m->ranks, sizeof(*f.begin_s)),
	};
	struct reading reading = {
		.farm = &f,
		.counts = calloc(m->ranks, sizeof(*reading.counts)),
		.is_reply = calloc(m->count, sizeof(*reading.is_reply)),
	};
	int found = -1;

	if (!f.workers || !f.work || !f.rounds || !f.begin_s ||
	    !reading.counts || !reading.is_reply) {
		sp_error_set(err, "out of memory for a farm");
		goto out;
	}
	for (int r = 0; r < m->ranks; r++)
		f.begin_s[r] = m->events[m->first[r]].work_s;
	read_hub(&reading, m);
	found = is_dynamic(&f, m, reading.counts);
out:
	if (found > 0)
		*ret = f;
	else
		farm_trace_clear(&f);
	free(reading.counts);
	free(reading.is_reply);
	return found;
}

void farm_trace_clear(struct farm_trace *farm)
{
	free(farm->workers);
	free(farm->work);
	free(farm->rounds);
	free(farm->begin_s);
	*farm = (struct farm_trace){ 0 };
}

/* --- Elsewhere ------------------------------------------------------------ */

/* The hub's messages are the tasks of the simulation. */
static int chunk_one(const struct handout *handout)
{
	(void)handout;
	return 1;
}

static const struct farm_policy one_message = { "recorded", "", chunk_one };

struct placed_farm {
	double hub_speed;
	double latency_s; /* of a message, mean over the workers */
	double k;         /* seconds for a byte */
	double speed;     /* of a worker, mean */
	double turn_s;    /* that a worker waits for each task, mean */
	struct worker_speed_step steps[FARM_WORKERS_MAX];
	struct worker_speed speeds[FARM_WORKERS_MAX];
};

/* Workers compute all the time; the hub hardly ever, unless it spins. */
static int competing(const struct farm_trace *f,
		     const struct replay_placement *p, int node, bool hub)
{
	int there = p->node[f->hub] == node && (hub || p->spinning);

	for (int i = 0; i < f->workers_count; i++)
		there += p->node[f->workers[i]] == node;
	return there;
}

static double speed_at(const struct replay_node *node, int n)
{
	return node->speed * (n > node->cores ? node->cores / n : 1);
}

static void place_farm(const struct farm_trace *f,
		       const struct replay_placement *p,
		       struct placed_farm *ret)
{
	int hub_node = p->node[f->hub];
	int n = f->workers_count;
	double mu = f->work[f->tasks_count] / f->tasks_count;

	ret->hub_speed =
		speed_at(&p->nodes[hub_node], competing(f, p, hub_node, true));
	ret->latency_s = ret->k = ret->speed = ret->turn_s = 0;
	for (int i = 0; i < n; i++) {
		int node = p->node[f->workers[i]];
		int there = competing(f, p, node, false);
		const struct replay_link *link =
			&p->links[hub_node * p->nodes_count + node];

		ret->steps[i].from = 0;
		ret->steps[i].speed = speed_at(&p->nodes[node], there);
		ret->speeds[i] = (struct worker_speed){ 1, &ret->steps[i] };
		ret->speed += ret->steps[i].speed / n;
		ret->latency_s += link->latency_s / n;
		ret->k += 1 / link->bandwidth_bps / n;
		if (p->spinning)
			ret->turn_s +=
				replay_turn(&p->nodes[node], there, mu) / n;
	}
}

static double round_time(const struct farm_trace *f, const struct farm_round *r,
			 const struct replay_placement *p,
			 const struct placed_farm *placed, double work[])
{
	double mo = r->hub_s / r->tasks / placed->hub_speed;
	double extra =
		(2 * placed->latency_s + placed->turn_s - mo) * placed->speed;

	work[0] = 0;
	for (int i = 0; i < r->tasks; i++) {
		int task = r->first_task + i;

		work[i + 1] =
			work[i] +
			fmax(f->work[task + 1] - f->work[task] + extra, 0);
	}

	double bytes = f->out_bytes + f->back_bytes;
	const struct farm farm = {
		.M = r->tasks,
		.mu = work[r->tasks] / r->tasks,
		.V = bytes * r->tasks,
		.alpha = bytes > 0 ? f->out_bytes / bytes : .5,
		.synchronous = f->synchronous &&
			       f->out_bytes > (double)p->rendezvous_bytes,
	};
	const struct message_costs costs = { 1,
					     { { HUGE_VAL, mo, placed->k } } };
	const struct farm_iteration iteration = {
		.farm = &farm,
		.costs = &costs,
		.policy = &one_message,
		.rules = { .M = r->tasks,
			   .n = f->workers_count,
			   .mu = farm.mu,
			   .chunk_min = 1 },
		.work = work,
		.speeds = placed->speeds,
	};

	return farm_simulate(&iteration, NULL);
}

int farm_trace_time(const struct farm_trace *f,
		    const struct replay_placement *p, double *ret_s,
		    struct sp_error *err)
{
	/* Rounds after which the limit is looked at. */
	int steps = 1 + WORK_LIMIT_STEPS / f->workers_count;
	struct placed_farm placed;
	double *work = malloc((f->tasks_count + 1) * sizeof(*work));
	double time_s = f->begin_s[f->hub];

	int rc = 0;

	if (!work)
		return sp_error_set(err, "out of memory");
	place_farm(f, p, &placed);
	time_s /= placed.hub_speed;
	for (int i = 0; i < f->workers_count; i++)
		time_s = fmax(time_s, f->begin_s[f->workers[i]] /
					      placed.steps[i].speed);
	for (int i = 0; !rc && i < f->rounds_count; i++) {
		time_s += round_time(f, &f->rounds[i], p, &placed, work);
		if (i % steps == 0)
			rc = work_limit_check(p->limit, err);
	}
	free(work);
	*ret_s = time_s + f->end_s / placed.hub_speed;
	return rc;
}
