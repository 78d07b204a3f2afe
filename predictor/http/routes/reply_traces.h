/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_traces.h - traces of the store as a reply (json_trace.h) */
#pragma once

#include "predictor/engine/store.h"

/* Return the whole reply, terminated, which the caller frees.  Traces that
 * cannot be replayed yet are left out; NULL: none is left, *err says why.
 * Without `nodes` what was measured of them is left out.  Takes the runs. */
char *traces_reply_make(struct store_trace *traces, size_t count, bool nodes,
			size_t *ret_size, struct sp_error *err);
