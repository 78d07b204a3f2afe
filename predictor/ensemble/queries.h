/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queries.h - a job's query point, for the models */
#pragma once

#include "predictor/features/subject.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"

/* Make the query of `subject` under `conditions`, with positions in `history`
 * as it is now.  It lends the subject's parameters. */
void query_make(const struct history *history, const struct subject *subject,
		const struct conditions *conditions, double now_s,
		uint64_t ticket, struct query *ret);
