/* sharing_links.c - what the messages of a profiled application take */
#include <stdbool.h>
#include <string.h>

#include "predictor/models/sharing/sharing_links.h"

#define BITS 8 /* on the way for each byte */

/* Nodes that send each other as much are taken to do so at the same time. */
#define ALIKE 0.8

/* --- Who sends whom how much ----------------------------------------------- */

struct exchange {
	float sent[PROFILE_NODES_MAX][PROFILE_NODES_MAX]; /* from, to */
};

static double messages_of(const struct profile_pair *pair)
{
	return sharing_number(pair->messages);
}

static double bytes_of(const struct profile_pair *pair)
{
	return sharing_number(pair->bytes);
}

/* Of its messages, the part that are replies. */
static double replies_of(const struct profile_pair *pair)
{
	double messages = messages_of(pair);

	return messages > 0 ? fmin(sharing_number(pair->replies) / messages, 1)
			    : 0;
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

void sharing_count_answers(const struct profile *p,
			   double ret[PROFILE_NODES_MAX])
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

void sharing_count_arrivals(const struct profile *p,
			    double ret[PROFILE_NODES_MAX])
{
	memset(ret, 0, sizeof(ret[0]) * p->nodes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].to < p->nodes)
			ret[p->pair[i].to] = fmax(ret[p->pair[i].to],
						  messages_of(&p->pair[i]));
}

bool sharing_lag_matters(const struct profile *p)
{
	for (int i = 0; i < p->pair_count; i++)
		if (replies_of(&p->pair[i]) > 0 ||
		    sharing_number(p->pair[i].long_messages) > 0)
			return true;
	return false;
}

/* --- What it takes ----------------------------------------------------------- */

/* What messages of a node take, one after the other; what comes in as a reply
 * is within in_s.  Early is what is there when a node that lags comes to send.
 *
 * Requests and the answers to them are apart. */
struct traffic {
	double out_s, in_s, replies_s, early_s;
	double requests_bytes, fastest_bps;
};

/* Messages that somebody waits for, and those that are sent ahead; and by both
 * nodes, what their requests and answers take, which go one after the other. */
struct traffics {
	const struct sharing_lag *lag;
	struct traffic waited[PROFILE_NODES_MAX];
	struct traffic ahead[PROFILE_NODES_MAX];
	float requests_s[PROFILE_NODES_MAX][PROFILE_NODES_MAX];
};

/* Of the messages of a pair. */
struct cost {
	double bytes, bandwidth_bps;
	double bytes_s, first_s, latency_s;
};

struct links {
	const struct profile *p;
	const struct sharing_setting *now;
	const double *answers;
	struct exchange messages, bytes;
};

static bool are_alike(double a, double b)
{
	return fmin(a, b) > ALIKE * fmax(a, b);
}

/* Bytes of the first parts of long messages, where both nodes send such. */
static double first_bytes(const struct links *l,
			  const struct profile_pair *pair)
{
	double back = (double)l->bytes.sent[pair->to][pair->from];

	return are_alike(back, bytes_of(pair))
		       ? sharing_number(pair->long_messages) *
				 l->now->first_part_bytes
		       : 0;
}

/* What is not known takes none. */
static struct cost cost_of(const struct links *l,
			   const struct profile_pair *pair,
			   struct sharing_link link)
{
	double bandwidth_bps = sharing_known(link.bandwidth_bps, HUGE_VAL);
	double byte_s = BITS / bandwidth_bps;

	return (struct cost){
		.bytes = bytes_of(pair),
		.bandwidth_bps = bandwidth_bps,
		.bytes_s = bytes_of(pair) * byte_s,
		.first_s = first_bytes(l, pair) * byte_s,
		.latency_s = messages_of(pair) * sharing_number(link.latency_s),
	};
}

/* The rest of a long message waits for an answer, which waits behind first parts
 * twice: it comes behind those of the receiver, as the receiver got the
 * message's behind those of others.  The first parts that a node gets before it
 * comes to send take neither their own time then, nor do answers wait for them. */
static void add_waited(struct traffics *t, int from, int to,
		       const struct cost *cost, double replies)
{
	double s = cost->latency_s + cost->bytes_s + 2 * cost->first_s;
	double early_s = cost->first_s * (1 - replies);

	t->waited[from].out_s += s;
	t->waited[to].in_s += s;
	t->waited[to].replies_s += s * replies;
	if (to == t->lag->node) {
		t->waited[from].early_s += early_s;
		t->waited[to].early_s += early_s;
	}
}

static void add_ahead(struct traffics *t, int from, int to,
		      const struct cost *cost)
{
	t->ahead[from].out_s += cost->bytes_s;
	t->ahead[to].in_s += cost->bytes_s;
}

/* Nodes that send each other as many messages, but not as much, do not exchange
 * something: the one asks and the other answers. */
static bool is_request(const struct links *l, const struct profile_pair *pair)
{
	return are_alike(messages_of(pair),
			 (double)l->messages.sent[pair->to][pair->from]) &&
	       !are_alike(bytes_of(pair),
			  (double)l->bytes.sent[pair->to][pair->from]);
}

static void add_request(struct traffics *t, int from, int to,
			const struct cost *cost)
{
	float s = (float)(cost->latency_s + cost->bytes_s);
	const int ends[] = { from, to };

	t->requests_s[from][to] += s;
	t->requests_s[to][from] += s;
	for (int i = 0; i < 2; i++) {
		struct traffic *end = &t->waited[ends[i]];

		end->requests_bytes += cost->bytes;
		end->fastest_bps = fmax(end->fastest_bps, cost->bandwidth_bps);
	}
}

/* Those to several nodes are under way at the same time: they take as long as
 * the longest to one of them, or as all take on the node's own link, which is no
 * slower than the fastest way. */
static double requests_of(const struct traffics *t, int node, int count)
{
	const struct traffic *of = &t->waited[node];
	double longest_s = 0;

	if (of->requests_bytes <= 0)
		return 0;
	for (int i = 0; i < count; i++)
		longest_s = fmax(longest_s, (double)t->requests_s[node][i]);
	return fmax(longest_s, of->requests_bytes * BITS / of->fastest_bps);
}

/* Where nobody answers, a message is on its way while both ends compute. */
static bool is_sent_ahead(const struct links *l,
			  const struct profile_pair *pair)
{
	return messages_of(pair) > 0 && l->answers[pair->from] <= 0 &&
	       l->answers[pair->to] <= 0;
}

static void add_messages(const struct links *l, const struct profile_pair *pair,
			 struct sharing_link link, struct traffics *t)
{
	struct cost cost = cost_of(l, pair, link);
	int from = sharing_place_of(l->p, l->now, pair->from);
	int to = sharing_place_of(l->p, l->now, pair->to);

	if (is_sent_ahead(l, pair))
		add_ahead(t, from, to, &cost);
	else if (is_request(l, pair))
		add_request(t, from, to, &cost);
	else
		add_waited(t, from, to, &cost, replies_of(pair));
}

static void add_pair(const struct links *l, const struct profile_pair *pair,
		     struct traffics *before, struct traffics *after)
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
	then.bandwidth_bps =
		sharing_known(then.bandwidth_bps, link.bandwidth_bps);
	link.bandwidth_bps =
		sharing_known(link.bandwidth_bps, then.bandwidth_bps);
	then.latency_s = sharing_known(then.latency_s, link.latency_s);
	link.latency_s = sharing_known(link.latency_s, then.latency_s);
	add_messages(l, pair, then, before);
	add_messages(l, pair, link, after);
}

/* The node whose messages take longest.  To one that lags behind all others,
 * what these send of their own accord has come by the time that it sends, of
 * long messages the first parts: then it sends all that it has to, and only
 * then replies come. */
static int slowest(const struct traffics *t, int count, double *ret_s)
{
	const struct sharing_lag *lag = t->lag;
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		const struct traffic *of = &t->waited[k];
		double s = fmax(of->out_s, of->in_s);

		if (k == lag->node)
			s = fmax(s, of->out_s + fmin(of->replies_s, lag->s));
		s -= fmin(of->early_s, lag->s);
		s += requests_of(t, k, count);
		if (s > *ret_s) {
			*ret_s = s;
			node = k;
		}
	}
	return node;
}

/* The same of messages that are sent ahead. */
static int slowest_ahead(const struct traffics *t, int count, double *ret_s)
{
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		double s = fmax(t->ahead[k].out_s, t->ahead[k].in_s);

		if (s > *ret_s) {
			*ret_s = s;
			node = k;
		}
	}
	return node;
}

static void clear(struct traffics *t, int count, const struct sharing_lag *lag)
{
	t->lag = lag;
	memset(t->waited, 0, sizeof(t->waited[0]) * (size_t)count);
	memset(t->ahead, 0, sizeof(t->ahead[0]) * (size_t)count);
	for (int k = 0; k < count; k++)
		memset(t->requests_s[k], 0, sizeof(float) * (size_t)count);
}

/* Messages that are sent ahead had room within the run time of the profile. */
void sharing_find_delay(const struct profile *p,
			const struct sharing_setting *now,
			const double answers[PROFILE_NODES_MAX],
			const struct sharing_lag *lag_before,
			const struct sharing_lag *lag_now,
			struct sharing_delay *ret)
{
	int count = now->node_count;
	struct links l = { .p = p, .now = now, .answers = answers };
	struct traffics before, after;
	double before_s, after_s;

	*ret = (struct sharing_delay){ 0, -1, 0, -1 };
	if (p->pair_count <= 0)
		return;
	clear(&before, count, lag_before);
	clear(&after, count, lag_now);
	find_exchange(p, messages_of, &l.messages);
	find_exchange(p, bytes_of, &l.bytes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < p->nodes && p->pair[i].to < p->nodes)
			add_pair(&l, &p->pair[i], &before, &after);
	slowest(&before, count, &before_s);

	int node = slowest(&after, count, &after_s);

	ret->longer_s = after_s - before_s;
	if (after_s > before_s)
		ret->node = node;
	slowest_ahead(&before, count, &before_s);
	ret->ahead_node = slowest_ahead(&after, count, &after_s);
	ret->ahead_s = after_s - fmax(before_s - p->runtime_s, 0);
}
