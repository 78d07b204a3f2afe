/* sharing_links.c - what the messages of a profiled application take */
#include <stdbool.h>
#include <string.h>

#include "predictor/models/sharing_links.h"

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

bool sharing_has_replies(const struct profile *p)
{
	for (int i = 0; i < p->pair_count; i++)
		if (replies_of(&p->pair[i]) > 0)
			return true;
	return false;
}

/* --- What it takes ----------------------------------------------------------- */

/* What messages of a node take, one after the other; what comes in as a reply
 * is within in_s. */
struct traffic {
	double out_s, in_s, replies_s;
};

/* Messages that somebody waits for, and those that are sent ahead. */
struct traffics {
	struct traffic waited[PROFILE_NODES_MAX];
	struct traffic ahead[PROFILE_NODES_MAX];
};

struct links {
	const struct profile *p;
	const struct sharing_setting *now;
	const double *answers;
	struct exchange bytes;
};

static bool are_alike(double a, double b)
{
	return fmin(a, b) > ALIKE * fmax(a, b);
}

/* Bytes in whose time the link stands still, since answers are on their way. */
static double held_up(const struct links *l, const struct profile_pair *pair)
{
	double first_part = l->now->first_part_bytes;
	double there = bytes_of(pair), messages = messages_of(pair);
	double back = (double)l->bytes.sent[pair->to][pair->from];

	return there > first_part * messages && are_alike(back, there)
		       ? messages * first_part
		       : 0;
}

/* Seconds for so many messages; what is not known takes none. */
static double messages_s(double messages, double bytes, double bandwidth_bps,
			 double latency_s)
{
	return sharing_number(messages) * sharing_number(latency_s) +
	       BITS * bytes / sharing_known(bandwidth_bps, HUGE_VAL);
}

static void add_traffic(struct traffic t[], int from, int to, double s,
			double replies)
{
	t[from].out_s += s;
	t[to].in_s += s;
	t[to].replies_s += s * replies;
}

/* Where nobody answers, a message is on its way while both ends compute. */
static bool is_sent_ahead(const struct links *l,
			  const struct profile_pair *pair)
{
	return messages_of(pair) > 0 && l->answers[pair->from] <= 0 &&
	       l->answers[pair->to] <= 0;
}

static void add_pair(const struct links *l, const struct profile_pair *pair,
		     struct traffics *before, struct traffics *after)
{
	const struct sharing_setting *now = l->now;
	struct sharing_link link = { NAN, NAN };
	int from = sharing_place_of(l->p, now, pair->from);
	int to = sharing_place_of(l->p, now, pair->to);

	if (from == to)
		return;
	if (now->link_of)
		now->link_of(now->context, from, to, &link);

	/* What was not measured in the profile was as it is now. */
	double bandwidth_bps =
		sharing_known(pair->bandwidth_bps, link.bandwidth_bps);
	double bandwidth_now_bps =
		sharing_known(link.bandwidth_bps, bandwidth_bps);
	double latency_s = sharing_known(pair->latency_s, link.latency_s);
	double latency_now_s = sharing_known(link.latency_s, latency_s);

	if (is_sent_ahead(l, pair)) {
		double bytes = bytes_of(pair);

		add_traffic(before->ahead, from, to,
			    messages_s(0, bytes, bandwidth_bps, 0), 0);
		add_traffic(after->ahead, from, to,
			    messages_s(0, bytes, bandwidth_now_bps, 0), 0);
		return;
	}

	double bytes = bytes_of(pair) + held_up(l, pair);

	add_traffic(before->waited, from, to,
		    messages_s(pair->messages, bytes, bandwidth_bps, latency_s),
		    replies_of(pair));
	add_traffic(after->waited, from, to,
		    messages_s(pair->messages, bytes, bandwidth_now_bps,
			       latency_now_s),
		    replies_of(pair));
}

/* The node whose messages take longest.  To one that lags behind all others,
 * what these send of their own accord has come by the time that it sends: then
 * it sends all that it has to, and only then replies come. */
static int slowest(const struct traffic t[], int count,
		   const struct sharing_lag *lag, double *ret_s)
{
	int node = -1;

	*ret_s = 0;
	for (int k = 0; k < count; k++) {
		double s = fmax(t[k].out_s, t[k].in_s);

		if (lag && k == lag->node)
			s = fmax(s, t[k].out_s + fmin(t[k].replies_s, lag->s));
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
	clear(&before, count);
	clear(&after, count);
	find_exchange(p, bytes_of, &l.bytes);
	for (int i = 0; i < p->pair_count; i++)
		if (p->pair[i].from < p->nodes && p->pair[i].to < p->nodes)
			add_pair(&l, &p->pair[i], &before, &after);
	slowest(before.waited, count, lag_before, &before_s);

	int node = slowest(after.waited, count, lag_now, &after_s);

	ret->longer_s = after_s - before_s;
	if (after_s > before_s)
		ret->node = node;
	slowest(before.ahead, count, NULL, &before_s);
	ret->ahead_node = slowest(after.ahead, count, NULL, &after_s);
	ret->ahead_s = after_s - fmax(before_s - p->runtime_s, 0);
}
