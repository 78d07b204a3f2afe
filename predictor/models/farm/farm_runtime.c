/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_runtime.c - run time of a farm on other nodes
 *
 * What the program hands out in one message is a chunk of its own choice, and
 * is taken for one task: so whoever is done gets one more.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/farm/farm_model.h"
#include "predictor/farm/simulate.h"
#include "predictor/models/farm/farm_runtime.h"
#include "predictor/models/known_or.h"

#define SEED      1    /* any: but the same for all that are compared */
#define SPEED_MIN 0.01 /* a sensor's resolution */
#define LONG_FROM (PROFILE_LONG_BYTES - 0.5) /* bytes, that are whole ones */

/* What a message may cost, as powers of two of what probes say: a 16th, as none
 * waits for one that is under way, to 1024 times as much, as where the master
 * has to wait for its CPU. */
#define FACTOR_FIRST (-4)
#define FACTOR_STEPS 15
#define FACTOR_NOISE 0.01 /* between equal runs, in ln(run time) */

static int one_task(const struct handout *handout)
{
	(void)handout;
	return 1;
}

static const struct farm_policy policy_one = {
	.name = "one",
	.help = "one task at a time",
	.chunk = one_task,
};

/* --- Where workers are ---------------------------------------------------- */

struct workers {
	int count;
	struct worker_speed_step steps[FARM_WORKERS_MAX];
	struct worker_speed speeds[FARM_WORKERS_MAX];
};

/* False: too many. */
static bool workers_add(struct workers *w, uint32_t count, double speed)
{
	if (count > FARM_WORKERS_MAX - (uint32_t)w->count)
		return false;
	for (uint32_t i = 0; i < count; i++, w->count++) {
		w->steps[w->count] = (struct worker_speed_step){ 0, speed };
		w->speeds[w->count] =
			(struct worker_speed){ 1, &w->steps[w->count] };
	}
	return true;
}

/* Processes are spread evenly, and the master is on the first node, where the
 * profile does not know better. */
static uint32_t workers_on(const struct profile *p, uint32_t node_count,
			   uint32_t tasks, uint32_t node)
{
	uint32_t here = tasks / node_count + (node < tasks % node_count);

	if (node_count == p->nodes && tasks == p->tasks)
		return p->farm.workers_on[node];
	/* As many at a time on each as there were, and no master among them. */
	if (p->farm.kind == PROFILE_FARM_PROCESSES)
		return (p->farm.workers + p->nodes / 2) / p->nodes;
	return here - (node == 0 && here > 0);
}

/* ret_records may be NULL. */
static double simulate(const struct farm_runtime *r, struct workers *w,
		       struct worker_record ret_records[])
{
	struct farm_iteration it = {
		.farm = &r->farm,
		.costs = &r->costs,
		.policy = &policy_one,
		.rules = { .M = r->farm.M,
			   .n = w->count,
			   .mu = r->farm.mu,
			   .chunk_min = 1 },
		.work = r->work,
		.speeds = w->speeds,
	};

	return w->count ? farm_simulate(&it, ret_records) : NAN;
}

/* --- The profile ---------------------------------------------------------- */

/* The least number of tasks for `processes` workers, so that the wait for the
 * last one has its true weight. */
static int tasks_limit(uint32_t workers)
{
	int for_workers = 16 * (int)fmin(workers, FARM_WORKERS_MAX);

	return for_workers > FARM_TASKS_MAX ? for_workers : FARM_TASKS_MAX;
}

static void set_farm(const struct profile_farm *seen, struct farm_runtime *r)
{
	double M = fmin(seen->tasks, tasks_limit(seen->workers));
	double each = seen->tasks / M; /* of the program's, in one of ours */

	r->farm = (struct farm){
		.M = (int)M,
		.mu = seen->mu_s * each,
		.sigma = known_or(seen->sigma_s, 0) * sqrt(each),
		.V = seen->bytes,
		.alpha = seen->alpha,
		.lm = seen->master_s,
	};
	r->costs = (struct message_costs){
		.count = 2,
		.classes = { { LONG_FROM * each, seen->message_s * each,
			       seen->byte_s },
			     { HUGE_VAL, seen->long_message_s * each,
			       seen->byte_s } },
	};
	farm_draw_work(&r->farm, SEED, r->work);
	/* The sum is known, whatever was drawn. */
	for (int i = 1; i <= r->farm.M; i++)
		r->work[i] *= r->farm.M * r->farm.mu / r->work[r->farm.M];
}

/* Return the part of all workers but one, who wait for the last. */
static double part_that_waits(int workers)
{
	return 1 - 1. / workers;
}

/* Return what workers waited beyond what is simulated: no more than the run
 * was longer.  Nodes without the master show it. */
static double find_waiting(const struct farm_runtime *r, int count,
			   const struct worker_record records[])
{
	const struct profile *p = r->profile;
	double workers = 0, idle_s = 0, computed_s = 0;

	for (int i = 0; i < p->node_count; i++) {
		double here = i == p->farm.hub ? 0 : p->farm.workers_on[i];

		workers += here;
		idle_s += here * p->node[i].idle_s;
	}
	for (int i = 0; i < count; i++)
		computed_s += records[i].l / count;
	if (p->farm.kind != PROFILE_FARM_DYNAMIC || count < 2 || !(idle_s > 0))
		return 0;
	return fmax(fmin(p->runtime_s - r->recorded_s,
			 idle_s / workers - (r->recorded_s - computed_s)),
		    0);
}

int farm_runtime_prepare(const struct profile *profile,
			 struct farm_runtime *ret, struct sp_error *err)
{
	const struct profile_farm *seen = &profile->farm;
	struct worker_record records[FARM_WORKERS_MAX];
	struct workers w = { .count = 0 };
	double speeds = 0, shares = 0;

	if (!profile_farm_sums(seen))
		return sp_error_set(err, "the application is no dynamic farm, "
					 "nor processes on several nodes");
	if (!(seen->tasks >= 1) || !(seen->mu_s > 0) ||
	    !(profile->runtime_s > 0))
		return sp_error_set(err, "too little is known of the farm");
	ret->profile = profile;
	set_farm(seen, ret);
	for (uint32_t i = 0; i < profile->nodes && i < PROFILE_NODES_MAX; i++) {
		const struct profile_node *n = &profile->node[i];
		bool known = (int)i < profile->node_count;
		double speed = known ? known_or(n->cpu_speed, 1) : 1;
		double share = known ? profile_node_share(n) : 1;

		double left = known ? known_or(n->cpu_left, share) : 1;

		speeds += speed;
		shares += share / left;
		if (!workers_add(&w, seen->workers_on[i],
				 speed * fmax(share, SPEED_MIN)))
			return sp_error_set(err, "more than %d workers",
					    FARM_WORKERS_MAX);
	}
	ret->speed = speeds / fmax(profile->nodes, 1);
	ret->share = shares / fmax(profile->nodes, 1);
	ret->recorded_s = simulate(ret, &w, records);
	if (!(ret->recorded_s > 0))
		return sp_error_set(err, "the farm has no worker");
	ret->waiting_s = find_waiting(ret, w.count, records);
	ret->computing_s = profile->runtime_s - ret->waiting_s;
	if (ret->waiting_s > 0)
		ret->waiting_s /= part_that_waits(w.count);
	return 0;
}

int farm_runtime_workers(const struct farm_runtime *runtime,
			 uint32_t node_count, uint32_t tasks)
{
	uint32_t workers = 0;

	for (uint32_t i = 0; i < node_count; i++)
		workers += workers_on(runtime->profile, node_count, tasks, i);
	return (int)workers;
}

int farm_runtime_fed(const struct farm_runtime *runtime)
{
	struct farm f = runtime->farm;
	double bytes = f.V / f.M;
	const struct message_class *c =
		message_class_of(&runtime->costs, f.alpha * bytes);
	int n = 1;

	f.mu /= runtime->speed * runtime->share;
	for (; n < FARM_WORKERS_MAX; n++) {
		f.M = n + 1;
		f.V = f.M * bytes;
		if (farm_workers_fed(&f, c) < f.M)
			break;
	}
	return n;
}

/* Return how much the run times differ from those by the first profile, as the
 * deviation of the logarithms of their ratios; HUGE_VAL: not known. */
static double deviation_from_first(const struct profile of[], int count,
				   const struct farm_runtime *first)
{
	double sum = 0, squares = 0;

	for (int i = 1; i < count; i++) {
		const struct profile *p = &of[i];
		double shares[PROFILE_NODES_MAX];

		if (p->nodes > PROFILE_NODES_MAX)
			return HUGE_VAL;
		for (uint32_t k = 0; k < p->nodes; k++)
			shares[k] = (int)k < p->node_count
					    ? profile_node_share(&p->node[k])
					    : NAN;

		double ln =
			log(farm_runtime_on(first, p->nodes, p->tasks, shares) /
			    p->runtime_s);

		sum += ln; /* that of the first itself is 0 */
		squares += ln * ln;
	}
	squares -= sum * sum / count;
	return isfinite(squares) ? sqrt(fmax(squares, 0) / count) : HUGE_VAL;
}

double farm_runtime_message_factor(const struct profile of[], int count,
				   struct farm_runtime *room)
{
	double deviation[FACTOR_STEPS], least = HUGE_VAL;
	int best = FACTOR_STEPS;

	if (count < 2)
		return 1;
	for (int step = 0; step < FACTOR_STEPS; step++) {
		struct profile first = of[0];
		double factor = exp2(step + FACTOR_FIRST);

		first.farm.message_s *= factor;
		first.farm.long_message_s *= factor;
		deviation[step] =
			farm_runtime_prepare(&first, room, NULL)
				? HUGE_VAL
				: deviation_from_first(of, count, room);
		least = fmin(least, deviation[step]);
	}
	/* The nearest to what probes say of those that are about as good: that
	 * itself, if none is known. */
	for (int step = 0; step < FACTOR_STEPS; step++)
		if (deviation[step] <= least + FACTOR_NOISE &&
		    abs(step + FACTOR_FIRST) < abs(best))
			best = step + FACTOR_FIRST;
	return exp2(best);
}

double farm_runtime_on(const struct farm_runtime *runtime, uint32_t node_count,
		       uint32_t tasks, const double nodes[])
{
	struct workers w = { .count = 0 };

	for (uint32_t i = 0; i < node_count; i++) {
		uint32_t here =
			workers_on(runtime->profile, node_count, tasks, i);
		double share =
			nodes && !isnan(nodes[i]) ? nodes[i] : runtime->share;

		if (!workers_add(&w, here,
				 runtime->speed * fmax(share, SPEED_MIN)))
			return NAN;
	}
	return runtime->computing_s * simulate(runtime, &w, NULL) /
		       runtime->recorded_s +
	       runtime->waiting_s * part_that_waits(w.count);
}
