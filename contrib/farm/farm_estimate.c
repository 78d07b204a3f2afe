/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_estimate.c - a farm's parameters, measured on the way
 *
 * Sums are kept, of each worker's tasks and of each class of messages, which
 * halve with each iteration.  What is asked for follows from them: means,
 * deviations, lines of least squares.
 */
#include <math.h>
#include <stdlib.h>

#include "contrib/farm/farm_estimate.h"

/* A message costs at least this: no clock is better. */
#define MO_MIN_S 1e-7

int farm_estimate_init(struct farm_estimate *e, int workers)
{
	*e = (struct farm_estimate){ .workers = workers };
	e->times = calloc((size_t)workers, sizeof(*e->times));
	return e->times ? 0 : -1;
}

void farm_estimate_clear(struct farm_estimate *e)
{
	free(e->times);
	*e = (struct farm_estimate){ 0 };
}

void farm_estimate_age(struct farm_estimate *e)
{
	for (int i = 0; i < e->workers; i++) {
		struct worker_times *t = &e->times[i];

		*t = (struct worker_times){ t->tasks / 2, t->sum_s / 2,
					    t->squares_s / 2 };
	}
	for (int i = 0; i < MESSAGES_CLASSES; i++) {
		struct message_times *m = &e->messages[i];

		*m = (struct message_times){ m->count / 2, m->bytes / 2,
					     m->s / 2, m->bytes_bytes / 2,
					     m->bytes_s / 2 };
	}
	e->sent_bytes = e->received_bytes = e->tasks = e->lm_s = 0;
}

void farm_estimate_message(struct farm_estimate *e, size_t bytes, double cost_s,
			   bool sent)
{
	double v = (double)bytes;
	struct message_times *m =
		&e->messages[bytes > EAGER_BYTES_MAX ? MESSAGES_LONG
						     : MESSAGES_EAGER];

	m->count++;
	m->bytes += v;
	m->s += cost_s;
	m->bytes_bytes += v * v;
	m->bytes_s += v * cost_s;
	if (sent)
		e->sent_bytes += v;
	else
		e->received_bytes += v;
}

void farm_estimate_tasks(struct farm_estimate *e, int worker, int tasks,
			 double sum_s, double squares_s)
{
	struct worker_times *t = &e->times[worker];

	t->tasks += tasks;
	t->sum_s += sum_s;
	t->squares_s += squares_s;
	e->tasks += tasks;
}

bool farm_estimate_task(const struct farm_estimate *e, double *ret_mu,
			double *ret_sigma)
{
	double tasks = 0, sum = 0, squares = 0;

	*ret_mu = *ret_sigma = 1;
	for (int i = 0; i < e->workers; i++) {
		tasks += e->times[i].tasks;
		sum += e->times[i].sum_s;
		squares += e->times[i].squares_s;
	}
	if (!(tasks > 0 && sum > 0))
		return false;
	*ret_mu = sum / tasks;
	/* One task shows nothing of how much they differ. */
	*ret_sigma =
		tasks >= 2
			? sqrt(fmax(squares - sum * *ret_mu, 0) / (tasks - 1))
			: *ret_mu;
	return true;
}

double farm_estimate_slowdown(const struct farm_estimate *e, int worker)
{
	double least = HUGE_VAL, own = NAN;

	for (int i = 0; i < e->workers; i++) {
		const struct worker_times *t = &e->times[i];

		if (!(t->tasks > 0 && t->sum_s > 0))
			continue;
		least = fmin(least, t->sum_s / t->tasks);
		if (i == worker)
			own = t->sum_s / t->tasks;
	}
	return isnan(own) ? 1 : own / least;
}

/* Find the line of least squares with mo > 0 and k >= 0. */
static void fit_line(const struct message_times *m, double *ret_mo,
		     double *ret_k)
{
	double mean_bytes = m->bytes / m->count, mean_s = m->s / m->count;
	double spread = m->bytes_bytes - m->bytes * mean_bytes;
	double k = spread > 1e-6 * m->bytes_bytes
			   ? (m->bytes_s - m->bytes * mean_s) / spread
			   : 0;

	/* A line that begins below zero goes through zero. */
	if (mean_s - k * mean_bytes < 0)
		k = mean_s / mean_bytes;
	*ret_k = fmax(k, 0);
	*ret_mo = fmax(mean_s - *ret_k * mean_bytes, MO_MIN_S);
}

void farm_estimate_costs(const struct farm_estimate *e,
			 struct message_costs *ret)
{
	*ret = (struct message_costs){ 0 };
	for (int i = 0; i < MESSAGES_CLASSES; i++) {
		struct message_class *c = &ret->classes[ret->count];

		if (!(e->messages[i].count > 0))
			continue;
		c->bytes_max = i == MESSAGES_EAGER ? EAGER_BYTES_MAX : HUGE_VAL;
		fit_line(&e->messages[i], &c->mo, &c->k);
		ret->count++;
	}
	if (!ret->count)
		ret->classes[ret->count++] =
			(struct message_class){ .mo = MO_MIN_S };
	ret->classes[ret->count - 1].bytes_max = HUGE_VAL;
}

void farm_estimate_farm(const struct farm_estimate *e, int tasks,
			struct farm *ret)
{
	double bytes = e->sent_bytes + e->received_bytes;

	*ret = (struct farm){ .M = tasks, .lm = e->lm_s, .alpha = 0.5 };
	farm_estimate_task(e, &ret->mu, &ret->sigma);
	if (e->tasks > 0 && bytes > 0) {
		ret->V = bytes * tasks / e->tasks;
		ret->alpha = e->sent_bytes / bytes;
	}
}
