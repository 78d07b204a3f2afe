/* SPDX-License-Identifier: GPL-2.0-or-later */
/* avg2.c - the mean of the user's last two runs
 *
 * [1] D. Tsafrir, Y. Etsion, D. G. Feitelson: Backfilling Using
 *     System-Generated Predictions Rather than User Runtime Estimates, IEEE
 *     TPDS 18 (2007) 789-803: the last two jobs of the user that have ended,
 *     whatever they ran; one if there is no more; no longer than the limit.
 */
#include <math.h>

#include "predictor/models/model.h"

#define LAST 2

static int avg2_predict(void *model, const struct history *history,
			const struct query *query, struct model_result *ret,
			struct sp_error *err)
{
	double sum = 0;
	uint32_t n = 0;

	(void)model;
	if (query->user == INDEX_NONE)
		return sp_error_set(err, "no run of this user");
	for (; n < LAST; n++) {
		const struct history_brief *run =
			history_user_run(history, query->user, n);

		if (!run)
			break;
		sum += run->runtime_s;
	}
	if (!n)
		return sp_error_set(err, "no run of this user");

	double mean_s = sum / n;

	if (query->limit_s > 0 && mean_s > query->limit_s)
		mean_s = query->limit_s;
	model_result_set(ret, mean_s, n, NAN, NAN);
	return 0;
}

const struct model model_avg2 = {
	.name = "avg2",
	.help = "mean of the user's last two runs",
	.create = model_create_empty,
	.destroy = free,
	.predict = avg2_predict,
};
