/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_conditions.h - what nodes and links are like now, for a replay */
#ifndef PREDICTOR_HTTP_ROUTES_WHATIF_CONDITIONS_H
#define PREDICTOR_HTTP_ROUTES_WHATIF_CONDITIONS_H

#include "predictor/replay/traced_place.h"

/* `context` is a struct whatif_task.  Fails for a node that was
 * not measured. */
int whatif_conditions_now(void *context, struct traced_place *place,
			  struct sp_error *err);

#endif
