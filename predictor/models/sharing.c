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
#include <string.h>

#include "predictor/models/sharing.h"

#define BITS 8 /* on the way for each byte */

/* Nodes that send each other as much are taken to do so at the same time. */
#define ALIKE 0.8

/* What messages of a node take, one after the other. */
struct traffic {
	double out_s, in_s;
};

/* Those that somebody waits for, and those that are sent ahead. */
struct traffics {
	struct traffic waited[PROFILE_NODES_MAX];
	struct traffic ahead[PROFILE_NODES_MAX];
};

/* What holds for all nodes of a run under way. */
struct course {
	const struct profile *p;
	const struct sharing_setting *now;
	double answers[PROFILE_NODES_MAX]; /* that a node of p waits for */
	double before_s;  /* the longest busy time in the profile */
	double waiting_s; /* how long the busiest node waits in all */
};

static double known(double value, double otherwise)
{
	return isfinite(value) && value > 0 ? value : otherwise;
}

static double number(double value)
{
	return known(value, 0);
}

/* Of what each node sends to each other. */
struct exchange {
	float sent[PROFILE_NODES_MAX][PROFILE_NODES_MAX]; /* from, to */
};

static double messages_of(const struct profile_pair *pair)
{
	return number(pair->messages);
}

static double bytes_of(const struct profile_pair *pair)
{
	return number(pair->bytes);
}

static void find_exchange(const struct profile *p,
			  double (*value_of)(const struct profile_pair *pair),
			  struct exchange *ret)
{
	for (uint32_t from = 0; from < p->nodes; from++)
		memset(ret->sent[from], 0, sizeof(float) * p->nodes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < p->nodes && p->pair[i].to < p->nodes)
			ret->sent[p->pair[i].from][p->pair[i].to] =
				(float)value_of(&p->pair[i]);
}

/* How often each node waits for an answer: messages that it gets from another
 * to which it sends as many.  Where messages only come, the sender runs
 * ahead. */
static void count_answers(const struct profile *p, double ret[])
{
	struct exchange messages;

	find_exchange(p, messages_of, &messages);
	for (uint32_t from = 0; from < p->nodes; from++) {
		ret[from] = 0;
		for (uint32_t to = 0; to < p->nodes; to++)
			ret[from] = fmax(ret[from],
					 fmin((double)messages.sent[from][to],
					      (double)messages.sent[to][from]));
	}
}

/* --- Links --------------------------------------------------------------- */

static bool are_alike(double a, double b)
{
	return fmin(a, b) > ALIKE * fmax(a, b);
}

/* Bytes in whose time the link stands still, since answers are on their way. */
static double held_up(const struct exchange *bytes,
		      const struct profile_pair *pair, double first_part)
{
	double there = bytes_of(pair), messages = messages_of(pair);
	double back = (double)bytes->sent[pair->to][pair->from];

	return there > first_part * messages && are_alike(back, there)
		       ? messages * first_part
		       : 0;
}

/* Seconds for so many messages; what is not known takes none. */
static double messages_s(double messages, double bytes, double bandwidth_bps,
			 double latency_s)
{
	return number(messages) * number(latency_s) +
	       BITS * bytes / known(bandwidth_bps, HUGE_VAL);
}

/* The node of now that has the part of node k of the profile. */
static int place_of(const struct profile *p, const struct sharing_setting *now,
		    int k)
{
	return (int)((int64_t)k * now->node_count / p->nodes);
}

static void add_traffic(struct traffic t[], int from, int to, double s)
{
	t[from].out_s += s;
	t[to].in_s += s;
}

/* Where nobody answers, a message is on its way while both ends compute. */
static bool is_sent_ahead(const struct course *c,
			  const struct profile_pair *pair)
{
	return messages_of(pair) > 0 && c->answers[pair->from] <= 0 &&
	       c->answers[pair->to] <= 0;
}

static void add_pair(const struct course *c, const struct exchange *all_bytes,
		     const struct profile_pair *pair, struct traffics *before,
		     struct traffics *after)
{
	const struct sharing_setting *now = c->now;
	struct sharing_link link = { NAN, NAN };
	int from = place_of(c->p, now, pair->from);
	int to = place_of(c->p, now, pair->to);

	if (from == to)
		return;
	if (now->link_of)
		now->link_of(now->context, from, to, &link);

	/* What was not measured in the profile was as it is now. */
	double bandwidth_bps = known(pair->bandwidth_bps, link.bandwidth_bps);
	double bandwidth_now_bps = known(link.bandwidth_bps, bandwidth_bps);
	double latency_s = known(pair->latency_s, link.latency_s);
	double latency_now_s = known(link.latency_s, latency_s);

	if (is_sent_ahead(c, pair)) {
		double bytes = bytes_of(pair);

		add_traffic(before->ahead, from, to,
			    messages_s(0, bytes, bandwidth_bps, 0));
		add_traffic(after->ahead, from, to,
			    messages_s(0, bytes, bandwidth_now_bps, 0));
		return;
	}

	double bytes = bytes_of(pair) +
		       held_up(all_bytes, pair, now->first_part_bytes);

	add_traffic(
		before->waited, from, to,
		messages_s(pair->messages, bytes, bandwidth_bps, latency_s));
	add_traffic(after->waited, from, to,
		    messages_s(pair->messages, bytes, bandwidth_now_bps,
			       latency_now_s));
}

/* The node whose messages take longest. */
static int slowest(const struct traffic t[], int count, double *ret_s)
{
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		double s = fmax(t[k].out_s, t[k].in_s);

		if (s > *ret_s) {
			*ret_s = s;
			node = k;
		}
	}
	return node;
}

static void clear(struct traffics *t, int count)
{
	memset(t->waited, 0, sizeof(t->waited[0]) * (size_t)count);
	memset(t->ahead, 0, sizeof(t->ahead[0]) * (size_t)count);
}

/* How links make a run longer, and the nodes whose messages take longest. */
struct delay {
	double longer_s; /* for messages that are waited for */
	int node;
	double ahead_s; /* it takes so long at least, for the other messages */
	int ahead_node;
};

/* Messages that are sent ahead had room within the run time of the profile. */
static void find_delay(const struct course *c, struct delay *ret)
{
	const struct profile *p = c->p;
	int count = c->now->node_count;
	struct traffics before, after;
	struct exchange bytes;
	double before_s, after_s;

	*ret = (struct delay){ 0, -1, 0, -1 };
	if (p->pair_count <= 0)
		return;
	clear(&before, count);
	clear(&after, count);
	find_exchange(p, bytes_of, &bytes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < p->nodes && p->pair[i].to < p->nodes)
			add_pair(c, &bytes, &p->pair[i], &before, &after);
	slowest(before.waited, count, &before_s);

	int node = slowest(after.waited, count, &after_s);

	ret->longer_s = after_s - before_s;
	if (after_s > before_s)
		ret->node = node;
	slowest(before.ahead, count, &before_s);
	ret->ahead_node = slowest(after.ahead, count, &after_s);
	ret->ahead_s = after_s - fmax(before_s - p->runtime_s, 0);
}

/* --- CPUs ---------------------------------------------------------------- */

/* What a process would get by the sensors, in the profile and now. */
static double sensed_before(const struct profile_node *n)
{
	return fmin(known(n->cpu_available, 1), 1);
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
	double busy_s = number(n->busy_s), share = sensed_before(n);

	if (!isfinite(n->ready_s))
		return fmin(busy_s / share, p->runtime_s);

	double s = busy_s + number(n->ready_s);
	double taken_s = fmax(busy_s - share * s, 0);
	double left_s = share * p->runtime_s - busy_s - number(n->spinning_s);
	double missing_s = fmin(fmax(taken_s - left_s, 0), taken_s);

	return fmin(s + missing_s / share, p->runtime_s);
}

/* The share of a CPU that its task had, while it was busy. */
static double share_before(const struct profile *p,
			   const struct profile_node *n)
{
	double s = busy_before(p, n);

	return s > 0 ? fmin(number(n->busy_s) / s, 1) : 1;
}

/* Its cycles.  Who looks at a process only now and then sees not all of its
 * idle phases; answers tell of more, if waiting for these is what costs. */
static double cycles(const struct profile *p, const struct profile_node *n,
		     const struct sharing_setting *now, double answers)
{
	double seen = busy_before(p, n) / known(n->busy_phase_s, HUGE_VAL);

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

	return fmin(known(node->cpu_available, before), 1);
}

/* With x more who compete, a share is 1 / (1 + x) of what it was. */
static double competitors(const struct profile_node *n,
			  const struct sharing_node *node)
{
	return fmax(sensed_before(n) / sensed_now(n, node) - 1, 0);
}

/* The share that its task gets now while it is busy.  If it had more than the
 * sensor said was to be had, the node's quota was left over from when it slept.
 * A competitor leaves nothing over; x of one, who make a share 1 / (1 + x) of
 * what it was, leave 1 - x of it. */
static double share_now(const struct profile_node *n,
			const struct sharing_node *node, double a0)
{
	double before = sensed_before(n);
	double now = sensed_now(n, node);
	double spared =
		fmax(a0 - before, 0) * (now < before ? 2 - before / now : 1);

	/* By how much it changed: sensors of then and now err alike. */
	return fmin(fmin(a0, before) * now / before + fmax(spared, 0), 1);
}

/* When a node is done, and what of that it waited for its turn. */
struct finish {
	double s, turns_s;
};

/* Wall time of a node's busy phases now; it has its part of the work of node n,
 * and waits for so long in all. */
static struct finish busy_now(const struct course *c,
			      const struct profile_node *n,
			      const struct sharing_node *node, double idle_s,
			      double answers)
{
	double a0 = share_before(c->p, n);
	double a = share_now(n, node, a0);
	double speed = known(n->cpu_speed, 1);
	double faster = known(node->cpu_speed, speed) / speed;
	double busy_s =
		number(n->busy_s) * c->p->node_count / c->now->node_count;
	double phases = cycles(c->p, n, c->now, answers);
	double spinning_s = number(n->spinning_s) / a0;
	double sleeping_s = fmax(idle_s - spinning_s, 0);

	if (busy_s <= 0)
		return (struct finish){ 0, 0 };

	double turns_s = phases * c->now->turn_s * competitors(n, node);

	return (struct finish){
		.s = turns_s + phases * busy_phase(c->now,
						   busy_s / faster / phases,
						   sleeping_s / phases, a, a0),
		.turns_s = turns_s,
	};
}

/* The longest busy time of any node in the profile. */
static double longest_before(const struct profile *p)
{
	double longest_s = 0;

	for (int k = 0; k < p->node_count; k++)
		longest_s = fmax(longest_s, busy_before(p, &p->node[k]));
	return longest_s;
}

/* A node that gets no answers waits less as it takes longer itself: what it
 * works on is there by then. */
static struct finish finish_of(const struct course *c, int place)
{
	int k = (int)((int64_t)place * c->p->node_count / c->now->node_count);
	const struct profile_node *n = &c->p->node[k];
	double part = (double)c->p->node_count / c->now->node_count;
	double idle_s = c->waiting_s + c->before_s - busy_before(c->p, n);
	struct finish f = busy_now(c, n, &c->now->nodes[place], fmax(idle_s, 0),
				   c->answers[k]);

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

/* Run time of the node that the others wait for; where another is about as
 * slow, now the one is waited for and now the other. */
static double slowest_now(const struct course *c, int *ret_node)
{
	struct finish of[PROFILE_NODES_MAX], slowest = { 0, 0 };
	double more_s = 0;

	*ret_node = -1;
	for (int place = 0; place < c->now->node_count; place++) {
		of[place] = finish_of(c, place);
		if (of[place].s > slowest.s) {
			slowest = of[place];
			*ret_node = place;
		}
	}
	for (int place = 0; place < c->now->node_count; place++)
		if (place != *ret_node)
			more_s = fmax(more_s, later_s(&slowest, &of[place]));
	return slowest.s + more_s;
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
	struct delay delay;

	if (!possible(profile, now))
		return NAN;

	struct course course = {
		.p = profile,
		.now = now,
		.before_s = longest_before(profile),
	};

	count_answers(profile, course.answers);
	find_delay(&course, &delay);
	course.waiting_s = profile->runtime_s - course.before_s;
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
