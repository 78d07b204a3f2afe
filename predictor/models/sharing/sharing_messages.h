/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_messages.h - numbers and sizes of messages between nodes
 *
 * NOTE.md, sections 3 and 4: the counts that turns and links rest on.
 */
#pragma once

#include "predictor/features/profile.h"

/* Messages or bytes from each node to each other. */
struct sharing_matrix {
	float sent[PROFILE_NODES_MAX][PROFILE_NODES_MAX]; /* from, to */
};

void sharing_find_messages(const struct profile *p, struct sharing_matrix *ret);
void sharing_find_bytes(const struct profile *p, struct sharing_matrix *ret);

/* How many messages of each node's are answers to its own: those from the peer
 * with which it exchanges most in both directions.  0: the node only sends, or
 * only receives, as in a pipeline. */
void sharing_count_answers(const struct profile *p,
			   double ret[PROFILE_NODES_MAX]);

/* Find how often each node receives: messages from the peer that sends
 * it most. */
void sharing_count_arrivals(const struct profile *p,
			    double ret[PROFILE_NODES_MAX]);

/* Return the part of a pair's messages that are replies, 0 to 1. */
double sharing_replies(const struct profile_pair *pair);

/* Return whether a node that lags changes what messages take: some are
 * replies, or long. */
bool sharing_lag_matters(const struct profile *p);
