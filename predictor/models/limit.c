/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit.c - the user's own time limit */
#include <math.h>

#include "predictor/models/model.h"

static int limit_predict(void *model, const struct history *history,
			 const struct query *query, struct model_result *ret,
			 struct sp_error *err)
{
	(void)model;
	(void)history;
	if (!(query->limit_s > 0) || !isfinite(query->limit_s))
		return sp_error_set(err, "no time limit was given");
	model_result_set(ret, query->limit_s, 0, NAN, NAN);
	return 0;
}

const struct model model_limit = {
	.name = "limit",
	.help = "the user's time limit",
	.create = model_create_empty,
	.destroy = free,
	.predict = limit_predict,
};
