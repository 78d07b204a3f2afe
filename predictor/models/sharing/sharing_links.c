/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_links.c - what the messages of a profiled application take
 *
 * The time of each pair's messages is found with the links of the profile, and
 * with those of now, and added up at both of its nodes (NOTE.md, section 4):
 *
 *	ahead		never waited for: a lower bound of the run time
 *	requests	one direction after the other, all peers at once
 *	exchanges	one peer after the other, both directions at once;
 *			acknowledgements of long ones wait for eager parts
 *
 * The node where that is most decides, in the profile and now.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/known_or.h"
#include "predictor/models/sharing/sharing_links.h"
#include "predictor/models/sharing/sharing_messages.h"

#define BITS 8 /* on the link for each byte */

/* Nodes that send each other as much are taken to do so at the same time. */
#define ALIKE 0.8

/* What messages of one node take. */
struct node_traffic {
	/* Exchanges.  Replies are within in_s; early is what has arrived when
	 * the node that lags begins to send. */
	double out_s, in_s, replies_s, early_s;

	double requests_bytes, fastest_bps; /* requests and their replies */
	double ahead_out_s, ahead_in_s;
};

/* The traffic of all nodes, and for each pair what its requests and
 * replies take. */
struct all_traffic {
	const struct sharing_lag *lag;
	struct node_traffic node[PROFILE_NODES_MAX];
	float requests_s[PROFILE_NODES_MAX][PROFILE_NODES_MAX];
};

/* The cost of the messages of a pair. */
struct cost {
	double bytes, bandwidth_bps, bytes_s, eager_s, latency_s;
};

struct message_context {
	const struct profile *p;
	const struct sharing_setting *now;
	const double *answers;
	struct sharing_matrix messages, bytes;
};

static bool are_alike(double a, double b)
{
	return fmin(a, b) > ALIKE * fmax(a, b);
}

/* --- Time of a pair's messages -------------------------------------------- */

/* Eager parts delay acknowledgements only where both nodes send long
 * messages. */
static double eager_bytes(const struct message_context *l,
			  const struct profile_pair *pair)
{
	double back = (double)l->bytes.sent[pair->to][pair->from];

	return are_alike(back, known_or(pair->bytes, 0))
		       ? known_or(pair->long_messages, 0) * l->now->eager_bytes
		       : 0;
}

/* What is not known takes no time. */
static struct cost cost_of(const struct message_context *l,
			   const struct profile_pair *pair,
			   struct sharing_link link)
{
	double bandwidth_bps = known_or(link.bandwidth_bps, HUGE_VAL);
	double byte_s = BITS / bandwidth_bps;
	double bytes = known_or(pair->bytes, 0);

	return (struct cost){
		.bytes = bytes,
		.bandwidth_bps = bandwidth_bps,
		.bytes_s = bytes * byte_s,
		.eager_s = eager_bytes(l, pair) * byte_s,
		.latency_s = known_or(pair->messages, 0) *
			     known_or(link.latency_s, 0),
	};
}

/* The acknowledgement of a long message waits for eager parts twice: for those
 * of the receiver, which got the message after those of others. */
static void add_exchange(struct all_traffic *t, int from, int to,
			 const struct cost *cost, double replies)
{
	double s = cost->latency_s + cost->bytes_s + 2 * cost->eager_s;
	double early_s = cost->eager_s * (1 - replies);

	t->node[from].out_s += s;
	t->node[to].in_s += s;
	t->node[to].replies_s += s * replies;
	if (to == t->lag->node) {
		t->node[from].early_s += early_s;
		t->node[to].early_s += early_s;
	}
}

static void add_ahead(struct all_traffic *t, int from, int to,
		      const struct cost *cost)
{
	t->node[from].ahead_out_s += cost->bytes_s;
	t->node[to].ahead_in_s += cost->bytes_s;
}

static void add_request(struct all_traffic *t, int from, int to,
			const struct cost *cost)
{
	float s = (float)(cost->latency_s + cost->bytes_s);
	const int ends[] = { from, to };

	t->requests_s[from][to] += s;
	t->requests_s[to][from] += s;
	for (int i = 0; i < 2; i++) {
		struct node_traffic *end = &t->node[ends[i]];

		end->requests_bytes += cost->bytes;
		end->fastest_bps = fmax(end->fastest_bps, cost->bandwidth_bps);
	}
}

/* If neither end gets answers, messages are in transit while both compute. */
static bool is_sent_ahead(const struct message_context *l,
			  const struct profile_pair *pair)
{
	return known_or(pair->messages, 0) > 0 && l->answers[pair->from] <= 0 &&
	       l->answers[pair->to] <= 0;
}

/* Nodes that send each other as many messages, but not as much. */
static bool is_request(const struct message_context *l,
		       const struct profile_pair *pair)
{
	double messages_back = (double)l->messages.sent[pair->to][pair->from];
	double bytes_back = (double)l->bytes.sent[pair->to][pair->from];

	return are_alike(known_or(pair->messages, 0), messages_back) &&
	       !are_alike(known_or(pair->bytes, 0), bytes_back);
}

static void add_messages(const struct message_context *l,
			 const struct profile_pair *pair,
			 struct sharing_link link, struct all_traffic *t)
{
	struct cost cost = cost_of(l, pair, link);
	int from = sharing_place_of(l->p, l->now, pair->from);
	int to = sharing_place_of(l->p, l->now, pair->to);

	if (is_sent_ahead(l, pair))
		add_ahead(t, from, to, &cost);
	else if (is_request(l, pair))
		add_request(t, from, to, &cost);
	else
		add_exchange(t, from, to, &cost, sharing_replies(pair));
}

static void add_pair(const struct message_context *l,
		     const struct profile_pair *pair,
		     struct all_traffic *before, struct all_traffic *after)
{
	const struct sharing_setting *now = l->now;
	struct sharing_link then = { pair->bandwidth_bps, pair->latency_s };
	struct sharing_link link = { NAN, NAN };
	int from = sharing_place_of(l->p, now, pair->from);
	int to = sharing_place_of(l->p, now, pair->to);

	if (from == to)
		return;
	if (now->link_of)
		now->link_of(now->context, from, to, &link);

	/* What was not measured in the profile was as it is now. */
	then.bandwidth_bps = known_or(then.bandwidth_bps, link.bandwidth_bps);
	link.bandwidth_bps = known_or(link.bandwidth_bps, then.bandwidth_bps);
	then.latency_s = known_or(then.latency_s, link.latency_s);
	link.latency_s = known_or(link.latency_s, then.latency_s);
	add_messages(l, pair, then, before);
	add_messages(l, pair, link, after);
}

/* --- The node whose messages take longest --------------------------------- */

/* To the node that lags, what others send unasked has arrived by the time that
 * it sends, of long messages the eager parts; replies come after all that it
 * sends. */
static double exchanges_of(const struct all_traffic *t, int node)
{
	const struct sharing_lag *lag = t->lag;
	const struct node_traffic *of = &t->node[node];
	double s = fmax(of->out_s, of->in_s);

	if (node == lag->node)
		s = fmax(s, of->out_s + fmin(of->replies_s, lag->s));
	return s - fmin(of->early_s, lag->s);
}

/* Requests to several nodes are under way at the same time: they take as long
 * as those to one of them, or as all take on the node's own link, which is no
 * slower than the fastest of its links. */
static double requests_of(const struct all_traffic *t, int node, int count)
{
	const struct node_traffic *of = &t->node[node];
	double longest_s = 0;

	if (of->requests_bytes <= 0)
		return 0;
	for (int i = 0; i < count; i++)
		longest_s = fmax(longest_s, (double)t->requests_s[node][i]);
	return fmax(longest_s, of->requests_bytes * BITS / of->fastest_bps);
}

static int slowest(const struct all_traffic *t, int count, double *ret_s)
{
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		double s = exchanges_of(t, k) + requests_of(t, k, count);

		if (s > *ret_s) {
			*ret_s = s;
			node = k;
		}
	}
	return node;
}

static int slowest_ahead(const struct all_traffic *t, int count, double *ret_s)
{
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		double s = fmax(t->node[k].ahead_out_s, t->node[k].ahead_in_s);

		if (s > *ret_s) {
			*ret_s = s;
			node = k;
		}
	}
	return node;
}

static void clear_traffic(struct all_traffic *t, int count,
			  const struct sharing_lag *lag)
{
	t->lag = lag;
	memset(t->node, 0, sizeof(t->node[0]) * (size_t)count);
	for (int k = 0; k < count; k++)
		memset(t->requests_s[k], 0, sizeof(float) * (size_t)count);
}

void sharing_find_delay(const struct profile *p,
			const struct sharing_setting *now,
			const double answers[PROFILE_NODES_MAX],
			const struct sharing_lag *lag_before,
			const struct sharing_lag *lag_now,
			struct sharing_delay *ret)
{
	int count = now->node_count;
	struct message_context l = { .p = p, .now = now, .answers = answers };
	struct all_traffic before, after;
	double before_s, after_s;

	*ret = (struct sharing_delay){ 0, -1, 0, -1 };
	if (p->pair_count <= 0)
		return;
	clear_traffic(&before, count, lag_before);
	clear_traffic(&after, count, lag_now);
	sharing_find_messages(p, &l.messages);
	sharing_find_bytes(p, &l.bytes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < p->nodes && p->pair[i].to < p->nodes)
			add_pair(&l, &p->pair[i], &before, &after);
	slowest(&before, count, &before_s);

	int node = slowest(&after, count, &after_s);

	ret->longer_s = after_s - before_s;
	if (after_s > before_s)
		ret->node = node;

	/* Messages sent ahead had room within the run time of the profile. */
	slowest_ahead(&before, count, &before_s);
	ret->ahead_node = slowest_ahead(&after, count, &after_s);
	ret->ahead_s = after_s - fmax(before_s - p->runtime_s, 0);
}
