/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_profile.c - a few numbers instead of a profile
 *
 * The sharing model is asked what becomes of the run time where CPUs and links
 * are as good as can be, and where they are bad; what stands in
 * placement_model.h follows from how it grows.  A farm has a model of its own.
 */
#include <math.h>

#include "predictor/base/unused.h"
#include "predictor/engine/nodes/placement_profile.h"
#include "predictor/models/sharing/sharing.h"

/* As good as no limit at all. */
#define FAST_BPS 1e18
#define NEAR_S   1e-12

/* So bad that nothing else counts. */
#define SLOW_BPS 1.0
#define FAR_S    1.0

/* So short that waits for turns take no time: but the model counts them. */
#define TURN_S 1e-6

struct trial {
	double available;
	struct sharing_link link;
	double credit_s, turn_s;
};

static void link_of(const void *context, int from UNUSED, int to UNUSED,
		    struct sharing_link *ret)
{
	const struct trial *trial = context;

	*ret = trial->link;
}

/* Run time where all nodes and links are as in `trial`. */
static double trial_runtime(const struct profile *profile,
			    const struct trial *trial)
{
	struct sharing_node nodes[PROFILE_NODES_MAX];
	struct sharing_setting now = {
		.node_count = (int)profile->nodes,
		.nodes = nodes,
		.link_of = link_of,
		.context = trial,
		.credit_s = trial->credit_s,
		.turn_s = trial->turn_s,
		.eager_bytes = SHARING_EAGER_BYTES,
	};

	if (profile->nodes == 0 || profile->nodes > PROFILE_NODES_MAX)
		return NAN;
	for (int i = 0; i < now.node_count; i++)
		nodes[i] = (struct sharing_node){ trial->available, 1 };
	return sharing_runtime(profile, &now, NULL);
}

/* Return the share of a CPU that was to be had when it was measured. */
static double share_of(const struct profile *profile)
{
	double share = 1;

	for (int i = 0; i < profile->node_count; i++)
		if (profile->node[i].cpu_available > 0)
			share = fmin(share, profile->node[i].cpu_available);
	return share;
}

static double runtime_at(const struct profile *profile, double credit_s,
			 double available, double bandwidth_bps,
			 double latency_s)
{
	struct trial trial = {
		available, { bandwidth_bps, latency_s }, credit_s, TURN_S
	};

	return trial_runtime(profile, &trial);
}

/* How often the task waits for its CPU, so that in placement_runtime_s() each
 * competitor more than in the profile adds what it adds by the sharing model:
 * 1 / available there grows by 1 / `before` for each. */
static double turns_of(const struct profile *profile, double before,
		       double credit_s, double half_s)
{
	struct trial trial = {
		before / 2, { FAST_BPS, NEAR_S }, credit_s, 2 * TURN_S
	};
	double longer_s = trial_runtime(profile, &trial) - half_s;

	return fmax(longer_s, 0) / TURN_S * before;
}

/* Return the share of a CPU at speed 1 that workers had, as a mean. */
static double farm_speed(const struct profile *p)
{
	double sum = 0;

	for (int i = 0; i < p->node_count; i++) {
		const struct profile_node *n = &p->node[i];
		sum += p->farm.workers_on[i] * profile_node_share(n) *
		       (n->cpu_speed > 0 ? n->cpu_speed : 1);
	}
	return sum > 0 ? sum / p->farm.workers : 1;
}

/* Workers compute for Tc / n at speed 1; the rest of the run time, above all
 * what the master and messages take, does not depend on CPUs. */
static int model_of_farm(const struct profile *p, struct placement_model *ret)
{
	double speed = farm_speed(p);
	double busy_s = p->farm.tasks * p->farm.mu_s / p->farm.workers;

	if (!isfinite(busy_s) || !(p->runtime_s > 0))
		return -1;
	busy_s = fmin(busy_s, p->runtime_s * speed);
	*ret = (struct placement_model){
		.basis = PLACEMENT_FARM,
		.nodes = p->nodes,
		.tasks = p->tasks,
		.horizon_s = (float)p->runtime_s,
		.busy_s = (float)busy_s,
		.idle_s = (float)(p->runtime_s - busy_s / speed),
	};
	return 0;
}

int placement_model_from_profile(const struct profile *profile, double credit_s,
				 struct placement_model *ret)
{
	if (profile_farm_sums(&profile->farm) && profile->farm.workers)
		return model_of_farm(profile, ret);

	double before = share_of(profile), share = before / 2;
	double best_s = runtime_at(profile, credit_s, 1, FAST_BPS, NEAR_S);
	double half_s = runtime_at(profile, credit_s, share, FAST_BPS, NEAR_S);
	double quarter_s =
		runtime_at(profile, credit_s, share / 2, FAST_BPS, NEAR_S);
	double slow_s = runtime_at(profile, credit_s, 1, SLOW_BPS, NEAR_S);
	double far_s = runtime_at(profile, credit_s, 1, FAST_BPS, FAR_S);
	double busy_s = (quarter_s - half_s) * share;
	double idle_s = best_s - busy_s;
	double kept_s = half_s - busy_s / share;

	if (!isfinite(busy_s) || !isfinite(idle_s) || !isfinite(slow_s) ||
	    !isfinite(far_s) || !isfinite(profile->runtime_s))
		return -1;
	idle_s = fmax(idle_s, 0);
	*ret = (struct placement_model){
		.basis = PLACEMENT_PROFILE,
		.nodes = profile->nodes,
		.tasks = profile->tasks,
		.horizon_s = (float)profile->runtime_s,
		.busy_s = (float)fmax(busy_s, 0),
		.idle_s = (float)idle_s,
		.credit = idle_s > 0
				  ? (float)fmin(fmax(1 - kept_s / idle_s, 0), 1)
				  : 1,
		.link_bits = (float)fmax(slow_s - best_s, 0),
		.link_messages = (float)fmax(far_s - best_s, 0),
		.turns = (float)turns_of(profile, before, credit_s, half_s),
	};
	return 0;
}
