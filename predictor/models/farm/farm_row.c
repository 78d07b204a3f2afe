/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_row.c - run time of a dynamic farm, corrected by past runs
 *
 * The row of the table of models that predicts with farm_runtime_on(), on the
 * nodes that are assumed, or on as many equal ones.  A profile of one number
 * of nodes serves for all, as the work stays the same.
 *
 * As in sharing_model.c the result is multiplied by a correction, the median of
 * actual over predicted run time of the newest runs like the query; these were
 * on nodes of which the mean is known: a farm has the sum of their speeds.  The
 * profile's own run is among them where the parameters are the same.
 *
 * Nine simulations for each query would cost a millisecond, and a history that
 * is loaded asks after each of its runs.  So what was simulated is kept until
 * another profile is used: of nine runs eight were there for the query before.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/farm/farm_runtime.h"
#include "predictor/models/model.h"
#include "predictor/models/ratios.h"

#define KEPT_MAX 32 /* simulations, those of the last ones */

/* A simulation on equal nodes. */
struct kept {
	uint32_t nodes, tasks;
	double available; /* NAN: not known */
	double runtime_s; /* NAN: it can't be simulated */
};

struct farm_row {
	struct profile profile; /* that `runtime` and `kept` are of */
	bool prepared;
	int kept_count, kept_next;
	struct kept kept[KEPT_MAX];
	struct farm_runtime runtime;
	struct ratios ratios;
};

static void *farm_create(void)
{
	return calloc(1, sizeof(struct farm_row));
}

/* Gaps between members that differ cost a simulation, no more. */
static bool is_same_memory(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

/* Keep a copy: the profile itself changes in its place. */
static int prepare(struct farm_row *m, const struct profile *p,
		   struct sp_error *err)
{
	if (m->prepared && is_same_memory(&m->profile, p, sizeof(*p)))
		return 0;
	m->prepared = false;
	m->kept_count = m->kept_next = 0;
	memcpy(&m->profile, p, sizeof(*p));
	if (farm_runtime_prepare(&m->profile, &m->runtime, err))
		return -1;
	m->prepared = true;
	return 0;
}

static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* All nodes are equal. */
static double predict_alike(struct farm_row *m, const struct query *q,
			    double available)
{
	double nodes[PROFILE_NODES_MAX];

	if (q->nodes < 1 || q->nodes > PROFILE_NODES_MAX)
		return NAN;
	for (int i = 0; i < m->kept_count; i++) {
		const struct kept *k = &m->kept[i];

		if (k->nodes == q->nodes && k->tasks == q->tasks &&
		    is_same(k->available, available))
			return k->runtime_s;
	}
	for (uint32_t i = 0; i < q->nodes; i++)
		nodes[i] = available;

	struct kept fresh = { q->nodes, q->tasks, available,
			      farm_runtime_on(&m->runtime, q->nodes, q->tasks,
					      nodes) };

	m->kept[m->kept_next] = fresh;
	m->kept_next = (m->kept_next + 1) % KEPT_MAX;
	if (m->kept_count < KEPT_MAX)
		m->kept_count++;
	return fresh.runtime_s;
}

static double predict_now(struct farm_row *m, const struct query *q)
{
	const struct job_nodes *set = q->job_nodes;

	if (set && (uint32_t)set->count == q->nodes)
		return farm_runtime_on(&m->runtime, q->nodes, q->tasks,
				       set->cpu_available);
	return predict_alike(m, q, q->conditions.cpu_available);
}

/* What the ratios of a query are found with: runs become its evidence. */
struct past {
	struct farm_row *m;
	struct model_result *ret;
};

static double predict_past(void *context, const struct query *q,
			   const struct history_run *run)
{
	const struct past *past = context;
	struct model_result *ret = past->ret;
	double s = predict_alike(past->m, q, (double)run->cpu_available);

	if (isfinite(s) && s > 0 && run->job_id &&
	    ret->evidence_count < EVIDENCE_MAX)
		ret->evidence[ret->evidence_count++] =
			(struct evidence){ run->job_id, (float)run->runtime_s,
					   0 };
	return s;
}

static int farm_predict(void *model, const struct history *history,
			const struct query *query, struct model_result *ret,
			struct sp_error *err)
{
	struct farm_row *m = model;
	const struct profile *p = query->farm_profile;

	if (!p)
		return sp_error_set(err, "no profile of it as a farm");
	if (prepare(m, p, err))
		return -1;
	model_result_set(ret, NAN, 0, NAN, NAN);
	ratios_find(&m->ratios, history, query, predict_past,
		    &(struct past){ m, ret });

	uint32_t runs = (uint32_t)m->ratios.count;

	for (int i = 0; i < ret->evidence_count; i++)
		ret->evidence[i].weight = 1 / (float)runs;
	if (parameters_equal(&p->application.parameters, query->parameters)) {
		ratios_add_own(&m->ratios);
		runs += p->runs;
	}
	if (!m->ratios.count)
		return sp_error_set(err, "the profile is of other parameters, "
					 "and no run with these is known");

	ret->median_s = ratios_correct(&m->ratios, predict_now(m, query));
	ret->runs = runs;
	if (!isfinite(ret->median_s) || ret->median_s <= 0)
		return sp_error_set(err, "the farm can't be simulated on "
					 "these nodes");
	ratios_spread(&m->ratios, ret);
	return 0;
}

static double farm_scale(void *model, const struct query *from,
			 const struct query *to)
{
	struct farm_row *m = model;
	double available = to->conditions.cpu_available;

	if (!to->farm_profile || prepare(m, to->farm_profile, NULL))
		return NAN;
	return predict_alike(m, to, available) /
	       predict_alike(m, from, available);
}

const struct model model_farm = {
	.name = "farm",
	.help = "a master and its workers, simulated on nodes as shared as "
		"they are now",
	.costly = true,
	.create = farm_create,
	.destroy = free,
	.predict = farm_predict,
	.scale = farm_scale,
};
