/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_reply.c - what stands in for predictd answers a plugin
 *
 * Whatever it is, what passes can be shown to a user.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/wire/wire.h"

static void check(const struct prediction *p)
{
	char text[DURATION_TEXT_SIZE];

	assert(strlen(p->id) == 0 || strlen(p->id) == PREDICTION_ID_SIZE - 1);
	assert(p->quantile >= 0 && p->quantile <= 1);
	assert(isnan(p->median_s) || (p->median_s >= 0 && p->median_s < 1e16));
	assert(p->basis != BASIS_HISTORY || isfinite(p->quantile_s));
	assert(duration_format_brief(p->median_s, text)[0]);
	assert(duration_format(p->quantile_s, text)[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_object *reply = wire_parse((const char *)data, size, NULL);
	struct json_object *message;
	struct prediction p;

	if (json_object_object_get_ex(reply, "prediction", &message) &&
	    !wire_prediction_decode(message, &p, NULL))
		check(&p);
	json_object_put(reply);
	return 0;
}
