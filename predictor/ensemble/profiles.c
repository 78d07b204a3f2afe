/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiles.c - profiles of applications in memory, and which fits a job
 *
 * Profiles are in one array, those of an application linked through it and
 * found by a hash of cluster and name.  A query takes the one at the least
 * distance: by size, then by disturbance, then by parameters.  One thread at
 * a time; the engine has the lock.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/index.h"
#include "predictor/ensemble/profiles.h"

/* Those of one application of one cluster hang together. */
struct profile_slot {
	uint64_t hash; /* of cluster and application */
	uint32_t next; /* of the same, INDEX_NONE: none */
	struct profile *profile;
};

struct profiles {
	struct index index; /* of the first of each application */
	uint32_t count;
	struct profile_slot of[PROFILES_MAX];
};

struct profiles *profiles_create(void)
{
	return calloc(1, sizeof(struct profiles));
}

void profiles_destroy(struct profiles *profiles)
{
	if (!profiles)
		return;
	for (uint32_t i = 0; i < profiles->count; i++)
		free(profiles->of[i].profile);
	index_clear(&profiles->index);
	free(profiles);
}

/* --- By application ------------------------------------------------------- */

struct application_key {
	const struct profiles *profiles;
	const char *cluster, *application;
};

static bool application_matches(const void *context, uint32_t position)
{
	const struct application_key *key = context;
	const struct profile *p = key->profiles->of[position].profile;

	return !strcmp(p->cluster, key->cluster) &&
	       !strcmp(p->application.name, key->application);
}

static uint64_t hash_of(const char *cluster, const char *application)
{
	return index_hash_text(index_hash_text(0, cluster), application);
}

static uint32_t slot_first(const struct profiles *profiles, const char *cluster,
			   const char *application)
{
	struct application_key key = { profiles, cluster, application };

	return index_find(&profiles->index, hash_of(cluster, application),
			  application_matches, &key);
}

/* --- Adding --------------------------------------------------------------- */

static uint32_t oldest_find(const struct profiles *profiles)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < profiles->count; i++)
		if (profiles->of[i].profile->measured_at_s <
		    profiles->of[found].profile->measured_at_s)
			found = i;
	return found;
}

static void slot_unlink(struct profiles *profiles, uint32_t at)
{
	struct profile_slot *kept = &profiles->of[at];
	uint32_t first = slot_first(profiles, kept->profile->cluster,
				    kept->profile->application.name);

	if (first == at) {
		index_remove(&profiles->index, kept->hash, at);
		if (kept->next != INDEX_NONE)
			index_add(&profiles->index, kept->hash, kept->next);
		return;
	}
	while (profiles->of[first].next != at)
		first = profiles->of[first].next;
	profiles->of[first].next = kept->next;
}

static void slot_link(struct profiles *profiles, uint32_t at)
{
	struct profile_slot *kept = &profiles->of[at];
	const struct profile *p = kept->profile;
	uint32_t first = slot_first(profiles, p->cluster, p->application.name);

	kept->hash = hash_of(p->cluster, p->application.name);
	kept->next = INDEX_NONE;
	if (first == INDEX_NONE) {
		index_add(&profiles->index, kept->hash, at);
		return;
	}
	kept->next = profiles->of[first].next;
	profiles->of[first].next = at;
}

int profiles_add(struct profiles *profiles, const struct profile *run,
		 struct sp_error *err)
{
	uint32_t at = slot_first(profiles, run->cluster, run->application.name);

	while (at != INDEX_NONE &&
	       !profile_is_alike(profiles->of[at].profile, run))
		at = profiles->of[at].next;
	if (at != INDEX_NONE) {
		profile_merge(profiles->of[at].profile, run);
		return 0;
	}

	/* With as much room as it needs while it grows by merging: all of it,
	 * of which the system gives what is touched. */
	struct profile *copy = malloc(sizeof(*copy));

	if (!copy || index_reserve(&profiles->index)) {
		free(copy);
		return sp_error_set(err, "out of memory for profiles");
	}
	*copy = *run;
	if (profiles->count == PROFILES_MAX) {
		at = oldest_find(profiles);
		slot_unlink(profiles, at);
		free(profiles->of[at].profile);
	} else {
		at = profiles->count++;
	}
	profiles->of[at].profile = copy;
	slot_link(profiles, at);
	return 0;
}

void profiles_set_messages(struct profiles *profiles, const struct profile *of,
			   double message_s, double long_message_s)
{
	uint32_t at = slot_first(profiles, of->cluster, of->application.name);

	for (; at != INDEX_NONE; at = profiles->of[at].next) {
		struct profile *p = profiles->of[at].profile;

		if (p->farm.kind != PROFILE_FARM_DYNAMIC ||
		    !parameters_equal(&p->application.parameters,
				      &of->application.parameters))
			continue;
		p->farm.message_s = message_s;
		p->farm.long_message_s = long_message_s;
	}
}

/* --- Finding -------------------------------------------------------------- */

/* Return the distance of two sizes: their ratio, in either direction. */
static double size_distance(uint32_t a, uint32_t b)
{
	return fabs(log((double)(a ? a : 1) / (b ? b : 1)));
}

static double value_distance(double a, double b)
{
	if (a == b)
		return 0;
	if (a > 0 && b > 0)
		return fabs(log(a / b));
	return fabs(a - b) / (1 + fabs(a) + fabs(b));
}

/* Parameters that only one of them has are as far as can be; both sets are
 * sorted by name. */
static double parameters_distance(const struct parameters *a,
				  const struct parameters *b)
{
	double far = 3, sum = 0;
	int i = 0, k = 0;

	while (i < a->count || k < b->count) {
		int order = i == a->count ? 1
			    : k == b->count
				    ? -1
				    : strcmp(a->of[i].name, b->of[k].name);

		if (order == 0)
			sum += value_distance(a->of[i].value, b->of[k].value);
		else
			sum += far;
		i += order <= 0;
		k += order >= 0;
	}
	return sum;
}

/* A wrong size is worse than shared nodes, and these are worse than any wrong
 * parameter. */
static double profile_distance(const struct profile *p, const struct subject *s)
{
	const double of_size = 1e6, of_disturbed = 1e3;

	return of_size * (size_distance(p->nodes, s->nodes) +
			  size_distance(p->tasks, s->tasks)) +
	       (profile_is_undisturbed(p) ? 0 : of_disturbed) +
	       parameters_distance(&p->application.parameters,
				   &s->application->parameters);
}

static const struct profile *find_nearest(const struct profiles *profiles,
					  const struct subject *subject,
					  bool farms)
{
	const struct profile *nearest = NULL;
	double least = HUGE_VAL;

	if (!profiles->count || !*subject->application->name)
		return NULL;
	for (uint32_t at = slot_first(profiles, subject->cluster,
				      subject->application->name);
	     at != INDEX_NONE; at = profiles->of[at].next) {
		const struct profile *p = profiles->of[at].profile;
		double d = profile_distance(p, subject);

		if (farms && !profile_farm_sums(&p->farm))
			continue;
		/* The newest of equals counts. */
		if (d < least || (d == least && nearest &&
				  p->measured_at_s > nearest->measured_at_s)) {
			nearest = p;
			least = d;
		}
	}
	return nearest;
}

const struct profile *profiles_find(const struct profiles *profiles,
				    const struct subject *subject)
{
	return find_nearest(profiles, subject, false);
}

const struct profile *profiles_find_farm(const struct profiles *profiles,
					 const struct subject *subject)
{
	return find_nearest(profiles, subject, true);
}

bool profiles_have(const struct profiles *profiles,
		   const struct subject *subject)
{
	const struct profile *p = profiles_find(profiles, subject);

	return p && p->nodes == subject->nodes && p->tasks == subject->tasks &&
	       profile_is_undisturbed(p);
}

static int by_application(const void *left, const void *right)
{
	const struct profile *a = *(const struct profile *const *)left;
	const struct profile *b = *(const struct profile *const *)right;

	return strcmp(a->application.name, b->application.name)
		       ?: COMPARE(a->nodes, b->nodes)
		       ?: COMPARE(a->tasks, b->tasks)
		       ?: COMPARE(b->measured_at_s, a->measured_at_s);
}

void profiles_visit(const struct profiles *profiles, const char *application,
		    void (*visit)(void *context, const struct profile *profile),
		    void *context)
{
	const struct profile *sorted[PROFILES_MAX] = { NULL };
	size_t count = 0;

	for (uint32_t i = 0; i < profiles->count; i++) {
		const struct profile *p = profiles->of[i].profile;

		if (!*application || !strcmp(p->application.name, application))
			sorted[count++] = p;
	}
	qsort(sorted, count, sizeof(sorted[0]), by_application);
	for (size_t i = 0; i < count; i++)
		visit(context, sorted[i]);
}
