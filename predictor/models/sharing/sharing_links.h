/* sharing_links.h - what the messages of a profiled application take
 *
 * A part of sharing.c: the terms of [2] section 2.2, for all nodes at once.
 */
#ifndef PREDICTOR_MODELS_SHARING_SHARING_LINKS_H
#define PREDICTOR_MODELS_SHARING_SHARING_LINKS_H

#include <math.h>
#include <stdbool.h>

#include "predictor/models/sharing/sharing.h"

static inline double sharing_known(double value, double otherwise)
{
	return isfinite(value) && value > 0 ? value : otherwise;
}

static inline double sharing_number(double value)
{
	return sharing_known(value, 0);
}

/* How often each node of a profile waits for an answer: messages that it gets
 * from another to which it sends as many.  Where messages only come, the sender
 * runs ahead. */
void sharing_count_answers(const struct profile *p,
			   double ret[PROFILE_NODES_MAX]);

/* How often each node looks for messages of others: as many as it gets from the
 * one that sends it most. */
void sharing_count_arrivals(const struct profile *p,
			    double ret[PROFILE_NODES_MAX]);

/* Whether messages take another time where a node lags: there are replies, or
 * long messages. */
bool sharing_lag_matters(const struct profile *p);

/* The node whose own work takes longest, by so much longer than any other's. */
struct sharing_lag {
	int node; /* of now; -1: none */
	double s;
};

/* How links make a run longer, and the nodes whose messages take longest. */
struct sharing_delay {
	double longer_s; /* for messages that are waited for */
	int node;        /* -1: it is not longer */
	double ahead_s;  /* it takes so long at least, for the other messages */
	int ahead_node;
};

/* `answers` are counted as above; who lags in the profile, and now. */
void sharing_find_delay(const struct profile *p,
			const struct sharing_setting *now,
			const double answers[PROFILE_NODES_MAX],
			const struct sharing_lag *lag_before,
			const struct sharing_lag *lag_now,
			struct sharing_delay *ret);

/* The node of now that has the part of node k of the profile. */
static inline int sharing_place_of(const struct profile *p,
				   const struct sharing_setting *now, int k)
{
	return (int)((int64_t)k * now->node_count / p->nodes);
}

#endif
