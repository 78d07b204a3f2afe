/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.h - the job whose run time a model predicts */
#pragma once

#include "predictor/base/hash_mix.h"
#include "predictor/features/subject.h"
#include "predictor/features/parameters.h"
#include "predictor/models/trait_keys.h"

struct query {
	/* Positions in the history; INDEX_NONE: it has no such run. */
	uint32_t application, user;
	uint32_t names;                      /* of the parameters */
	const struct parameters *parameters; /* of a past job, memory ends
						with the last of these */
	struct trait_keys traits;
	uint32_t nodes, tasks, cpus;
	double memory_mb;             /* over all nodes; 0: not given */
	double limit_s;               /* NAN: none given, HUGE_VAL: unlimited */
	struct conditions conditions; /* assumed */
	const struct job_nodes
		*job_nodes; /* these node by node; NULL: not known */

	/* By how much its traits change its run time; NULL: by nothing.  Valid
	 * during the call. */
	const struct trait_effects *trait_effects;

	/* That of the nearest size and parameters; NULL: there is none; and of
	 * those that show a farm whose nodes' speeds add up.  Valid during
	 * the call. */
	const struct profile *profile, *farm_profile;

	/* Hashes, 0: not given, equal in every process.  Those of a user, an
	 * account, a partition and an application depend on its name alone,
	 * not on the cluster's: what a cluster is called changes no
	 * prediction. */
	uint64_t cluster_key, user_key, account_key, partition_key,
		application_key, features_key, gres_key;

	double submitted_at_s;
	double now_s; /* time of the query: at submission, or later */

	/* Identifies the job, for models that learn from the error of their
	 * prediction; 0: nothing is remembered.  The first query of a ticket
	 * is the job's submission. */
	uint64_t ticket;

	/* The user's jobs that were submitted and not ended at this one's
	 * submission, and itself; 0: not known. */
	uint32_t in_flight;
};

/* Return how much what is learned for all users moves at the end of the job, 1
 * or less.  Jobs of one user that are in flight together tend to err together:
 * a batch of n counts as 60 ln(1 + n / 60) jobs. */
#define QUERY_TOGETHER 60.0

static inline double query_pace(const struct query *query)
{
	double others = query->in_flight ? query->in_flight - 1.0 : 0;

	return 1 / (1 + others / QUERY_TOGETHER);
}

/* Return the user and the application, which are not those of other clusters;
 * 0: not given. */
static inline uint64_t query_in_cluster(const struct query *query, uint64_t key)
{
	return key ? hash_mix(key ^ query->cluster_key) | 1 : 0;
}

static inline uint64_t query_user(const struct query *query)
{
	return query_in_cluster(query, query->user_key);
}

static inline uint64_t query_application(const struct query *query)
{
	return query_in_cluster(query, query->application_key);
}
