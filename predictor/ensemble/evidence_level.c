/* SPDX-License-Identifier: GPL-2.0-or-later */
/* evidence_level.c - whose runs a prediction rests on, and how many
 *
 * Only a run that completed shows how long its application takes.  So a user
 * whose runs of an application all failed or were cancelled has no evidence of
 * it, however much the models read from such runs.
 */
#include "predictor/ensemble/evidence_level.h"

/* For a user with many applications, and an application of many shapes, the
 * newest are enough: this is on the path of each prediction. */
#define STEPS_MAX 256
#define RUNS_MAX  4096

/* Return what is known of the user with the application; NULL: nothing. */
static const struct history_pair *pair_find(const struct history *h,
					    uint32_t user, uint32_t application)
{
	if (user == INDEX_NONE || application == INDEX_NONE)
		return NULL;

	uint32_t at = history_pair(h, user, application);

	return at == INDEX_NONE ? NULL : &h->pairs[at];
}

/* Count the group's completed runs by others than `user`, the newest first. */
static uint32_t others_count(const struct history_group *g, uint32_t user,
			     uint32_t *left)
{
	uint32_t count = 0;

	for (uint32_t i = g->count; i-- > 0 && *left > 0; --*left)
		count += g->runs[i].user != user &&
			 g->runs[i].end == OUTCOME_COMPLETED;
	return count;
}

/* Count the application's completed runs by others than `user` that had the
 * same names of parameters.  Without parameters nothing but a name says that
 * the programs of two users are the same. */
static uint32_t others_runs(const struct history *h, uint32_t application,
			    uint32_t user, const struct parameters *parameters)
{
	uint32_t names = history_names(h, parameters);
	uint32_t runs = 0;
	uint32_t left = RUNS_MAX;
	int steps = 0;

	if (application == INDEX_NONE || names == INDEX_NONE ||
	    parameters->count == 0)
		return 0;
	for (uint32_t i = h->applications[application].groups;
	     i != INDEX_NONE && steps < STEPS_MAX;
	     i = h->groups[i].next, steps++)
		if (h->groups[i].names == names)
			runs += others_count(&h->groups[i], user, &left);
	return runs;
}

/* Count the user's runs of other applications. */
static uint32_t user_runs(const struct history *h, uint32_t user,
			  uint32_t application)
{
	const struct history_user *u =
		user == INDEX_NONE ? NULL : &h->users[user];
	uint32_t runs = 0;
	int steps = 0;

	if (!u)
		return 0;
	/* Only runs of unknown applications. */
	if (!h->pairs || u->pairs == INDEX_NONE)
		return u->count;
	for (uint32_t i = u->pairs; i != INDEX_NONE && steps < STEPS_MAX;
	     i = h->pairs[i].next, steps++)
		if (h->pairs[i].application != application)
			runs += h->pairs[i].runs;
	return runs;
}

void evidence_find(const struct history *h, const struct subject *s,
		   const struct verdict *verdict, struct prediction *ret)
{
	uint32_t user = history_user(h, s->cluster, s->user_id);
	uint32_t application =
		history_application(h, s->cluster, s->application->name);
	const struct history_pair *pair = pair_find(h, user, application);

	ret->evidence_level = EVIDENCE_NONE;
	ret->evidence_runs = 0;
	ret->own_runs = pair ? pair->completed : 0;
	if (verdict->basis != BASIS_HISTORY)
		return;
	ret->evidence_level = EVIDENCE_APPLICATION;
	ret->evidence_runs = ret->own_runs;
	if (!ret->evidence_runs)
		ret->evidence_runs = others_runs(h, application, user,
						 &s->application->parameters);
	if (ret->evidence_runs)
		return;
	ret->evidence_level = EVIDENCE_USER;
	ret->evidence_runs = user_runs(h, user, application);
	if (ret->evidence_runs)
		return;
	ret->evidence_level = EVIDENCE_SITE;
	ret->evidence_runs = verdict->runs;
}
