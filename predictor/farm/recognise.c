/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recognise.c - whether a program is a farm, from what its processes sent
 *
 * 1. The hub is the process that most others send most of their messages to.
 * 2. It must have nearly all messages; requests about as many as answers; and
 *    workers that do most of their work between an answer and the next request.
 *    The last keeps out trees of collective operations and pipelines, whose
 *    messages also meet in one process if there are three of them, and programs
 *    that work together and only report to one of them.
 * 3. In a dynamic farm all workers are busy for about as long, in a static one
 *    they get as many messages: the relative spread of the one is compared with
 *    that of the other.  With equal workers both are small.  Then it counts
 *    whether the hub receives from any source: a program that exchanges with
 *    neighbours names them, or, if it waits for any of them, works as they do.
 *    Packets don't show that.
 * 4. M, mu, sigma and the bytes are sums over the workers.
 */
#include <limits.h>
#include <math.h>

#include "predictor/farm/recognise.h"

#define HUB_SHARE   0.95 /* of all messages */
#define ANSWERS_MIN 0.67 /* answers for each request */
#define ANSWERS_MAX 1.5
#define TASKS_SHARE 0.5 /* of the requests, that end a task */
#define WORK_SHARE  0.6 /* of the workers' CPU time, that tasks are */
#define WORKERS_MIN 2
#define TASKS_EACH  3 /* of a worker, else nobody can tell */
#define ANY_SHARE \
	0.5               /* of the requests, that nobody in particular was
			    asked for */
#define HUB_WORK     0.5  /* of a worker's; with more a hub has an own share */
#define COUNTS_CLEAR 0.05 /* relative spread that chance does not make */
#define RATES_CLEAR  0.15

static bool is_worker(const struct farm_process *p, int hub_rank)
{
	return p->peer == hub_rank && p->rank != hub_rank && p->tasks > 0;
}

/* The position of the process that most others name; -1: none. */
static int find_hub(const struct farm_process of[], int count)
{
	int hub = -1, most = 0;

	for (int i = 0; i < count; i++) {
		int named = 0;

		if (of[i].processes != 1)
			continue;
		for (int k = 0; k < count; k++)
			if (is_worker(&of[k], of[i].rank))
				named += of[k].processes;
		if (named > most) {
			most = named;
			hub = i;
		}
	}
	return most >= WORKERS_MIN ? hub : -1;
}

struct sums {
	double messages; /* of all processes */
	double requests, request_bytes, tasks, tasks_s, tasks_s2;
	double work; /* at speed 1 */
	double own_s;
	int workers;
};

static void add_up(const struct farm_process of[], int count, int hub,
		   struct sums *ret)
{
	*ret = (struct sums){ 0 };
	for (int i = 0; i < count; i++) {
		const struct farm_process *p = &of[i];

		ret->messages += p->messages;
		if (!is_worker(p, of[hub].rank))
			continue;
		ret->workers += p->processes;
		ret->requests += p->peer_messages;
		ret->request_bytes += p->peer_bytes;
		ret->tasks += p->tasks;
		ret->tasks_s += p->tasks_s;
		ret->tasks_s2 += p->tasks_s2;
		ret->work += p->tasks_s * p->speed;
		ret->own_s += p->own_s;
	}
}

static bool is_farm(const struct farm_process *hub, const struct sums *s)
{
	double answers = hub->messages / s->requests;

	return s->requests + hub->messages >= HUB_SHARE * s->messages &&
	       answers >= ANSWERS_MIN && answers <= ANSWERS_MAX &&
	       s->tasks >= TASKS_SHARE * s->requests &&
	       s->tasks >= TASKS_EACH * s->workers && s->tasks_s > 0 &&
	       s->tasks_s >= WORK_SHARE * s->own_s;
}

/* Standard deviation relative to the mean, over workers. */
struct spread {
	double n, sum, sum2;
};

static void spread_add(struct spread *s, double value, double weight)
{
	s->n += weight;
	s->sum += weight * value;
	s->sum2 += weight * value * value;
}

static double spread_of(const struct spread *s)
{
	double mean = s->sum / s->n;

	return sqrt(fmax(s->sum2 / s->n - mean * mean, 0)) / mean;
}

static enum farm_kind find_kind(const struct farm_process of[], int count,
				int hub, const struct sums *s)
{
	struct spread counts = { 0 }, rates = { 0 }, busy = { 0 };

	for (int i = 0; i < count; i++) {
		const struct farm_process *p = &of[i];
		double n = p->processes;

		if (!is_worker(p, of[hub].rank))
			continue;

		double took_s = p->tasks_s / p->available;

		spread_add(&counts, p->tasks / n, n);
		spread_add(&busy, took_s / n, n);
		spread_add(&rates, took_s > 0 ? p->tasks / took_s : 0, n);
	}

	double in_counts = spread_of(&counts);

	/* Clear cases by the rates. */
	if (in_counts > COUNTS_CLEAR && spread_of(&busy) < in_counts / 2)
		return FARM_DYNAMIC;
	if (in_counts < COUNTS_CLEAR / 2 && spread_of(&rates) > RATES_CLEAR &&
	    spread_of(&busy) > RATES_CLEAR)
		return FARM_STATIC;
	if (isnan(of[hub].asked_any))
		return FARM_UNCLEAR;
	return of[hub].asked_any >= ANY_SHARE * s->requests &&
			       of[hub].own_s < HUB_WORK * s->own_s / s->workers
		       ? FARM_DYNAMIC
		       : FARM_STATIC;
}

void farm_recognise(const struct farm_process of[], int count,
		    struct farm_seen *ret)
{
	struct sums s;
	int hub = find_hub(of, count);

	*ret = (struct farm_seen){ .kind = FARM_NONE, .hub = -1 };
	if (hub < 0)
		return;
	add_up(of, count, hub, &s);
	if (!is_farm(&of[hub], &s))
		return;

	double mean_s = s.tasks_s / s.tasks;
	double variance = fmax(s.tasks_s2 / s.tasks - mean_s * mean_s, 0);
	double speed = s.work / s.tasks_s;
	double bytes = of[hub].bytes + s.request_bytes;

	*ret = (struct farm_seen){
		.kind = find_kind(of, count, hub, &s),
		.hub = hub,
		.workers = s.workers,
		.farm = {
			.M = (int)fmin(s.tasks, INT_MAX),
			.mu = s.work / s.tasks,
			.sigma = isnan(s.tasks_s2) ? NAN
						   : sqrt(variance) * speed,
			.V = bytes,
			.alpha = bytes > 0 ? of[hub].bytes / bytes : .5,
			.lm = of[hub].own_s * of[hub].speed,
		},
	};
}
