/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_model.c - what decides where the job of a prediction runs fastest */
#include <math.h>

#include "predictor/engine/nodes/job_model.h"
#include "predictor/engine/nodes/placement_profile.h"
#include "predictor/engine/subjects.h"

/* Run time by the profile, in the conditions that the prediction assumes; NAN:
 * the profile does not say. */
static double profile_runtime_s(const struct placement_model *m,
				const struct conditions *c, double turn_s)
{
	struct placement_offer offer = {
		.available = (float)c->cpu_available_min,
		.speed = 1,
		.bandwidth_bps = (float)c->bandwidth_bps,
		.latency_s = (float)c->latency_s,
		.turn_s = (float)turn_s,
	};

	if (m->basis == PLACEMENT_FARM)
		offer.available = (float)c->cpu_available;
	if (!(offer.available > 0))
		offer.available = 1;
	if (!(offer.bandwidth_bps > 0))
		offer.bandwidth_bps = HUGE_VALF;
	if (!(offer.latency_s > 0))
		offer.latency_s = 0;
	return placement_runtime_s(m, &offer);
}

/* A profile gives how the run time changes with conditions, the prediction how
 * long it is in those that it assumes. */
static void model_scale(struct placement_model *m, double factor)
{
	m->busy_s *= (float)factor;
	m->idle_s *= (float)factor;
	m->link_bits *= (float)factor;
	m->link_messages *= (float)factor;
	m->turns *= (float)factor;
}

static double known_or_0(double value)
{
	return isnan(value) ? 0 : value;
}

/* Return -1 if the profile has too little. */
static int model_from_profile(const struct profile *profile,
			      const struct nodes *nodes,
			      const struct prediction *p, double median_s,
			      struct placement_model *ret)
{
	struct node_scheduler scheduler =
		nodes_scheduler_median(nodes, p->cluster);

	if (placement_model_from_profile(profile,
					 known_or_0(scheduler.credit_s), ret))
		return -1;

	double profile_s = profile_runtime_s(ret, &p->conditions,
					     known_or_0(scheduler.turn_s));

	if (profile_s > 0 && isfinite(median_s))
		model_scale(ret, median_s / profile_s);
	return 0;
}

void job_model(const struct profiles *profiles,
	       const struct block_weights *weights, const struct nodes *nodes,
	       const struct prediction *p, double median_s,
	       struct placement_model *ret)
{
	double available = p->conditions.cpu_available_min;
	const struct block_weights_key key = block_weights_key(p);
	const struct profile *profile;
	struct subject subject;

	engine_subject(p, &subject);
	profile = profiles_find(profiles, &subject);
	if (!profile || model_from_profile(profile, nodes, p, median_s, ret))
		placement_model_from_runtime(
			p->nodes, p->tasks,
			available > 0 ? median_s * available : median_s, ret);
	if (isfinite(median_s))
		ret->horizon_s = (float)median_s;
	/* A profile may be of another size. */
	if (ret->nodes == p->nodes && ret->tasks == p->tasks &&
	    ret->basis != PLACEMENT_FARM)
		block_weights_find(weights, &key, &ret->weights);
}

double job_model_median_s(const struct prediction *p)
{
	return p->basis == BASIS_HISTORY ? p->median_s : NAN;
}
