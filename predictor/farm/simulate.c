/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate.c - an iteration of a farm, chunk by chunk
 *
 * Symbols: farm.h.  Replies are events, earliest first; that of a worker cannot
 * be earlier than the one that had it sent its chunk, so that replies pass the
 * master's link in the order in which they are taken.  Each worker has one at
 * the most: a tournament, whose matches keep their losers, is played again
 * along one path for each event (D. E. Knuth, The Art of Computer Programming,
 * vol. 3, 5.4.1).  Times of tasks come as sums, so that a chunk takes no longer
 * than a task.
 *
 * No allocation: workers are in arrays of FARM_WORKERS_MAX on the stack, 40 KB.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "predictor/farm/simulate.h"
#include "predictor/stats/splitmix.h"

/* The time when a worker's reply reaches the master's link; HUGE_VAL: none
 * is coming. */
struct reply {
	double time;
	int worker;
};

struct tournament {
	struct reply first;
	struct reply later[FARM_WORKERS_MAX]; /* [1] to [n - 1] */
	int tasks[FARM_WORKERS_MAX];          /* of each worker's chunk */
};

struct master {
	const struct farm_iteration *iteration;
	struct handout handout;
	double idle_at; /* the master itself */
	double sent_at; /* its link: the last message to workers has left */
	double received_at;
	struct worker_record *workers; /* or NULL */
	struct tournament *replies;
};

static double latest(double a, double b)
{
	return a < b ? b : a;
}

/* --- The tournament of replies -------------------------------------------- */

/* By time, then by worker, so that the order is the same everywhere. */
static bool reply_is_before(const struct reply *a, const struct reply *b)
{
	return a->time < b->time ||
	       (a->time == b->time && a->worker < b->worker);
}

/* Match i is between the winners of matches 2 i and 2 i + 1, where n + w stands
 * for worker w.  Returns its winner. */
static struct reply replies_match(struct tournament *t, const struct reply of[],
				  int n, int i)
{
	if (i >= n)
		return of[i - n];

	struct reply a = replies_match(t, of, n, 2 * i);
	struct reply b = replies_match(t, of, n, 2 * i + 1);
	bool a_first = reply_is_before(&a, &b);

	t->later[i] = a_first ? b : a;
	return a_first ? a : b;
}

/* The worker whose reply was first has another one: it plays those matches
 * again that it won.  Who wins is chance, so that there is no branch on it. */
static void replies_replace(struct tournament *t, int n, double time)
{
	struct reply own = { time, t->first.worker };

	for (int i = (n + own.worker) / 2; i > 0; i /= 2) {
		struct reply other = t->later[i];
		bool wins =
			(other.time < own.time) | ((other.time == own.time) &
						   (other.worker < own.worker));

		t->later[i].time = wins ? own.time : other.time;
		t->later[i].worker = wins ? own.worker : other.worker;
		own.time = wins ? other.time : own.time;
		own.worker = wins ? other.worker : own.worker;
	}
	t->first = own;
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
	double started = latest(ready, m->idle_at) + c->mo;

	m->sent_at = latest(started, m->sent_at) + c->k * bytes;
	m->idle_at = it->farm->synchronous ? m->sent_at : started;
	return m->sent_at;
}

/* Send the next chunk, if any, to a worker that the master knows to be idle at
 * `ready`.  Returns the time at which its reply reaches the master's link. */
static double serve_worker(struct master *m, int worker, double ready)
{
	const struct farm_iteration *it = m->iteration;
	const struct farm *f = it->farm;
	int first;
	int tasks = handout_next(&m->handout, &first);

	if (!tasks)
		return HUGE_VAL;

	double part = (double)tasks / f->M;
	double start = send_message(m, ready, part * f->alpha * f->V);
	double work = it->work ? it->work[first + tasks] - it->work[first]
			       : tasks * f->mu;
	double end =
		it->speeds ? worker_speed_end(&it->speeds[worker], start, work)
			   : start + work;
	const struct message_class *c =
		message_class_of(it->costs, part * (1 - f->alpha) * f->V);

	m->replies->tasks[worker] = tasks;
	if (m->workers) {
		m->workers[worker].tasks += tasks;
		m->workers[worker].l += end - start;
	}
	return end + c->mo;
}

/* Returns the reply that is first. */
static struct reply serve_all(struct master *m, int n)
{
	struct reply of[FARM_WORKERS_MAX];

	for (int i = 0; i < n; i++)
		of[i] = (struct reply){ serve_worker(m, i, 0), i };
	return replies_match(m->replies, of, n, 1);
}

double farm_simulate(const struct farm_iteration *iteration,
		     struct worker_record ret_workers[])
{
	const struct farm *f = iteration->farm;
	int n = iteration->rules.n;
	struct tournament replies;
	struct master m = { .iteration = iteration,
			    .workers = ret_workers,
			    .replies = &replies };

	assert(n >= 1 && n <= FARM_WORKERS_MAX);
	handout_begin(&m.handout, iteration->policy, &iteration->rules);
	if (ret_workers)
		memset(ret_workers, 0, (size_t)n * sizeof(*ret_workers));
	replies.first = serve_all(&m, n);
	while (replies.first.time < HUGE_VAL) {
		int worker = replies.first.worker;
		double bytes =
			replies.tasks[worker] * (1 - f->alpha) * f->V / f->M;
		const struct message_class *c =
			message_class_of(iteration->costs, bytes);

		m.received_at = latest(replies.first.time, m.received_at) +
				c->k * bytes;
		replies_replace(&replies, n,
				serve_worker(&m, worker, m.received_at));
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
