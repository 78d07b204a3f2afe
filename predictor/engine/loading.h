/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loading.h - learning the past, when predictd starts or runs were imported
 *
 * engine_load_begin() and engine_load_end() are in engine.h.
 */
#pragma once

#include "predictor/engine/engine.h"

struct loading;

/* Add a past run.  Without the engine's lock, and only while engine->loading
 * is there.  -1 as engine_learn(). */
int loading_add(struct engine *engine, const struct run *run,
		struct sp_error *err);

void loading_destroy(struct loading *l); /* NULL is allowed */
