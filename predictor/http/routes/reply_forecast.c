/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_forecast.c - a forecast as JSON */
#include "predictor/http/json_build.h"
#include "predictor/http/routes/reply_forecast.h"

static const struct field forecast_fields[] = {
	FIELD_SENT(resource_forecast, value, NUMBER),
	FIELD_SENT(resource_forecast, low, NUMBER),
	FIELD_SENT(resource_forecast, high, NUMBER),
	FIELD_SENT(resource_forecast, error, NUMBER),
	FIELD_SENT(resource_forecast, method, LENT),
	FIELD_END,
};

struct json_object *forecast_encode(const struct resource_forecast *f)
{
	return json_record(forecast_fields, f);
}
