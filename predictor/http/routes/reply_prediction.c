/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_prediction.c - predictions in replies, as far as the client may see
 * them */
#include "predictor/http/routes/reply_prediction.h"
#include "predictor/http/server.h"

/* `p`, or *copy without what the client may not see. */
static const struct prediction *visible_part(const struct request *r,
					     const struct prediction *p,
					     struct prediction *copy)
{
	bool sees_nodes = request_sees_nodes(r, p->cluster);

	if ((p->evidence_count == 0 && sees_nodes) || request_is_operator(r))
		return p;
	*copy = *p;
	if (p->evidence_count)
		engine_evidence_of_user(r->http->config.engine, r->uid, copy);
	if (!sees_nodes)
		conditions_init(&copy->conditions);
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
