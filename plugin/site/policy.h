/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.h - the site's policy for predictions at submission
 *
 * Plain data, filled from the tokens of slurm.conf (tokens.h).  Knows nothing
 * of Slurm's own types.
 */
#pragma once

#include "predictor/client/client.h"
#include "predictor/features/prediction.h"
#include "predictor/features/submission.h"
#include "predictor/placement/moldable.h"

#define POLICY_PARTITIONS_MAX 64

enum policy_message {
	MESSAGE_OFF,   /* no message */
	MESSAGE_KNOWN, /* only if runs of the application are known */
	MESSAGE_ON,
	MESSAGE_START /* added to each: when the job starts, too */
};

/* Whether the select plugin places jobs on the nodes where they run fastest. */
enum policy_place {
	PLACE_OFF,     /* Slurm chooses alone */
	PLACE_OBSERVE, /* Slurm chooses; our choice is logged */
	PLACE_ON,
	PLACE_BY_MODE /* not set: on in mode act, observe in observe and
			 advise, else off */
};

/* Whether a job's site factor orders the queue (plan.h). */
enum policy_plan {
	PLAN_BY_SITE, /* of a partition: not set */
	PLAN_OFF,
	PLAN_OBSERVE, /* only logged */
	PLAN_ON
};

/* What is taken as a job's length in the order. */
enum policy_plan_key {
	PLAN_KEY_LIMIT,
	PLAN_KEY_P50 /* the predicted median, with evidence (policy_no_order) */
};

/* Settings of one partition. */
struct policy_partition {
	char name[RUN_NAME_SIZE];
	enum prediction_mode mode; /* MODE_COUNT: as the site's */
	enum policy_place place;   /* PLACE_BY_MODE: as the site's */
	uint32_t limit_max_min;    /* minutes; 0: as the site's */
	enum policy_plan plan;
	enum prediction_mode nodes; /* MODE_COUNT: as the site's */
	bool has_nodes_goal;        /* else as the site's */
	struct moldable_goal nodes_goal;
};

struct policy {
	char url[CLIENT_URL_SIZE];
	uint32_t timeout_ms;
	enum prediction_mode mode;
	double quantile;  /* 0 to 1 */
	unsigned message; /* enum policy_message, or MESSAGE_START + one */
	unsigned memory;  /* 1: predictd advises what to request */
	enum policy_place place;
	double margin_pct;      /* of a limit we set, above the quantile */
	uint32_t act_min_runs;  /* own runs that a limit needs */
	uint32_t limit_min_min; /* least limit we set, in minutes */
	uint32_t limit_max_min; /* greatest one; 0: none configured */
	enum policy_plan plan;  /* never PLAN_BY_SITE */
	/* K: seconds of waiting that a second of length counts as. */
	double plan_order;
	uint32_t plan_order_max_h; /* a longer job counts as this */
	/* Backfill keeps nodes free for a job at this slowdown (0: at each),
	 * or after that time; see plan_reserves(). */
	double plan_reserve;
	uint32_t plan_reserve_max_h;
	enum policy_plan_key plan_key;
	uint32_t plan_min_runs; /* runs of the user that plan_key needs */
	/* What is done about the number of nodes, where a job leaves
	 * it open. */
	enum prediction_mode nodes;
	struct moldable_goal nodes_goal;
	int partitions_count;

	/* Only the first `partitions_count` are set. */
	struct policy_partition partitions[POLICY_PARTITIONS_MAX];
};

/* Find the defaults. */
void policy_init(struct policy *ret);

/* Copy without unused partitions, as this is done for each submission. */
void policy_copy(const struct policy *policy, struct policy *ret);

/* Return the entry of a partition, added if it is missing.  NULL: no room. */
struct policy_partition *policy_partition_get(struct policy *policy,
					      const char *name);

/* Return the mode for a job in `partitions` ("a,b": the least intrusive of
 * them counts), or in `default_partition` if that is NULL or empty, or
 * everywhere if both are. */
enum prediction_mode policy_mode(const struct policy *policy,
				 const char *partitions,
				 const char *default_partition);

/* Placement of a job in one partition: the partition's setting, else the
 * site's, else by the partition's mode.  Never PLACE_BY_MODE. */
enum policy_place policy_place(const struct policy *policy,
			       const char *partition);

/* Return whether a job in these partitions, as for policy_mode(), is placed by
 * the select plugin in whichever it runs. */
bool policy_places(const struct policy *policy, const char *partitions,
		   const char *default_partition);

/* Return the plan for a job in these partitions, as for policy_mode(): the
 * least of them.  Never PLAN_BY_SITE. */
enum policy_plan policy_plan(const struct policy *policy,
			     const char *partitions,
			     const char *default_partition);

/* Return what is done about the number of nodes of a job in these
 * partitions, as for policy_mode(): the least of them; and its goal, that of
 * the first of them. */
enum prediction_mode policy_nodes(const struct policy *policy,
				  const char *partitions,
				  const char *default_partition);
const struct moldable_goal *policy_nodes_goal(const struct policy *policy,
					      const char *partitions,
					      const char *default_partition);

/* The same after the user's settings: "mode" or PREDICT_MODE, and "nodes" or
 * OPTION_NODES_VARIABLE, may lower it, never raise it. */
enum prediction_mode policy_lower_nodes(enum prediction_mode nodes,
					const struct submission *job);

/* Return the mode after the user's setting ("mode" or PREDICT_MODE), which may
 * lower it, never raise it; an invalid one is ignored. */
enum prediction_mode policy_lower_mode(enum prediction_mode mode,
				       const struct submission *job);

/* Why no limit may be set from a prediction: too few runs of this user and
 * application, it is an extrapolation from these, or the quantile did not hold
 * for them.  NULL: it may. */
const char *policy_no_limit(const struct policy *policy,
			    const struct prediction_answer *prediction);

/* Why the order of the queue may not use a prediction: it rests on too few runs
 * (this user's or, where there are none of the application, others' of it with
 * the same parameters), is an extrapolation, or quantiles did not hold for
 * them.  NULL: it may.  Less than for a limit, as nothing ends by an order. */
const char *policy_no_order(const struct policy *policy,
			    const struct prediction_answer *prediction);

/* Return the limit in minutes for a prediction: its quantile plus the margin,
 * within the policy's bounds for these partitions.  0: none, for
 * policy_no_limit()'s reason, or as the limit is too large for Slurm. */
uint32_t policy_limit_min(const struct policy *policy, const char *partitions,
			  const char *default_partition,
			  const struct prediction_answer *prediction);
