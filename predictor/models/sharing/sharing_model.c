/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_model.c - run time from a profile, corrected by past runs
 *
 * The row of the table of models that predicts with sharing_runtime(): with
 * each node and link of the set that is assumed.  Past runs have only
 * conditions: there the worst node counts, as all wait for it, and the mean
 * over links; likewise where no set is known.
 *
 * The profile may be of other parameters than the query's, and schedulers may
 * give back more of a sleep than is assumed.  So the result is multiplied by a
 * correction: for past runs of the query's size and parameters, each under the
 * conditions that it had, the ratio of actual to predicted run time is taken;
 * the correction is the median of the newest ratios.  Where the parameters are
 * the profile's own, one ratio of 1 is among them, and no run is needed.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/model.h"
#include "predictor/models/sharing/sharing.h"

#define RATIOS_MAX   9    /* the newest runs like the query */
#define SEARCHED_MAX 256  /* among at most this many of the newest runs */
#define SPREAD_MIN   3    /* ratios needed for an interval */
#define NOISE        0.02 /* between equal runs, in ln(run time) */
#define SHARE_MIN    0.01 /* a sensor's resolution */

/* All nodes are equal, and all links. */
struct uniform_setting {
	struct sharing_node nodes[PROFILE_NODES_MAX];
	struct sharing_link link;
};

struct sharing_model {
	struct uniform_setting setting;
	struct ratio {
		double ln; /* of actual over predicted run time */
		uint32_t job_id;
		float runtime_s;
	} ratios[RATIOS_MAX + 1]; /* in ascending order */
	int count;
};

static void *sharing_create(void)
{
	return calloc(1, sizeof(struct sharing_model));
}

static void link_of(const void *context, int from, int to,
		    struct sharing_link *ret)
{
	(void)from;
	(void)to;
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

static bool values_are_equal(const double values[], const struct parameters *p)
{
	for (int j = 0; j < p->count; j++)
		if (values[j] != p->of[j].value)
			return false;
	return true;
}

static void ratio_insert(struct sharing_model *m, struct ratio ratio)
{
	int at = m->count++;

	for (; at > 0 && m->ratios[at - 1].ln > ratio.ln; at--)
		m->ratios[at] = m->ratios[at - 1];
	m->ratios[at] = ratio;
}

/* Find the ratios of the newest runs like the query. */
static void find_ratios(struct sharing_model *m, const struct history *h,
			const struct query *q)
{
	uint32_t at = INDEX_NONE;

	m->count = 0;
	if (q->application != INDEX_NONE && q->names != INDEX_NONE)
		at = history_group(h, q->application, q->names, q->nodes,
				   q->tasks, q->cpus);
	if (at == INDEX_NONE)
		return;

	const struct history_group *g = &h->groups[at];
	uint32_t width = (uint32_t)q->parameters->count;
	uint32_t end = g->count > SEARCHED_MAX ? g->count - SEARCHED_MAX : 0;

	for (uint32_t i = g->count; i-- > end && m->count < RATIOS_MAX;) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED ||
		    !values_are_equal(g->values + (size_t)i * width,
				      q->parameters))
			continue;

		double s = predict_runtime(m, q, (double)run->cpu_available_min,
					   (double)run->bandwidth_bps,
					   (double)run->latency_s);

		if (isfinite(s) && s > 0)
			ratio_insert(m,
				     (struct ratio){ log(run->runtime_s / s),
						     run->job_id,
						     (float)run->runtime_s });
	}
}

static double ratio_median(const struct ratio r[], int n)
{
	return (r[(n - 1) / 2].ln + r[n / 2].ln) / 2;
}

static double ratio_spread(const struct sharing_model *m, double middle)
{
	double sum = NOISE * NOISE;

	for (int i = 0; i < m->count; i++)
		sum += (m->ratios[i].ln - middle) * (m->ratios[i].ln - middle);
	/* The median itself is uncertain, too. */
	return sqrt(sum / (m->count - 1) * (1 + 1. / m->count));
}

static void list_evidence(const struct sharing_model *m,
			  struct model_result *ret)
{
	for (int i = 0; i < m->count && ret->evidence_count < EVIDENCE_MAX; i++)
		if (m->ratios[i].job_id)
			ret->evidence[ret->evidence_count++] =
				(struct evidence){ m->ratios[i].job_id,
						   m->ratios[i].runtime_s,
						   1 / (float)m->count };
}

static int sharing_predict(void *model, const struct history *history,
			   const struct query *query, struct model_result *ret,
			   struct sp_error *err)
{
	struct sharing_model *m = model;
	const struct profile *p = query->profile;

	if (!p)
		return sp_error_set(err, "no profile of this application");
	find_ratios(m, history, query);

	uint32_t runs = (uint32_t)m->count;

	if (p->nodes == query->nodes && p->tasks == query->tasks &&
	    parameters_equal(&p->application.parameters, query->parameters)) {
		ratio_insert(m, (struct ratio){ 0, 0, 0 });
		runs += p->runs;
	}
	if (!m->count)
		return sp_error_set(err, "the profile is of another size, and "
					 "no run of this size is known");

	const struct conditions *c = &query->conditions;
	double middle = ratio_median(m->ratios, m->count);
	double median_s = predict_on_set(query);

	if (isnan(median_s))
		median_s = predict_runtime(m, query, c->cpu_available_min,
					   c->bandwidth_bps, c->latency_s);
	median_s *= exp(middle);

	if (!isfinite(median_s) || median_s <= 0)
		return sp_error_set(err, "the profile has neither phases "
					 "nor messages");
	model_result_set(ret, median_s, runs, NAN, NAN);
	if (m->count >= SPREAD_MIN) {
		ret->sigma = ratio_spread(m, middle);
		ret->degrees = m->count - 1;
	}
	list_evidence(m, ret);
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
