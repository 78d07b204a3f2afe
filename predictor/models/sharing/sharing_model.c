/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_model.c - run time from a profile, corrected by past runs
 *
 * The row of the table of models that predicts with sharing_runtime(): with
 * each node and link of the set that is assumed.  Past runs have only
 * conditions: there the worst node counts, as all wait for it, and the mean
 * over links; likewise where no set is known.
 *
 * The profile may be of other parameters than the query's, and schedulers may
 * give back more of a sleep than is assumed.  So the result is corrected by the
 * ratios of past runs (ratios.h).  Where the parameters are the profile's own,
 * one ratio of 1 is among them, and no run is needed.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/unused.h"
#include "predictor/models/model.h"
#include "predictor/models/ratios.h"
#include "predictor/models/sharing/sharing.h"

#define SHARE_MIN 0.01 /* a sensor's resolution */

/* All nodes are equal, and all links. */
struct uniform_setting {
	struct sharing_node nodes[PROFILE_NODES_MAX];
	struct sharing_link link;
};

struct sharing_model {
	struct uniform_setting setting;
	struct ratios ratios;
};

static void *sharing_create(void)
{
	return calloc(1, sizeof(struct sharing_model));
}

static void link_of(const void *context, int from UNUSED, int to UNUSED,
		    struct sharing_link *ret)
{
	*ret = ((const struct uniform_setting *)context)->link;
}

static void set_link_of(const void *context, int from, int to,
			struct sharing_link *ret)
{
	const struct job_nodes *set = context;

	set->link_of(set->context, from, to, &ret->bandwidth_bps,
		     &ret->latency_s);
}

/* What the nodes do with processes that wake up, where it was measured. */
static void set_scheduler(const struct job_nodes *set,
			  struct sharing_setting *now)
{
	if (!set)
		return;
	now->turn_s = isnan(set->cpu_turn_s) ? 0 : set->cpu_turn_s;
	now->credit_s = isnan(set->cpu_credit_s) ? 0 : set->cpu_credit_s;
}

/* Run time by the profile on the nodes that are assumed; NAN: these are not
 * known, or it is not possible. */
static double predict_on_set(const struct query *q)
{
	const struct job_nodes *set = q->job_nodes;
	struct sharing_node nodes[PROFILE_NODES_MAX];
	struct sharing_setting now = {
		.nodes = nodes,
		.link_of = set_link_of,
		.context = set,
		.eager_bytes = SHARING_EAGER_BYTES,
	};

	if (!set || (uint32_t)set->count != q->nodes)
		return NAN;
	now.node_count = set->count;
	set_scheduler(set, &now);
	for (int k = 0; k < set->count; k++) {
		nodes[k].cpu_available = set->cpu_available[k];
		if (!isnan(nodes[k].cpu_available))
			nodes[k].cpu_available =
				fmax(nodes[k].cpu_available, SHARE_MIN);
		nodes[k].cpu_speed = NAN;
	}
	return sharing_runtime(q->profile, &now, NULL);
}

/* The same where all nodes and all links are equal. */
static double predict_runtime(struct sharing_model *m, const struct query *q,
			      double available_min, double bandwidth_bps,
			      double latency_s)
{
	struct sharing_setting now = {
		.node_count = (int)q->nodes,
		.nodes = m->setting.nodes,
		.link_of = link_of,
		.context = &m->setting,
		.eager_bytes = SHARING_EAGER_BYTES,
	};

	if (q->nodes < 1 || q->nodes > PROFILE_NODES_MAX)
		return NAN;
	set_scheduler(q->job_nodes, &now);
	for (uint32_t k = 0; k < q->nodes; k++)
		m->setting.nodes[k] = (struct sharing_node){
			.cpu_available = fmax(available_min, SHARE_MIN),
			.cpu_speed = NAN,
		};
	/* fmax() prefers a number to NAN, which is "not known" here. */
	for (uint32_t k = 0; isnan(available_min) && k < q->nodes; k++)
		m->setting.nodes[k].cpu_available = NAN;
	/* Latencies of conditions are of round trips. */
	m->setting.link = (struct sharing_link){ bandwidth_bps, latency_s / 2 };
	return sharing_runtime(q->profile, &now, NULL);
}

static double predict_past(void *model, const struct query *q,
			   const struct history_run *run)
{
	return predict_runtime(model, q, (double)run->cpu_available_min,
			       (double)run->bandwidth_bps,
			       (double)run->latency_s);
}

static void list_evidence(const struct ratios *r, struct model_result *ret)
{
	for (int i = 0; i < r->count && ret->evidence_count < EVIDENCE_MAX; i++)
		if (r->of[i].job_id)
			ret->evidence[ret->evidence_count++] =
				(struct evidence){ r->of[i].job_id,
						   r->of[i].runtime_s,
						   1 / (float)r->count };
}

static int sharing_predict(void *model, const struct history *history,
			   const struct query *query, struct model_result *ret,
			   struct sp_error *err)
{
	struct sharing_model *m = model;
	const struct profile *p = query->profile;

	if (!p)
		return sp_error_set(err, "no profile of this application");
	ratios_find(&m->ratios, history, query, predict_past, m);

	uint32_t runs = (uint32_t)m->ratios.count;

	if (p->nodes == query->nodes && p->tasks == query->tasks &&
	    parameters_equal(&p->application.parameters, query->parameters)) {
		ratios_add_own(&m->ratios);
		runs += p->runs;
	}
	if (!m->ratios.count)
		return sp_error_set(err, "the profile is of another size, and "
					 "no run of this size is known");

	const struct conditions *c = &query->conditions;
	double median_s = predict_on_set(query);

	if (isnan(median_s))
		median_s = predict_runtime(m, query, c->cpu_available_min,
					   c->bandwidth_bps, c->latency_s);
	median_s = ratios_correct(&m->ratios, median_s);
	if (!isfinite(median_s) || median_s <= 0)
		return sp_error_set(err, "the profile has neither phases "
					 "nor messages");
	model_result_set(ret, median_s, runs, NAN, NAN);
	ratios_spread(&m->ratios, ret);
	list_evidence(&m->ratios, ret);
	return 0;
}

const struct model model_sharing = {
	.name = "sharing",
	.help = "the application's profile, with CPUs and links as shared "
		"as they are now",
	.create = sharing_create,
	.destroy = free,
	.predict = sharing_predict,
};
