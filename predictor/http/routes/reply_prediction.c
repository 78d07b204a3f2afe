/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_prediction.c - predictions in replies, as far as the client may see
 * them */
#include <math.h>

#include "predictor/http/routes/reply_prediction.h"
#include "predictor/http/server.h"

/* A guess from runs of other users, who are hidden, would tell how long these
 * took. */
static bool tells_of_others(const struct request *r, const struct prediction *p)
{
	return p->evidence_level == EVIDENCE_SITE &&
	       prediction_is_guess(p->basis, p->evidence_level) &&
	       engine_hides_jobs(r->http->config.engine, p->cluster);
}

/* Leave the limit of the job. */
static void guess_hide(struct prediction *p)
{
	bool limited = p->limit_s > 0 && isfinite(p->limit_s);

	p->basis = limited ? BASIS_LIMIT : BASIS_NOTHING;
	p->model[0] = '\0';
	p->median_s = p->quantile_s = limited ? p->limit_s : NAN;
	p->last_error = p->limit_chance = NAN;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p->knots_s[i] = NAN;
	p->candidates_count = p->runs = p->evidence_runs = 0;
	p->similar_runs = p->over_limit = 0;
	p->evidence_level = EVIDENCE_NONE;
}

/* `p`, or *copy without what the client may not see. */
static const struct prediction *visible_part(const struct request *r,
					     const struct prediction *p,
					     struct prediction *copy)
{
	bool sees_nodes = request_sees_nodes(r, p->cluster);

	if (tells_of_others(r, p)) {
		*copy = *p;
		guess_hide(copy);
		p = copy;
	}
	if ((p->evidence_count == 0 && sees_nodes) || request_is_operator(r))
		return p;
	if (p != copy)
		*copy = *p;
	if (p->evidence_count)
		engine_evidence_of_user(r->http->config.engine, r->uid, copy);
	if (!sees_nodes) {
		conditions_init(&copy->conditions);
		copy->assumed_nodes[0] = copy->nodes_shown[0] = '\0';
	}
	return copy;
}

struct json_object *prediction_encode(const struct request *r,
				      const struct prediction *p)
{
	struct prediction copy;

	return wire_prediction_encode(visible_part(r, p, &copy));
}

int prediction_add(struct request *r, const char *name,
		   const struct prediction *p)
{
	if (p)
		return request_add(r, name, prediction_encode(r, p));
	json_object_object_add(r->reply, name, NULL);
	return 0;
}

void prediction_print(const struct request *r, const struct prediction *p,
		      struct wire_text *ret)
{
	struct prediction copy;

	wire_prediction_reply(visible_part(r, p, &copy), SP_VERSION, ret);
}
