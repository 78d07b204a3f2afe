/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate.c - an iteration of a farm, chunk by chunk
 *
 * Symbols: farm.h.  Replies are events in a binary heap, earliest first; that of
 * a worker cannot be earlier than the one that had it sent its chunk, so that
 * replies pass the master's link in the order in which they leave the heap.
 * Times of tasks come as sums, so that a chunk takes no longer than a task.
 *
 * No allocation: workers are in arrays of FARM_WORKERS_MAX on the stack, 24 KB.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "predictor/farm/simulate.h"
#include "predictor/stats/splitmix.h"

struct reply {
	double time; /* at which it reaches the master's link */
	int worker;
	int tasks;
};

struct master {
	const struct farm_iteration *iteration;
	struct handout handout;
	double idle_at; /* the master itself */
	double sent_at; /* its link: the last message to workers has left */
	double received_at;
	struct worker_record *workers; /* or NULL */
	int replies_count;
	struct reply replies[FARM_WORKERS_MAX];
};

/* --- The heap of replies ------------------------------------------------- */

/* By time, then by worker, so that the order is the same everywhere. */
static bool reply_is_before(const struct reply *a, const struct reply *b)
{
	return a->time < b->time ||
	       (a->time == b->time && a->worker < b->worker);
}

static void replies_push(struct master *m, const struct reply *reply)
{
	int i = m->replies_count++;

	while (i > 0) {
		int above = (i - 1) / 2;

		if (!reply_is_before(reply, &m->replies[above]))
			break;
		m->replies[i] = m->replies[above];
		i = above;
	}
	m->replies[i] = *reply;
}

static struct reply replies_pop(struct master *m)
{
	struct reply first = m->replies[0];
	struct reply last = m->replies[--m->replies_count];
	int i = 0;

	for (;;) {
		int below = 2 * i + 1;

		if (below >= m->replies_count)
			break;
		if (below + 1 < m->replies_count &&
		    reply_is_before(&m->replies[below + 1], &m->replies[below]))
			below++;
		if (!reply_is_before(&m->replies[below], &last))
			break;
		m->replies[i] = m->replies[below];
		i = below;
	}
	m->replies[i] = last;
	return first;
}

/* --- Master and workers -------------------------------------------------- */

double worker_speed_end(const struct worker_speed *speed, double start,
			double work)
{
	double t = start;

	for (int i = 0; i + 1 < speed->count; i++) {
		double until = speed->steps[i + 1].from;

		if (until <= t)
			continue;

		double done = (until - t) * speed->steps[i].speed;

		if (done >= work)
			return t + work / speed->steps[i].speed;
		work -= done;
		t = until;
	}
	return t + work / speed->steps[speed->count - 1].speed;
}

/* The time at which a message of the master, ready at `ready`, is received. */
static double send_message(struct master *m, double ready, double bytes)
{
	const struct farm_iteration *it = m->iteration;
	const struct message_class *c = message_class_of(it->costs, bytes);
	double started = fmax(ready, m->idle_at) + c->mo;

	m->sent_at = fmax(started, m->sent_at) + c->k * bytes;
	m->idle_at = it->farm->synchronous ? m->sent_at : started;
	return m->sent_at;
}

/* Send the next chunk, if any, to a worker that the master knows to be idle at
 * `ready`. */
static void serve_worker(struct master *m, int worker, double ready)
{
	const struct farm_iteration *it = m->iteration;
	const struct farm *f = it->farm;
	int first;
	int tasks = handout_next(&m->handout, &first);

	if (!tasks)
		return;

	double part = (double)tasks / f->M;
	double start = send_message(m, ready, part * f->alpha * f->V);
	double work = it->work ? it->work[first + tasks] - it->work[first]
			       : tasks * f->mu;
	double end =
		it->speeds ? worker_speed_end(&it->speeds[worker], start, work)
			   : start + work;
	const struct message_class *c =
		message_class_of(it->costs, part * (1 - f->alpha) * f->V);
	struct reply reply = { end + c->mo, worker, tasks };

	if (m->workers) {
		m->workers[worker].tasks += tasks;
		m->workers[worker].l += end - start;
	}
	replies_push(m, &reply);
}

double farm_simulate(const struct farm_iteration *iteration,
		     struct worker_record ret_workers[])
{
	const struct farm *f = iteration->farm;
	int n = iteration->rules.n;
	struct master m = { .iteration = iteration, .workers = ret_workers };

	assert(n >= 1 && n <= FARM_WORKERS_MAX);
	handout_begin(&m.handout, iteration->policy, &iteration->rules);
	if (ret_workers)
		memset(ret_workers, 0, (size_t)n * sizeof(*ret_workers));
	for (int i = 0; i < n; i++)
		serve_worker(&m, i, 0);
	while (m.replies_count > 0) {
		struct reply r = replies_pop(&m);
		double bytes = r.tasks * (1 - f->alpha) * f->V / f->M;
		const struct message_class *c =
			message_class_of(iteration->costs, bytes);

		m.received_at = fmax(r.time, m.received_at) + c->k * bytes;
		serve_worker(&m, r.worker, m.received_at);
	}
	return m.received_at + f->lm;
}

/* --- Times of tasks ------------------------------------------------------ */

void farm_draw_work(const struct farm *farm, uint64_t seed, double work[])
{
	double cv = farm->sigma / farm->mu;
	double s = sqrt(log1p(cv * cv)), m = log(farm->mu) - s * s / 2;

	work[0] = 0;
	for (int i = 0; i < farm->M; i++) {
		/* Box and Muller */
		double z = sqrt(-2 * log(splitmix_inside(&seed))) *
			   cos(2 * M_PI * splitmix_inside(&seed));

		work[i + 1] = work[i] + exp(m + s * z);
	}
}
