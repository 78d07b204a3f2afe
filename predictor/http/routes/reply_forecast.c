/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_forecast.c - a forecast as JSON */
#include "predictor/http/json_build.h"
#include "predictor/http/routes/reply_forecast.h"

struct json_object *forecast_encode(const struct resource_forecast *f)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add_number(object, "value", f->value, &failed);
	json_add_number(object, "low", f->low, &failed);
	json_add_number(object, "high", f->high, &failed);
	json_add_number(object, "error", f->error, &failed);
	json_add(object, "method", json_object_new_string(f->method), &failed);
	return json_finish(object, failed);
}
