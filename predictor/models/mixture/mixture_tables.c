/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_tables.c - weights of features, learned online
 *
 * The score of an atom is a sum of table entries, theta.  They are learned one
 * job after the other by descending the CRPS, with steps that shrink as an
 * entry is used [1]: S is the sum of its squared slopes G, the step is
 * eta G / sqrt(S + epsilon).
 *
 * [1] J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online
 *     Learning and Stochastic Optimization, JMLR 12 (2011) 2121-2159.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/mixture/mixture_tables.h"
#include "predictor/stats/crps.h"

#define ETA         0.1f
#define EPSILON     0.1f
#define SCALE_DECAY 0.9995f
#define OVER_DECAY  0.999f
#define OVER_JOBS   50.0f /* with fewer, limits count as enforced */
#define OVER_SHARE  0.05f

/* A job that ran this far past its limit was not ended by it. */
#define OVER_RATIO 1.05
#define OVER_S     60

/* A family learns at eta times this.  Slow learning of weak features lowers the
 * error on logs of some 10,000 jobs by 1 to 2 percent, on longer ones not. */
static const float rates[MIXTURE_FAMILIES] = {
	[FAMILY_MATCH] = 1,         [FAMILY_RANK] = 1,
	[FAMILY_AGE] = 1,           [FAMILY_LIMIT] = 1,
	[FAMILY_END] = 1,           [FAMILY_SUBMITTED] = 1,
	[FAMILY_SIZE] = 0.5f,       [FAMILY_VALUE] = 0.5f,
	[FAMILY_USER_RANK] = 1,     [FAMILY_QUEUE_VALUE] = 0.25f,
	[FAMILY_USER_MATCH] = 0.5f, [FAMILY_GAP] = 0.5f,
	[FAMILY_IN_FLIGHT] = 0.5f,  [FAMILY_LAST] = 0.5f,
	[FAMILY_SURPRISE] = 0.5f,   [FAMILY_USER_VALUE] = 0.5f,
};

/* One job moves scores by no more than this altogether, in units of the mean
 * of sqrt(run time): a run of weeks among those of minutes has slopes that
 * undo what a thousand others taught. */
#define SLOPES_MAX 0.5f

/* What a user, or a queue, adds to what holds for all: entries that are shared
 * by hash, and learned from few jobs.  Without bound, which of them meet in one
 * entry moved the error on one log by 6 %.  With .5 and 2 the mean error on ten
 * logs is .3 % greater. */
#define HASHED_MAX 1.0f

/* Initial score of a trait in common. */
static const float trait_worth[MIXTURE_TRAITS] = {
	[TRAIT_USER] = 2,      [TRAIT_APPLICATION] = 1,  [TRAIT_SIZE] = 0.5f,
	[TRAIT_LIMIT] = 0.5f,  [TRAIT_PARTITION] = 0.2f, [TRAIT_ACCOUNT] = 0.2f,
	[TRAIT_MEMORY] = 0.2f,
};

/* Initial score of a share of the limit, and of an older run. */
#define SHARE_WORTH -0.5f
#define RANK_WORTH  -0.15f
/* Initial score of a run that failed or was cancelled.  At -1.5 the error on
 * IU-Mason, where most of these run long, is 4 percent greater; on other logs
 * it is the same. */
#define CRASH_WORTH -0.5f

void mixture_tables_by_hand(float theta[MIXTURE_ENTRIES])
{
	memset(theta, 0, MIXTURE_ENTRIES * sizeof(theta[0]));
	for (unsigned p = 0; p < MIXTURE_PATTERNS; p++) {
		float *match = &theta[ENTRY_MATCH + p];

		for (int i = 0; i < MIXTURE_TRAITS; i++)
			if (p >> i & 1)
				*match += trait_worth[i];
		match[MIXTURE_PATTERNS] = *match + SHARE_WORTH;
	}
	for (int i = 0; i < MIXTURE_KINDS * MIXTURE_RANKS; i++)
		theta[ENTRY_RANK + i] = RANK_WORTH * (float)(i % MIXTURE_RANKS);
	for (int own = 0; own < 2; own++) {
		float *end = &theta[ENTRY_END + own * OUTCOME_ENDS];

		end[OUTCOME_FAILED] = CRASH_WORTH;
		end[OUTCOME_CANCELLED] = CRASH_WORTH;
	}
}

void mixture_tables_start(struct mixture_tables *t)
{
	memset(t, 0, sizeof(*t));
	mixture_tables_by_hand(t->theta);
}

/* Nonnegative floats have the order of their bits. */
static uint64_t sort_key(float x, int atom)
{
	uint32_t image;

	memcpy(&image, &x, sizeof(image));
	return (uint64_t)image << 32 | (uint32_t)atom;
}

/* Merge sort between two arrays. */
static const uint64_t *sort_keys(uint64_t *keys, uint64_t *spare, int count)
{
	for (int width = 1; width < count; width *= 2) {
		for (int at = 0; at < count; at += 2 * width) {
			int middle = at + width < count ? at + width : count;
			int end =
				middle + width < count ? middle + width : count;
			int a = at, b = middle;

			for (int to = at; to < end; to++)
				if (b >= end ||
				    (a < middle && keys[a] < keys[b]))
					spare[to] = keys[a++];
				else
					spare[to] = keys[b++];
		}

		uint64_t *swap = keys;

		keys = spare;
		spare = swap;
	}
	return keys;
}

static void softmax(float *w, int count)
{
	float most = w[0];
	float sum = 0;

	for (int i = 1; i < count; i++)
		most = w[i] > most ? w[i] : most;
	for (int i = 0; i < count; i++)
		sum += w[i] = expf(w[i] - most);
	for (int i = 0; i < count; i++)
		w[i] /= sum;
}

void mixture_tables_weigh(const struct mixture_tables *t,
			  const struct mixture_atoms *atoms,
			  struct mixture_prediction *ret)
{
	float score[MIXTURE_ATOMS_MAX] = { 0 };
	uint64_t keys[MIXTURE_ATOMS_MAX], spare[MIXTURE_ATOMS_MAX];
	int n = ret->count = atoms->count;

	for (int f = 0; f < MIXTURE_FAMILIES; f++)
		for (int i = 0; i < n; i++)
			score[i] += t->theta[atoms->entries[f][i]];
	softmax(score, n);
	for (int i = 0; i < n; i++)
		keys[i] = sort_key(atoms->x[i], i);

	const uint64_t *sorted = sort_keys(keys, spare, n);

	for (int i = 0; i < n; i++) {
		int atom = (int)(uint32_t)sorted[i];

		ret->atom[i] = (uint8_t)atom;
		ret->x[i] = atoms->x[atom];
		ret->w[i] = score[atom];
	}
}

bool mixture_tables_enforced(const struct mixture_tables *t)
{
	return t->over_weight < OVER_JOBS ||
	       t->over < OVER_SHARE * t->over_weight;
}

void mixture_tables_ended(struct mixture_tables *t, float ln_runtime,
			  float ln_limit)
{
	float z = expf(ln_runtime / 2);

	t->scale_weight = t->scale_weight * SCALE_DECAY + 1;
	t->scale += (z - t->scale) / t->scale_weight;
	if (isnan(ln_limit))
		return;

	double limit_s = exp((double)ln_limit);
	bool over = exp((double)ln_runtime) > OVER_RATIO * limit_s + OVER_S;

	t->over = t->over * OVER_DECAY + (over ? 1 : 0);
	t->over_weight = t->over_weight * OVER_DECAY + 1;
}

static bool is_hashed(uint16_t entry)
{
	return entry >= ENTRY_USER_RANK && entry < ENTRY_GAP;
}

/* Return whether the family's entries are of one user. */
static bool is_of_user(int family)
{
	return family == FAMILY_USER_RANK || family == FAMILY_USER_MATCH ||
	       family == FAMILY_USER_VALUE;
}

static float bounded(float value, float most)
{
	return fminf(fmaxf(value, -most), most);
}

/* The step of one family. */
static void descend_family(struct mixture_tables *t, const uint16_t *entries,
			   const float *d, int count, float eta)
{
	uint16_t touched[MIXTURE_ATOMS_MAX];
	int n = 0;

	for (int i = 0; i < count; i++) {
		uint16_t entry = entries[i];

		if (t->slope[entry] == 0)
			touched[n++] = entry;
		t->slope[entry] += d[i];
	}
	for (int i = 0; i < n; i++) {
		uint16_t entry = touched[i];
		float G = t->slope[entry];

		/* 0: done already, or slopes cancelled out. */
		if (G == 0 || !entry)
			continue;
		t->S[entry] += G * G;
		t->theta[entry] -= eta * G / sqrtf(t->S[entry] + EPSILON);
		if (is_hashed(entry))
			t->theta[entry] = bounded(t->theta[entry], HASHED_MAX);
		t->slope[entry] = 0;
	}
	t->slope[0] = 0;
}

void mixture_tables_descend(
	struct mixture_tables *t, const struct mixture_prediction *prediction,
	const uint16_t entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX],
	float ln_runtime, float pace)
{
	int n = prediction->count;
	float z[MIXTURE_ATOMS_MAX] = { 0 }, slope[MIXTURE_ATOMS_MAX];
	float d[MIXTURE_ATOMS_MAX]; /* by position in struct mixture_atoms */
	float scale = t->scale > 1 ? t->scale : 1;
	float sum = 0;

	for (int i = 0; i < n; i++)
		z[i] = expf(prediction->x[i] / 2);
	crps(z, prediction->w, n, (double)expf(ln_runtime / 2), slope);
	for (int i = 0; i < n; i++)
		sum += fabsf(slope[i]);
	scale = fmaxf(scale, sum / SLOPES_MAX);
	for (int i = 0; i < n; i++)
		d[prediction->atom[i]] = slope[i] / scale;
	for (int f = 0; f < MIXTURE_FAMILIES; f++)
		descend_family(t, entries[f], d, n,
			       ETA * rates[f] * (is_of_user(f) ? 1 : pace));
}
