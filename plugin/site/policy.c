/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.c - the site's policy for predictions at submission
 *
 * A setting of a partition takes precedence over that of the site.  For a job
 * in several partitions the least intrusive mode and the smallest
 * predict_limit_max count.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "plugin/site/policy.h"
#include "plugin/site/spank_options.h"

/* Ten years: a greater limit is a mistake. */
#define LIMIT_MINUTES_MAX (10.0 * 366 * 24 * 60)

void policy_init(struct policy *ret)
{
	*ret = (struct policy){
		.url = "unix:/run/slurm-predict/predictd.sock",
		.timeout_ms = 20,
		.mode = MODE_ADVISE,
		.quantile = 0.9,
		.message = MESSAGE_ON,
		.memory = 1,
		.place = PLACE_BY_MODE,
		.margin_pct = 20,
		.act_min_runs = 10,
		.limit_min_min = 1,
		.plan = PLAN_OFF,
		/* tests/bench/RESULTS.md, "predict_plan". */
		.plan_order = 42,
		.plan_order_max_h = 2,
		.plan_reserve_max_h = 20,
		.plan_key = PLAN_KEY_P50,
		.plan_min_runs = 3,
		.nodes = MODE_ADVISE,
	};
}

void policy_copy(const struct policy *policy, struct policy *ret)
{
	memcpy(ret, policy,
	       offsetof(struct policy, partitions) +
		       (size_t)policy->partitions_count *
			       sizeof(policy->partitions[0]));
}

static const struct policy_partition *
find_partition(const struct policy *policy, const char *name, size_t length)
{
	for (int i = 0; i < policy->partitions_count; i++) {
		const struct policy_partition *p = &policy->partitions[i];

		if (!strncmp(p->name, name, length) && !p->name[length])
			return p;
	}
	return NULL;
}

struct policy_partition *policy_partition_get(struct policy *policy,
					      const char *name)
{
	size_t length = strlen(name);
	const struct policy_partition *known =
		find_partition(policy, name, length);

	if (known)
		return &policy->partitions[known - policy->partitions];
	if (policy->partitions_count == POLICY_PARTITIONS_MAX ||
	    length >= RUN_NAME_SIZE)
		return NULL;

	struct policy_partition *fresh =
		&policy->partitions[policy->partitions_count++];

	*fresh = (struct policy_partition){ .mode = MODE_COUNT,
					    .place = PLACE_BY_MODE,
					    .nodes = MODE_COUNT };
	memcpy(fresh->name, name, length);
	return fresh;
}

/* Step through "a,b,c".  False: no more names. */
static bool next_name(const char **text, const char **ret_name,
		      size_t *ret_length)
{
	*text += strspn(*text, ",");
	*ret_name = *text;
	*ret_length = strcspn(*text, ",");
	*text += *ret_length;
	return *ret_length > 0;
}

/* Return the partitions given, else the default. */
static const char *partitions_or_default(const char *partitions,
					 const char *default_partition)
{
	if (partitions && *partitions)
		return partitions;
	return default_partition ? default_partition : "";
}

/* What a setting is in a partition (NULL: none of those with settings of their
 * own). */
typedef unsigned setting_fn(const struct policy *policy,
			    const struct policy_partition *p);

/* Return the least value of a setting in these partitions, or the site's for
 * no partition. */
static unsigned least_of(const struct policy *policy, const char *partitions,
			 const char *default_partition, setting_fn *setting)
{
	const char *rest = partitions_or_default(partitions, default_partition);
	const char *name;
	size_t length;
	unsigned least = UINT_MAX;

	while (next_name(&rest, &name, &length)) {
		unsigned value =
			setting(policy, find_partition(policy, name, length));

		if (value < least)
			least = value;
	}
	return least == UINT_MAX ? setting(policy, NULL) : least;
}

static unsigned mode_in(const struct policy *policy,
			const struct policy_partition *p)
{
	return p && p->mode != MODE_COUNT ? p->mode : policy->mode;
}

enum prediction_mode policy_mode(const struct policy *policy,
				 const char *partitions,
				 const char *default_partition)
{
	return least_of(policy, partitions, default_partition, mode_in);
}

static unsigned plan_in(const struct policy *policy,
			const struct policy_partition *p)
{
	return p && p->plan != PLAN_BY_SITE ? p->plan : policy->plan;
}

enum policy_plan policy_plan(const struct policy *policy,
			     const char *partitions,
			     const char *default_partition)
{
	return least_of(policy, partitions, default_partition, plan_in);
}

static unsigned nodes_in(const struct policy *policy,
			 const struct policy_partition *p)
{
	return p && p->nodes != MODE_COUNT ? p->nodes : policy->nodes;
}

enum prediction_mode policy_nodes(const struct policy *policy,
				  const char *partitions,
				  const char *default_partition)
{
	return least_of(policy, partitions, default_partition, nodes_in);
}

const struct moldable_goal *policy_nodes_goal(const struct policy *policy,
					      const char *partitions,
					      const char *default_partition)
{
	const char *rest = partitions_or_default(partitions, default_partition);
	const struct policy_partition *p = NULL;
	const char *name;
	size_t length;

	if (next_name(&rest, &name, &length))
		p = find_partition(policy, name, length);
	return p && p->has_nodes_goal ? &p->nodes_goal : &policy->nodes_goal;
}

static unsigned place_in(const struct policy *policy,
			 const struct policy_partition *p)
{
	if (p && p->place != PLACE_BY_MODE)
		return p->place;
	if (policy->place != PLACE_BY_MODE)
		return policy->place;
	switch (mode_in(policy, p)) {
	case MODE_ACT:
		return PLACE_ON;
	case MODE_OBSERVE:
	case MODE_ADVISE:
		return PLACE_OBSERVE;
	default:
		return PLACE_OFF;
	}
}

enum policy_place policy_place(const struct policy *policy,
			       const char *partition)
{
	return place_in(policy,
			find_partition(policy, partition, strlen(partition)));
}

bool policy_places(const struct policy *policy, const char *partitions,
		   const char *default_partition)
{
	return least_of(policy, partitions, default_partition, place_in) ==
	       PLACE_ON;
}

/* By the option and the variable of these names. */
static enum prediction_mode lower(enum prediction_mode mode,
				  const struct submission *job,
				  const char *option, const char *variable)
{
	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];
		enum prediction_mode user_mode;

		if (strcmp(s->name, option) && strcmp(s->name, variable))
			continue;
		if (!enum_words_parse(&prediction_mode_words, s->value,
				      &user_mode) &&
		    user_mode < mode)
			mode = user_mode;
	}
	return mode;
}

enum prediction_mode policy_lower_mode(enum prediction_mode mode,
				       const struct submission *job)
{
	return lower(mode, job, "mode", OPTION_MODE_VARIABLE);
}

enum prediction_mode policy_lower_nodes(enum prediction_mode nodes,
					const struct submission *job)
{
	return lower(policy_lower_mode(nodes, job), job, "nodes",
		     OPTION_NODES_VARIABLE);
}

/* The greatest limit in a partition; UINT_MAX: there is none. */
static unsigned limit_in(const struct policy *policy,
			 const struct policy_partition *p)
{
	unsigned max = p && p->limit_max_min ? p->limit_max_min
					     : policy->limit_max_min;

	return max ? max : UINT_MAX;
}

const char *policy_no_limit(const struct policy *policy,
			    const struct prediction_answer *p)
{
	if (p->basis != BASIS_HISTORY ||
	    p->evidence_level != EVIDENCE_APPLICATION)
		return "no run of this user and application is known";
	if (p->extrapolated)
		return "no run of this size and with such parameters is known";
	if (!(p->quantile_s > 0) || !(p->quantile > 0 && p->quantile < 1))
		return "no quantile is known";
	if (p->own_runs < policy->act_min_runs)
		return "too few runs of this user and application";
	if (p->judged < PREDICTION_JUDGED_MIN)
		return "too few predictions for this user and application "
		       "have been judged";
	if (!prediction_quantile_holds(p->judged, p->held, p->quantile))
		return "too many runs of this user and application took "
		       "longer than their quantile";
	return NULL;
}

const char *policy_no_order(const struct policy *policy,
			    const struct prediction_answer *p)
{
	if (p->basis != BASIS_HISTORY || p->evidence_level < EVIDENCE_USER)
		return "no run of this user is known";
	if (p->extrapolated)
		return "no run of this size and with such parameters is known";
	if (!(p->median_s > 0))
		return "no median is known";
	if (p->evidence_runs < policy->plan_min_runs)
		return "it rests on too few runs";
	if (p->judged >= PREDICTION_JUDGED_MIN &&
	    !prediction_quantile_holds(p->judged, p->held, p->quantile))
		return "too many runs of this user and application took "
		       "longer than their quantile";
	return NULL;
}

uint32_t policy_limit_min(const struct policy *policy, const char *partitions,
			  const char *default_partition,
			  const struct prediction_answer *prediction)
{
	unsigned max =
		least_of(policy, partitions, default_partition, limit_in);

	if (policy_no_limit(policy, prediction))
		return 0;

	double minutes = ceil(prediction->quantile_s *
			      (1 + policy->margin_pct / 100) / 60);

	if (minutes < policy->limit_min_min)
		minutes = policy->limit_min_min;
	if (minutes > max)
		minutes = max;
	return minutes <= LIMIT_MINUTES_MAX ? (uint32_t)minutes : 0;
}
