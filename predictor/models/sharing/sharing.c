/* sharing.c - the run time of a profiled application on given nodes and links
 *
 * In the profile, a node's task was busy for busy_s of CPU time, for which it
 * took busy_s + ready_s, as it had only the share a0 of a CPU; the rest of the
 * run time it waited for messages:
 *
 *	run time = busy_s + ready_s of the busiest node + waiting for messages
 *
 * Both terms are then moved to the setting of now.
 */
#include <math.h>
#include <stdbool.h>

#include "predictor/models/sharing/sharing.h"
#include "predictor/models/sharing/sharing_links.h"

/* What holds for all nodes of a run under way. */
struct course {
	const struct profile *p;
	const struct sharing_setting *now;
	double answers[PROFILE_NODES_MAX];  /* that a node of p waits for */
	double arrivals[PROFILE_NODES_MAX]; /* how often it looks for more */
	double before_s;  /* the longest busy time in the profile */
	double waiting_s; /* how long the busiest node waits in all */
};

/* --- CPUs ---------------------------------------------------------------- */

/* What a process would get by the sensors, in the profile and now. */
static double sensed_before(const struct profile_node *n)
{
	return fmin(sharing_known(n->cpu_available, 1), 1);
}

/* Wall time of its busy phases in the profile.  If that was not measured, they
 * had what the sensor says was to be had.
 *
 * If they had more, that came from the node's quota of other times.  What was
 * left over of this all the same shows that it was free to take; else it was
 * missing later, and a part of the time in which the task seemed to wait for
 * messages is due to its own work. */
static double busy_before(const struct profile *p, const struct profile_node *n)
{
	double busy_s = sharing_number(n->busy_s), share = sensed_before(n);

	if (!isfinite(n->ready_s))
		return fmin(busy_s / share, p->runtime_s);

	double s = busy_s + sharing_number(n->ready_s);
	double taken_s = fmax(busy_s - share * s, 0);
	double left_s =
		share * p->runtime_s - busy_s - sharing_number(n->spinning_s);
	double missing_s = fmin(fmax(taken_s - left_s, 0), taken_s);

	return fmin(s + missing_s / share, p->runtime_s);
}

/* The share of a CPU that its task had, while it was busy. */
static double share_before(const struct profile *p,
			   const struct profile_node *n)
{
	double s = busy_before(p, n);

	return s > 0 ? fmin(sharing_number(n->busy_s) / s, 1) : 1;
}

/* Its cycles.  Who looks at a process only now and then sees not all of its
 * idle phases; answers tell of more, if waiting for these is what costs. */
static double cycles(const struct profile *p, const struct profile_node *n,
		     const struct sharing_setting *now, double answers)
{
	double seen =
		busy_before(p, n) / sharing_known(n->busy_phase_s, HUGE_VAL);

	return fmax(now->turn_s > 0 ? fmax(seen, answers) : seen, 1);
}

/* Seconds of a busy phase of b CPU seconds after i seconds of sleep, at the
 * share a of a CPU that gives a0 while nobody competes.  While it slept others
 * got a0 * i, of which a / (a0 - a) is due to it.  With all of that as credit
 * the cycle i + busy_phase() is max(b / a0 + i, b / a). */
static double busy_phase(const struct sharing_setting *now, double b, double i,
			 double a, double a0)
{
	if (a >= a0)
		return b / a;

	double credit = fmin(fmin(b, now->credit_s), a0 * i * a / (a0 - a));

	return credit / a0 + (b - credit) / a;
}

static double sensed_now(const struct profile_node *n,
			 const struct sharing_node *node)
{
	double before = sensed_before(n);

	return fmin(sharing_known(node->cpu_available, before), 1);
}

/* With x more who compete, a share is 1 / (1 + x) of what it was. */
static double competitors(const struct profile_node *n,
			  const struct sharing_node *node)
{
	return fmax(sensed_before(n) / sensed_now(n, node) - 1, 0);
}

/* The share that its task gets now while it is busy.  It had another in the
 * profile than the sensor said: more, as the node's quota was left over from when
 * it slept, or less; of this, too, competitors take their part. */
static double share_now(const struct profile_node *n,
			const struct sharing_node *node, double a0)
{
	return fmin(a0 * sensed_now(n, node) / sensed_before(n), 1);
}

/* How often a node that gets no answers loses its turn.  When it looks for its
 * next work it gives way to a competitor, though that work is there.  A turn is
 * turn_s after its middle, so twice that at the node's share of the CPU; who was
 * busy for less since the last time is owed the rest, and gets it back. */
static double turns_lost(const struct course *c, double arrivals, double busy_s,
			 double a0)
{
	double turn = 2 * c->now->turn_s * a0;
	double phase = busy_s / fmax(arrivals, 1);

	return arrivals * fmax(1 - turn / phase, 0);
}

/* When a node is done, and what of that it waited for its turn. */
struct finish {
	double s, turns_s;
};

/* Wall time of a node's busy phases now; it has its part of the work of node k of
 * the profile, and waits for so long in all. */
static struct finish busy_now(const struct course *c, int k,
			      const struct sharing_node *node, double idle_s)
{
	const struct profile_node *n = &c->p->node[k];
	double a0 = share_before(c->p, n);
	double a = share_now(n, node, a0);
	double speed = sharing_known(n->cpu_speed, 1);
	double faster = sharing_known(node->cpu_speed, speed) / speed;
	double busy_s = sharing_number(n->busy_s) * c->p->node_count /
			c->now->node_count;
	double phases = cycles(c->p, n, c->now, c->answers[k]);
	double spinning_s = sharing_number(n->spinning_s) / a0;
	double sleeping_s = fmax(idle_s - spinning_s, 0);

	if (busy_s <= 0)
		return (struct finish){ 0, 0 };

	double turns = phases;

	if (c->answers[k] <= 0)
		turns = fmax(turns, turns_lost(c, c->arrivals[k], busy_s, a0));

	double turns_s = turns * c->now->turn_s * competitors(n, node);

	return (struct finish){
		.s = turns_s + phases * busy_phase(c->now,
						   busy_s / faster / phases,
						   sleeping_s / phases, a, a0),
		.turns_s = turns_s,
	};
}

/* Of nodes told one after the other, the one that is longest busy; 0 and -1 at
 * first. */
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

static struct longest longest_before(const struct profile *p)
{
	struct longest longest = { 0, { -1, 0 } };

	for (int k = 0; k < p->node_count; k++)
		longest_add(&longest, k, busy_before(p, &p->node[k]));
	return longest;
}

/* A node that gets no answers waits less as it takes longer itself: what it
 * works on is there by then. */
static struct finish finish_of(const struct course *c, int place)
{
	int k = (int)((int64_t)place * c->p->node_count / c->now->node_count);
	const struct profile_node *n = &c->p->node[k];
	double part = (double)c->p->node_count / c->now->node_count;
	double idle_s = c->waiting_s + c->before_s - busy_before(c->p, n);
	struct finish f =
		busy_now(c, k, &c->now->nodes[place], fmax(idle_s, 0));

	if (c->p->pair_count > 0 && c->answers[k] <= 0) {
		f.s = fmax(f.s, fmin(f.s, c->before_s * part) + c->waiting_s);
		f.turns_s = 0; /* in step with nobody */
	} else {
		f.s += c->waiting_s;
	}
	return f;
}

/* How much later than the first of two both are done, in the mean, if each turn
 * takes from nothing to twice its mean, and they go in step. */
static double later_s(const struct finish *first, const struct finish *second)
{
	double wide = fmax(first->turns_s, second->turns_s);
	double narrow = fmin(first->turns_s, second->turns_s);
	double gap = first->s - second->s;

	if (wide <= 0 || gap >= wide + narrow)
		return 0;
	if (gap > wide - narrow)
		return pow(wide + narrow - gap, 3) / (24 * wide * narrow);
	return (pow(wide - gap, 2) + pow(narrow, 2) / 3) / (4 * wide);
}

/* When each node is done; gives the one that the others wait for. */
static struct sharing_lag finish_all(const struct course *c,
				     struct finish ret_of[PROFILE_NODES_MAX])
{
	struct longest longest = { 0, { -1, 0 } };

	for (int place = 0; place < c->now->node_count; place++) {
		ret_of[place] = finish_of(c, place);
		longest_add(&longest, place, ret_of[place].s);
	}
	return longest.lag;
}

/* Run time of the node that the others wait for; where another is about as
 * slow, now the one is waited for and now the other. */
static double slowest_now(const struct course *c, int *ret_node)
{
	struct finish of[PROFILE_NODES_MAX];
	double more_s = 0;
	int node = finish_all(c, of).node;

	*ret_node = node;
	if (node < 0)
		return 0;
	for (int place = 0; place < c->now->node_count; place++)
		if (place != node)
			more_s = fmax(more_s, later_s(&of[node], &of[place]));
	return of[node].s + more_s;
}

static void find_delay(const struct course *c,
		       const struct sharing_lag *lag_before,
		       struct sharing_delay *ret)
{
	struct sharing_lag before = { -1, 0 }, now = { -1, 0 };
	struct finish of[PROFILE_NODES_MAX];

	if (c->p->node_count > 0 && sharing_lag_matters(c->p)) {
		before = *lag_before;
		before.node = sharing_place_of(c->p, c->now, before.node);
		now = finish_all(c, of);
	}
	sharing_find_delay(c->p, c->now, c->answers, &before, &now, ret);
}

/* --- Both, links first ([2] section 3.3) --------------------------------- */

static bool possible(const struct profile *p, const struct sharing_setting *now)
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
	struct longest before;
	struct sharing_delay delay;

	if (!possible(profile, now))
		return NAN;

	before = longest_before(profile);

	struct course course = { .p = profile,
				 .now = now,
				 .before_s = before.s };

	sharing_count_answers(profile, course.answers);
	sharing_count_arrivals(profile, course.arrivals);
	course.waiting_s = profile->runtime_s - course.before_s;
	find_delay(&course, &before.lag, &delay);
	/* Faster links save no more than there was to wait for. */
	why.link_s = fmax(delay.longer_s, -course.waiting_s);
	course.waiting_s += why.link_s;

	double part = profile->node_count > 0
			      ? (double)profile->node_count / now->node_count
			      : 1;
	double same_s = course.waiting_s + course.before_s * part;
	double now_s = profile->node_count > 0 ? slowest_now(&course, &why.node)
					       : same_s;

	if (now_s <= same_s)
		why.node = -1;
	why.link_node = delay.node;
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
