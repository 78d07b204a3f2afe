/* SPDX-License-Identifier: GPL-2.0-or-later */
/* use_json.h - what runs used, and what to request next time, as JSON
 *
 * NULL: memory ran out.
 */
#pragma once

#include "predictor/engine/store.h"
#include "predictor/http/json_build.h"

/* Encode what one run used and requested. */
struct json_object *use_encode_run(const struct used_run *run);

/* Encode the advice that follows from runs of one application and user, the
 * newest first, for a job like `like`. */
struct json_object *use_encode_advice(const struct used_run *like,
				      const struct store_use *rows,
				      size_t count);

/* Encode groups, with advice for each if it is `advised` and for a job like
 * `like` (without nodes: like the newest of the group). */
struct json_object *use_encode_groups(const struct store_use *rows,
				      size_t count, bool advised,
				      const struct used_run *like);
