/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_atoms.c - possible run times of a job, and the features of each
 *
 * Each candidate is compared with the job once (column_fill()), for all entries
 * that do not depend on the run time.  It gives up to two atoms, its corrected
 * run time and its share of the limit; the limit itself gives three.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/mixture/mixture_atoms.h"

/* Run time of the first jobs of a cluster without a limit. */
#define NOTHING_KNOWN_S 600

/* Limits that differ by less are the same. */
#define LN_SAME 1e-6f

/* A run has reached its limit from so far below, in units of ln. */
#define AT_LIMIT 0.01f

enum { AS_IT_RAN, SHARE_OF_LIMIT, KINDS_OF_ATOM };

/* Atoms of the limit: ln of the share. */
static const float limit_shares[MIXTURE_LIMITS] = { 0, -1, -3 };

/* What all candidates of a job are compared with. */
struct job_comparison {
	const struct mixture_point *point;
	const struct correction *correction; /* NULL: none */
	bool enforced;
	uint8_t met[MIXTURE_PATTERNS]; /* candidates so far, by pattern */
};

/* An entry of each family, of one candidate. */
struct entry_column {
	int of[MIXTURE_FAMILIES];
};

/* --- The runs that are most likely similar -------------------------------- */

/* Runs of other users are read only while there are fewer than this. */
#define ENOUGH 48

/* A set of slots: open addressing, far from full. */
#define SET_SIZE 256

_Static_assert(SET_SIZE >= 4 * ENOUGH, "the set stays sparse");

/* Slots are stored plus 1. */
static bool set_add(uint32_t set[SET_SIZE], uint32_t slot)
{
	uint32_t i = slot * 0x9e3779b1u >> 24;

	while (set[i]) {
		if (set[i] == slot + 1)
			return false;
		i = (i + 1) % SET_SIZE;
	}
	set[i] = slot + 1;
	return true;
}

/* By insertion: rings return their newest first, so little is out of order. */
static void sort_newest_first(const struct mixture_runs *runs, int count,
			      uint32_t *slots)
{
	uint64_t by_end[SET_SIZE];

	for (int i = 0; i < count; i++) {
		uint64_t key =
			(uint64_t)mixture_runs_at(runs, slots[i])->sequence
				<< 32 |
			slots[i];
		int at = i;

		for (; at && by_end[at - 1] < key; at--)
			by_end[at] = by_end[at - 1];
		by_end[at] = key;
	}
	for (int i = 0; i < count; i++)
		slots[i] = (uint32_t)by_end[i];
}

/* Slots of at most `max` different runs, newest end first. */
static int mixture_candidates(struct mixture_runs *runs,
			      const struct mixture_point *point, int max,
			      uint32_t *ret)
{
	uint64_t keys[MIXTURE_RING_KINDS];
	uint32_t set[SET_SIZE];
	int count = 0;

	mixture_runs_keys(runs, point->cluster, point->traits, keys);
	memset(set, 0, sizeof(set));
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		const struct mixture_ring_kind *kind = &mixture_ring_kinds[k];

		if (kind->fallback && count >= ENOUGH)
			break;
		if (kind->needs & ~point->known)
			continue;

		uint32_t slots[MIXTURE_RING_MAX];
		int n = mixture_runs_ring(runs, keys[k], slots);

		for (int i = 0; i < n && count < max; i++) {
			if (!set_add(set, slots[i]))
				continue;
			__builtin_prefetch(mixture_runs_at(runs, slots[i]));
			ret[count++] = slots[i];
		}
	}
	sort_newest_first(runs, count, ret);
	return count;
}

static int clamp_int(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

static int hash_entry(uint32_t who, uint32_t what)
{
	uint32_t h = (who ^ what * 0x9e3779b1u) * 0x85ebca6bu;

	h ^= h >> 15;
	return (int)(h * 0xc2b2ae35u >> (32 - MIXTURE_HASH_BITS));
}

static unsigned common_traits(const uint32_t a[MIXTURE_TRAITS],
			      const uint32_t b[MIXTURE_TRAITS])
{
	unsigned pattern = 0;

	for (int i = 0; i < MIXTURE_TRAITS; i++)
		pattern |= (unsigned)(a[i] == b[i]) << i;
	return pattern;
}

/* 0: of another user; 1: of the same user; 2: and of the same size and limit;
 * 3: and of the same application. */
static int likeness_kind(unsigned pattern)
{
	const unsigned shape = TRAIT_BIT(SIZE) | TRAIT_BIT(LIMIT);

	if (!(pattern & TRAIT_BIT(USER)))
		return 0;
	if ((pattern & shape) != shape)
		return 1;
	return pattern & TRAIT_BIT(APPLICATION) ? 3 : 2;
}

static int rank_bucket(int rank)
{
	if (rank < 4)
		return rank;
	return 4 + mixture_log2((float)rank / 4, 2, MIXTURE_RANKS - 5);
}

/* Half octaves; NAN, of a missing limit, has a bucket of its own. */
static int ratio_bucket(float ln_ratio)
{
	const float halves_per_ln = 2.885390f; /* 2 / ln 2 */

	if (isnan(ln_ratio))
		return MIXTURE_RATIOS - 1;
	return clamp_int(
		(int)(ln_ratio * halves_per_ln + MIXTURE_RATIOS / 2.0f), 0,
		MIXTURE_RATIOS - 2);
}

/* How far below the limit, in half units of ln. */
static int value_bucket(float ln_limit, float x)
{
	if (isnan(ln_limit))
		return MIXTURE_VALUES - 1;
	return clamp_int((int)(2 * (ln_limit - x) + 2), 0, MIXTURE_VALUES - 2);
}

static int queue_value_entry(const struct mixture_point *point, float x)
{
	return ENTRY_QUEUE_VALUE +
	       hash_entry(point->traits[TRAIT_PARTITION], (uint32_t)(2 * x));
}

/* Runs that were ended by their limit are apart from those just below. */
static int user_value_entry(const struct mixture_point *point, float x)
{
	int value = x > point->ln_limit - AT_LIMIT
			    ? MIXTURE_VALUES
			    : value_bucket(point->ln_limit, x);

	return ENTRY_USER_VALUE +
	       hash_entry(point->traits[TRAIT_USER], (uint32_t)value);
}

static uint32_t difference(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* Distance of two buckets, if the run is of the same user. */
static int likeness_bucket(int a, int b, bool own)
{
	return own ? 1 + clamp_int((int)difference((uint32_t)a, (uint32_t)b), 0,
				   MIXTURE_LIKENESSES - 2)
		   : 0;
}

/* Find the entries that do not depend on the atom's value. */
static void column_fill(struct job_comparison *comparison,
			const struct mixture_run *run, struct entry_column *ret)
{
	const struct mixture_point *p = comparison->point;
	unsigned pattern = common_traits(run->traits, p->traits) & p->known;
	int own = pattern & TRAIT_BIT(USER) ? 1 : 0;
	int kind = likeness_kind(pattern);
	int rank = rank_bucket(comparison->met[pattern]++);
	uint32_t age_s = p->now_s > run->ended_s ? p->now_s - run->ended_s : 0;
	uint32_t submitted_s = difference(p->submitted_s, run->submitted_s);
	const struct mixture_before *before = &p->before;
	int age = mixture_log2(1 + (float)age_s / 60, 1, MIXTURE_AGES - 1);
	int submitted = mixture_log2(1 + (float)submitted_s, 1.5f,
				     MIXTURE_SUBMITTED - 1);
	bool ran_before = own && run->last && before->last;

	*ret = (struct entry_column){ {
		[FAMILY_MATCH] = ENTRY_MATCH + (int)pattern,
		[FAMILY_RANK] = ENTRY_RANK + kind * MIXTURE_RANKS + rank,
		[FAMILY_AGE] = ENTRY_AGE + own * MIXTURE_AGES + age,
		[FAMILY_LIMIT] =
			ENTRY_LIMIT + ratio_bucket(run->ln_limit - p->ln_limit),
		[FAMILY_END] = ENTRY_END + own * OUTCOME_ENDS + run->end,
		[FAMILY_SUBMITTED] =
			ENTRY_SUBMITTED + own * MIXTURE_SUBMITTED + submitted,
		[FAMILY_SIZE] =
			ENTRY_SIZE + ratio_bucket(run->ln_size - p->ln_size),
		[FAMILY_USER_RANK] =
			ENTRY_USER_RANK +
			hash_entry(p->traits[TRAIT_USER], (uint32_t)rank),
		[FAMILY_USER_MATCH] =
			ENTRY_USER_MATCH +
			hash_entry(p->traits[TRAIT_USER], pattern),
		[FAMILY_GAP] =
			ENTRY_GAP + likeness_bucket(run->gap, before->gap, own),
		[FAMILY_IN_FLIGHT] =
			ENTRY_IN_FLIGHT +
			likeness_bucket(run->in_flight, before->in_flight, own),
		[FAMILY_LAST] =
			ENTRY_LAST +
			likeness_bucket(run->last, before->last, ran_before),
		[FAMILY_SURPRISE] = ENTRY_SURPRISE + kind * MIXTURE_SURPRISES +
				    run->surprise,
	} };
}

static void atom_add(const struct job_comparison *comparison, float x,
		     int candidate, const struct entry_column *column,
		     struct mixture_atoms *ret)
{
	const struct mixture_point *p = comparison->point;
	int at = ret->count++;

	if (comparison->enforced && x > p->ln_limit)
		x = p->ln_limit;
	if (x < 0)
		x = 0;
	for (int f = 0; f < MIXTURE_FAMILIES; f++)
		ret->entries[f][at] = (uint16_t)column->of[f];
	ret->entries[FAMILY_VALUE][at] =
		(uint16_t)(ENTRY_VALUE + value_bucket(p->ln_limit, x));
	ret->entries[FAMILY_QUEUE_VALUE][at] =
		(uint16_t)queue_value_entry(p, x);
	ret->entries[FAMILY_USER_VALUE][at] = (uint16_t)user_value_entry(p, x);
	ret->x[at] = x;
	ret->candidate[at] = (uint8_t)candidate;
}

static void candidate_add(struct job_comparison *comparison,
			  const struct mixture_run *run, int candidate,
			  struct mixture_atoms *ret)
{
	struct entry_column column;
	float stretch = comparison->point->ln_limit - run->ln_limit;
	float shift = comparison->correction
			      ? (float)correction_ln(comparison->correction,
						     run->job_id)
			      : 0;

	column_fill(comparison, run, &column);
	atom_add(comparison, run->ln_runtime + shift, candidate, &column, ret);
	if (!(fabsf(stretch) > LN_SAME)) /* NAN: one has no limit */
		return;
	column.of[FAMILY_MATCH] += SHARE_OF_LIMIT * (int)MIXTURE_PATTERNS;
	atom_add(comparison, run->ln_runtime + stretch, candidate, &column,
		 ret);
}

static int crowd_bucket(int candidates)
{
	if (candidates < 8)
		return candidates > 0;
	return candidates <= 32 ? 2 : 3;
}

static void limit_atoms_add(const struct job_comparison *comparison,
			    struct mixture_atoms *ret)
{
	int first = ENTRY_MATCH + KINDS_OF_ATOM * (int)MIXTURE_PATTERNS +
		    crowd_bucket(ret->candidates) * MIXTURE_LIMITS;

	for (int i = 0; i < MIXTURE_LIMITS; i++) {
		struct entry_column column = { { [FAMILY_MATCH] = first + i } };

		atom_add(comparison,
			 comparison->point->ln_limit + limit_shares[i],
			 MIXTURE_CANDIDATES_MAX, &column, ret);
	}
}

void mixture_atoms_find(struct mixture_runs *runs,
			const struct mixture_point *point, bool enforced,
			const struct correction *correction,
			struct mixture_atoms *ret)
{
	struct job_comparison comparison = { .point = point,
					     .correction = correction,
					     .enforced = enforced };

	ret->count = 0;
	ret->candidates = mixture_candidates(
		runs, point, MIXTURE_CANDIDATES_MAX, ret->slots);
	for (int i = 0; i < ret->candidates; i++)
		candidate_add(&comparison, mixture_runs_at(runs, ret->slots[i]),
			      i, ret);
	if (!isnan(point->ln_limit))
		limit_atoms_add(&comparison, ret);
	if (!ret->count) {
		struct entry_column none = { { 0 } };

		atom_add(&comparison, mixture_ln(NOTHING_KNOWN_S),
			 MIXTURE_CANDIDATES_MAX, &none, ret);
	}
}
