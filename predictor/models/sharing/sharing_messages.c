/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_messages.c - numbers and sizes of messages between nodes */
#include <math.h>
#include <string.h>

#include "predictor/models/known_or.h"
#include "predictor/models/sharing/sharing_messages.h"

static void clear_matrix(const struct profile *p, struct sharing_matrix *ret)
{
	for (uint32_t from = 0; from < p->nodes; from++)
		memset(ret->sent[from], 0, sizeof(float) * p->nodes);
}

static bool is_within(const struct profile *p, const struct profile_pair *pair)
{
	return pair->from < p->nodes && pair->to < p->nodes;
}

void sharing_find_messages(const struct profile *p, struct sharing_matrix *ret)
{
	clear_matrix(p, ret);
	for (int i = 0; i < p->pair_count; i++)
		if (is_within(p, &p->pair[i]))
			ret->sent[p->pair[i].from][p->pair[i].to] =
				(float)known_or(p->pair[i].messages, 0);
}

void sharing_find_bytes(const struct profile *p, struct sharing_matrix *ret)
{
	clear_matrix(p, ret);
	for (int i = 0; i < p->pair_count; i++)
		if (is_within(p, &p->pair[i]))
			ret->sent[p->pair[i].from][p->pair[i].to] =
				(float)known_or(p->pair[i].bytes, 0);
}

void sharing_count_answers(const struct profile *p,
			   double ret[PROFILE_NODES_MAX])
{
	struct sharing_matrix messages;

	sharing_find_messages(p, &messages);
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
	for (int i = 0; i < p->pair_count; i++) {
		const struct profile_pair *pair = &p->pair[i];

		if (pair->to < p->nodes)
			ret[pair->to] = fmax(ret[pair->to],
					     known_or(pair->messages, 0));
	}
}

double sharing_replies(const struct profile_pair *pair)
{
	double messages = known_or(pair->messages, 0);
	double replies = known_or(pair->replies, 0);

	return messages > 0 ? fmin(replies / messages, 1) : 0;
}

bool sharing_lag_matters(const struct profile *p)
{
	for (int i = 0; i < p->pair_count; i++)
		if (sharing_replies(&p->pair[i]) > 0 ||
		    known_or(p->pair[i].long_messages, 0) > 0)
			return true;
	return false;
}
