/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_forecast.h - a forecast as JSON */
#pragma once

#include "predictor/engine/resources.h"

struct json_object;

/* Return NULL if memory is exhausted. */
struct json_object *forecast_encode(const struct resource_forecast *f);
