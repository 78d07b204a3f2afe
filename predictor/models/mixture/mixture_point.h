/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_point.h - a job's traits, size, limit and times */
#pragma once

#include "predictor/features/subject.h"
#include "predictor/models/mixture/mixture_runs.h"
#include "predictor/models/query.h"

/* What the user did before: in buckets, at the time of a submission. */
struct mixture_before {
	uint8_t gap;       /* log2 of the seconds since the last submission */
	uint8_t in_flight; /* 2 log2 of the jobs not ended, plus 1 */
	uint8_t last;      /* 4 ln of the run time of the last that ended,
			      plus 1; 0: none has */
};

struct mixture_point {
	uint32_t cluster;
	uint32_t user; /* within the cluster; 0: unknown */
	uint32_t traits[MIXTURE_TRAITS];
	unsigned known; /* TRAIT_BITs */
	float ln_limit; /* NAN: none */
	float ln_size;
	uint32_t submitted_s, now_s; /* since the epoch */
	struct mixture_before before;
};

/* Without `before`, which stays zero. */
void mixture_point_of(const struct query *query, struct mixture_point *ret);

/* ln of a time in seconds, at least 0, as times are whole seconds. */
float mixture_ln(double seconds);

/* Find the run of the point's job; ln_predicted was its prediction, NAN: there
 * was none. */
void mixture_point_run(const struct mixture_point *point,
		       const struct outcome *outcome, float ln_predicted,
		       struct mixture_run *ret);

/* The whole part of scale * log2(value), value >= 1, at most top.  Between
 * powers of 2 it is linear, which is exact enough for buckets. */
int mixture_log2(float value, float scale, int top);
