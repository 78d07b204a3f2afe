/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing.c - the run time of a profiled application on given nodes and links
 *
 * In the profile
 *
 *	run time = busy time of the busiest node + waiting for messages
 *
 * Both are moved to the setting of now, links first ([2] section 3.3): what
 * messages take longer is waited for (sharing_links.c), and with so much more
 * idle time each node's busy time follows (sharing_cpu.c).  Then it is seen
 * which node finishes last (NOTE.md, section 5).
 */
#include <math.h>

#include "predictor/models/sharing/sharing.h"
#include "predictor/models/sharing/sharing_cpu.h"
#include "predictor/models/sharing/sharing_links.h"
#include "predictor/models/sharing/sharing_messages.h"

/* What holds for all nodes. */
struct sharing_estimate {
	const struct profile *p;
	const struct sharing_setting *now;
	double answers[PROFILE_NODES_MAX]; /* of nodes of the profile */
	double arrivals[PROFILE_NODES_MAX];
	double busiest_s; /* the longest busy time in the profile */
	double waiting_s; /* for messages, by the busiest node */
};

/* Return the part of a profiled node's work that a node has now. */
static double part_of(const struct sharing_estimate *e)
{
	return e->p->node_count > 0
		       ? (double)e->p->node_count / e->now->node_count
		       : 1;
}

/* --- Finish: NOTE.md, section 5 ------------------------------------------- */

/* Times of nodes, one after the other: the longest, and how far behind the
 * second it is.  Begins with 0 and -1. */
struct longest {
	double s;
	struct sharing_lag lag;
};

static void longest_add(struct longest *longest, int node, double s)
{
	struct sharing_lag *lag = &longest->lag;

	if (s > longest->s) {
		*lag = (struct sharing_lag){ node, s - longest->s };
		longest->s = s;
	} else {
		lag->s = fmin(lag->s, longest->s - s);
	}
}

static struct longest find_busiest(const struct profile *p)
{
	struct longest longest = { 0, { -1, 0 } };

	for (int k = 0; k < p->node_count; k++)
		longest_add(&longest, k, sharing_busy_before(p, &p->node[k]));
	return longest;
}

/* When the node at `place` of the setting is done.  One without answers waits
 * less as it gets slower: its next message is there by then. */
static struct sharing_busy finish_of(const struct sharing_estimate *e,
				     int place)
{
	int k = (int)((int64_t)place * e->p->node_count / e->now->node_count);
	const struct profile_node *then = &e->p->node[k];
	double spare_s = e->busiest_s - sharing_busy_before(e->p, then);
	struct sharing_task task = { .profile = e->p,
				     .then = then,
				     .setting = e->now,
				     .now = &e->now->nodes[place],
				     .idle_s = fmax(e->waiting_s + spare_s, 0),
				     .answers = e->answers[k],
				     .arrivals = e->arrivals[k] };
	struct sharing_busy f = sharing_busy_now(&task);

	if (e->p->pair_count > 0 && task.answers <= 0) {
		double as_before_s = fmin(f.s, e->busiest_s * part_of(e));

		f.s = fmax(f.s, as_before_s + e->waiting_s);
		f.turns_s = 0; /* it is not in step with others */
	} else {
		f.s += e->waiting_s;
	}
	return f;
}

/* The node that finishes last; when each does in `ret_of`. */
static struct sharing_lag
finish_all(const struct sharing_estimate *e,
	   struct sharing_busy ret_of[PROFILE_NODES_MAX])
{
	struct longest longest = { 0, { -1, 0 } };

	for (int place = 0; place < e->now->node_count; place++) {
		ret_of[place] = finish_of(e, place);
		longest_add(&longest, place, ret_of[place].s);
	}
	return longest.lag;
}

/* Return how much later than the last node both are done, in the mean, if what
 * each waits for turns is anything from nothing to twice its mean. */
static double later_s(const struct sharing_busy *last,
		      const struct sharing_busy *other)
{
	double wide = fmax(last->turns_s, other->turns_s);
	double narrow = fmin(last->turns_s, other->turns_s);
	double gap = last->s - other->s;

	if (wide <= 0 || gap >= wide + narrow)
		return 0;
	if (gap > wide - narrow)
		return pow(wide + narrow - gap, 3) / (24 * wide * narrow);
	return (pow(wide - gap, 2) + pow(narrow, 2) / 3) / (4 * wide);
}

/* When all nodes are done, and the one that they wait for. */
static double last_finish(const struct sharing_estimate *e, int *ret_node)
{
	struct sharing_busy of[PROFILE_NODES_MAX];
	double more_s = 0;
	int node = finish_all(e, of).node;

	*ret_node = node;
	if (node < 0)
		return 0;
	for (int place = 0; place < e->now->node_count; place++)
		if (place != node)
			more_s = fmax(more_s, later_s(&of[node], &of[place]));
	return of[node].s + more_s;
}

/* --- Both, links first ([2] section 3.3) ---------------------------------- */

/* Which node lags is found without what links add. */
static void find_delay(const struct sharing_estimate *e,
		       const struct sharing_lag *lag_before,
		       struct sharing_delay *ret)
{
	struct sharing_lag before = { -1, 0 }, now = { -1, 0 };
	struct sharing_busy of[PROFILE_NODES_MAX];

	if (e->p->node_count > 0 && sharing_lag_matters(e->p)) {
		before = *lag_before;
		before.node = sharing_place_of(e->p, e->now, before.node);
		now = finish_all(e, of);
	}
	sharing_find_delay(e->p, e->now, e->answers, &before, &now, ret);
}

static bool is_possible(const struct profile *p,
			const struct sharing_setting *now)
{
	return isfinite(p->runtime_s) && p->runtime_s > 0 && p->nodes > 0 &&
	       p->nodes <= PROFILE_NODES_MAX && p->node_count >= 0 &&
	       p->node_count <= PROFILE_NODES_MAX &&
	       p->pair_count <= PROFILE_PAIRS_MAX &&
	       (p->node_count > 0 || p->pair_count >= 0) &&
	       now->node_count > 0 && now->node_count <= PROFILE_NODES_MAX;
}

double sharing_runtime(const struct profile *profile,
		       const struct sharing_setting *now,
		       struct sharing_why *ret_why)
{
	struct sharing_why why = { .cpu_factor = 1, .node = -1 };
	struct sharing_estimate e = { .p = profile, .now = now };
	struct longest busiest;
	struct sharing_delay delay;

	if (!is_possible(profile, now))
		return NAN;
	sharing_count_answers(profile, e.answers);
	sharing_count_arrivals(profile, e.arrivals);
	busiest = find_busiest(profile);
	e.busiest_s = busiest.s;
	e.waiting_s = profile->runtime_s - e.busiest_s;

	find_delay(&e, &busiest.lag, &delay);
	/* Faster links save no more than there was to wait for. */
	why.link_s = fmax(delay.longer_s, -e.waiting_s);
	why.link_node = delay.node;
	e.waiting_s += why.link_s;

	/* With the CPUs of the profile, and with those of now. */
	double same_s = e.waiting_s + e.busiest_s * part_of(&e);
	double now_s =
		profile->node_count > 0 ? last_finish(&e, &why.node) : same_s;

	if (now_s <= same_s)
		why.node = -1;
	if (delay.ahead_s > same_s) {
		why.link_s += delay.ahead_s - same_s;
		why.link_node = delay.ahead_node;
		same_s = delay.ahead_s;
	}
	now_s = fmax(now_s, delay.ahead_s);
	if (same_s > 0)
		why.cpu_factor = now_s / same_s;
	if (ret_why)
		*ret_why = why;
	return now_s;
}
