/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last.c - the user's last run of the application
 *
 * Else the last of any user; if the application is not known, the user's last
 * run of anything.  No longer than the limit.
 */
#include <math.h>

#include "predictor/models/model.h"

/* Return NAN if there is none. */
static double find_last_runtime(const struct history *h, const struct query *q)
{
	uint32_t pair = INDEX_NONE;

	if (q->user != INDEX_NONE && q->application != INDEX_NONE)
		pair = history_pair(h, q->user, q->application);
	if (pair != INDEX_NONE)
		return (double)h->pairs[pair].last_runtime_s;
	if (q->application != INDEX_NONE)
		return h->applications[q->application].last_runtime_s;
	if (q->user != INDEX_NONE && !q->application_key) {
		const struct history_brief *run =
			history_user_run(h, q->user, 0);

		return run ? run->runtime_s : NAN;
	}
	return NAN;
}

static int last_predict(void *model, const struct history *history,
			const struct query *query, struct model_result *ret,
			struct sp_error *err)
{
	double last_s = find_last_runtime(history, query);

	(void)model;
	if (isnan(last_s))
		return sp_error_set(err, "no run of this application");
	if (query->limit_s > 0 && last_s > query->limit_s)
		last_s = query->limit_s;
	model_result_set(ret, last_s, 1, NAN, NAN);
	return 0;
}

const struct model model_last = {
	.name = "last",
	.help = "the user's last run of the application",
	.create = model_create_empty,
	.destroy = free,
	.predict = last_predict,
};
