/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_find.h - the order of the ranks of a job, as far as one is known */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/whatif/order_table.h"

struct http;

/* What is known of the order of the ranks of that prediction's job on these
 * nodes, as Slurm has them; *ret, for rank_order_clear(), is set if it is
 * ready.  What is not known is searched for from now on.  `starts`: the job
 * does so now, and what is found stays its own whatever load it makes. */
enum order_state order_find(struct http *http, const struct prediction *p,
			    const char *nodes, bool starts,
			    struct rank_order *ret);
