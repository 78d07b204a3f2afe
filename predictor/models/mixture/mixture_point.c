/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_point.c - a job's traits, size, limit and times
 *
 * A trait is one value: GPUs and the like are part of the size, the features
 * that nodes must have are part of the partition.  Jobs that ask for neither
 * have the traits that they would have without.  QOS is no trait: a job that
 * names none gets a default that only slurmctld knows, so that a submission and
 * the run that it became would differ.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/mixture/mixture_point.h"

/* A run that took this part of its limit was ended by it. */
#define TIMED_OUT 0.99

static uint32_t fold_key(uint64_t key)
{
	uint32_t folded = (uint32_t)(key ^ key >> 32);

	return key && !folded ? 1 : folded;
}

/* One key of two; `key` itself where there is no other. */
static uint64_t join_keys(uint64_t key, uint64_t other)
{
	return other ? (key ^ other * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u
		     : key;
}

static uint32_t whole_seconds(double seconds)
{
	if (!(seconds > 0))
		return 0;
	return seconds < UINT32_MAX ? (uint32_t)seconds : UINT32_MAX;
}

float mixture_ln(double seconds)
{
	return seconds > 1 ? (float)log(seconds) : 0;
}

static uint32_t float_bits(double value)
{
	float single = (float)value;
	uint32_t ret;

	memcpy(&ret, &single, sizeof(ret));
	return ret;
}

void mixture_point_of(const struct query *query, struct mixture_point *ret)
{
	bool limited = query->limit_s > 0 && isfinite(query->limit_s);

	memset(ret, 0, sizeof(*ret));
	ret->cluster = fold_key(query->cluster_key);
	ret->user = fold_key(query_user(query));
	ret->traits[TRAIT_USER] = fold_key(query->user_key);
	ret->traits[TRAIT_APPLICATION] = fold_key(query->application_key);
	ret->traits[TRAIT_SIZE] =
		fold_key(join_keys(query->cpus, query->gres_key));
	ret->traits[TRAIT_LIMIT] = limited ? float_bits(query->limit_s) : 0;
	ret->traits[TRAIT_PARTITION] =
		fold_key(join_keys(query->partition_key, query->features_key));
	ret->traits[TRAIT_ACCOUNT] = fold_key(query->account_key);
	ret->traits[TRAIT_MEMORY] =
		query->memory_mb > 0 ? float_bits(query->memory_mb) : 0;
	ret->known = mixture_traits_known(ret->traits);
	ret->ln_limit = limited ? mixture_ln(query->limit_s) : NAN;
	ret->ln_size = query->cpus > 1 ? logf((float)query->cpus) : 0;
	ret->submitted_s = whole_seconds(query->submitted_at_s);
	ret->now_s = whole_seconds(query->now_s);
}

static uint8_t surprise(float ln_runtime, float ln_predicted)
{
	float halves = 2 * (ln_runtime - ln_predicted) +
		       (MIXTURE_SURPRISES - 3) / 2.0f;

	if (isnan(halves))
		return MIXTURE_SURPRISES - 1;
	return (uint8_t)fminf(fmaxf(halves, 0), MIXTURE_SURPRISES - 2);
}

void mixture_point_run(const struct mixture_point *point,
		       const struct outcome *outcome, float ln_predicted,
		       struct mixture_run *ret)
{
	double runtime_s = outcome->ended_at_s - outcome->started_at_s;

	*ret = (struct mixture_run){
		.job_id = outcome->job_id,
		.submitted_s = point->submitted_s,
		.ended_s = whole_seconds(outcome->ended_at_s),
		.ln_runtime = mixture_ln(runtime_s),
		.ln_limit = point->ln_limit,
		.ln_size = point->ln_size,
		.end = (uint8_t)outcome->end,
		.gap = point->before.gap,
		.in_flight = point->before.in_flight,
		.last = point->before.last,
	};
	memcpy(ret->traits, point->traits, sizeof(ret->traits));
	if (ret->ln_runtime >= point->ln_limit + logf(TIMED_OUT))
		ret->end = OUTCOME_TIMEOUT;
	ret->surprise = surprise(ret->ln_runtime, ln_predicted);
}

int mixture_log2(float value, float scale, int top)
{
	uint32_t image;

	memcpy(&image, &value, sizeof(image));

	/* Exponent and mantissa, read as one number. */
	float log = (float)(int32_t)(image - 0x3f800000u) * 0x1p-23f * scale;

	return log < (float)top ? (int)log : top;
}
