/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_roster.h - the nodes that take part in probes, as a message
 *
 * As wire.h describes.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/base/error.h"
#include "predictor/features/probe_roster.h"

/* In the reply of GET /v1/probes it stands below "roster". */
struct json_object *wire_roster_encode(const struct probe_roster *roster);
int wire_roster_decode(struct json_object *message, struct probe_roster *ret,
		       struct sp_error *err);
