/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction_fill.c - what a prediction says of the job, and of the
 * models' verdict */
#include <math.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/engine/prediction_fill.h"
#include "predictor/features/script/identify.h"
#include "predictor/models/model.h"

void prediction_text(char *to, size_t size, const char *from)
{
	const char *text = from ? from : "";

	piece_copy(to, size, text, strnlen(text, size - 1));
}

void prediction_begin(const struct submission *job, uint32_t cpus_per_node,
		      struct prediction *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->user_id = job->user_id;
	prediction_text(ret->cluster, sizeof(ret->cluster), job->cluster);
	prediction_text(ret->account, sizeof(ret->account), job->account);
	prediction_text(ret->partition, sizeof(ret->partition), job->partition);
	prediction_text(ret->qos, sizeof(ret->qos), job->qos);
	prediction_text(ret->features, sizeof(ret->features), job->features);
	prediction_text(ret->job_name, sizeof(ret->job_name), job->name);
	application_identify(job, &ret->application);
	prediction_size(ret, &job->size, cpus_per_node);
	gres_request_total(&job->gres, ret->nodes, ret->tasks, ret->gres,
			   sizeof(ret->gres));
	ret->limit_s = job->limit_s > 0 ? job->limit_s : NAN;
	conditions_init(&ret->conditions);
	ret->basis = BASIS_NOTHING;
	ret->median_s = NAN;
	ret->quantile_s = NAN;
	ret->last_error = ret->limit_chance = NAN;
	ret->rejected_s = NAN;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ret->knots_s[i] = NAN;
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		ret->levels[i] = NAN;
}

static void evidence_copy(const struct verdict *v, struct prediction *p)
{
	p->evidence_count = 0;
	for (int i = 0; i < v->evidence_count && i < PREDICTION_EVIDENCE_MAX;
	     i++)
		p->evidence[p->evidence_count++] = (struct prediction_evidence){
			.job_id = v->evidence[i].job_id,
			.runtime_s = (double)v->evidence[i].runtime_s,
			.weight = (double)v->evidence[i].weight,
		};
}

static void candidates_copy(const struct verdict *v, struct prediction *p)
{
	p->candidates_count = 0;
	for (int i = 0; i < v->candidates_count && i < PREDICTION_MODELS_MAX;
	     i++) {
		struct prediction_candidate *c =
			&p->candidates[p->candidates_count++];

		prediction_text(c->model, sizeof(c->model), models[i]->name);
		c->median_s = v->candidates_s[i];
	}
}

void prediction_take(struct prediction *p, const struct verdict *v)
{
	prediction_text(p->model, sizeof(p->model),
			v->model < 0 ? "" : models[v->model]->name);
	p->basis = v->basis;
	p->median_s = v->median_s;
	p->quantile_s = verdict_quantile(v->knots_s, p->quantile);
	p->runs = v->runs;
	p->last_error = v->last_error;
	p->extrapolated = v->basis == BASIS_HISTORY && v->outside.extrapolated;
	p->unbounded = v->unbounded;
	prediction_text(p->outside, sizeof(p->outside),
			v->basis == BASIS_HISTORY ? v->outside.text : "");
	p->similar_runs = v->similar.count;
	p->over_limit = v->similar.over_limit;
	p->limit_chance = v->limit_chance;
	memcpy(p->knots_s, v->knots_s, sizeof(p->knots_s));
	memcpy(p->levels, v->levels, sizeof(p->levels));
	evidence_copy(v, p);
	candidates_copy(v, p);
}

void prediction_take_unlike(struct ensemble *ensemble,
			    const struct subject *subject,
			    const struct verdict *v, struct prediction *p)
{
	struct runs_of_parameters runs;
	bool far;

	p->unlike = v->basis == BASIS_HISTORY
			    ? ensemble_unlike(ensemble, subject, &p->conditions,
					      p->made_at_s, v, &runs)
			    : UNLIKE_NOT;
	far = p->unlike != UNLIKE_NOT;
	p->unlike_runs = far ? runs.count : 0;
	p->unlike_shortest_s = far ? runs.shortest_s : 0;
	p->unlike_longest_s = far ? runs.longest_s : 0;
}
