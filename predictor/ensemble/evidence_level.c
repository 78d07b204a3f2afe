/* SPDX-License-Identifier: GPL-2.0-or-later */
/* evidence_level.c - whose runs a prediction rests on, and how many */
#include "predictor/ensemble/evidence_level.h"

/* Of a user with many applications, and an application of many shapes, the
 * newest are enough: this is on the path of each prediction. */
#define STEPS_MAX 256

/* What is known of the user with the application; NULL: nothing. */
static const struct history_pair *pair_find(const struct history *h,
					    uint32_t user, uint32_t application)
{
	if (user == INDEX_NONE || application == INDEX_NONE)
		return NULL;

	uint32_t at = history_pair(h, user, application);

	return at == INDEX_NONE ? NULL : &h->pairs[at];
}

/* Runs of the application, by anybody, with the same names of parameters. */
static uint32_t application_runs(const struct history *h, uint32_t application,
				 const struct parameters *parameters)
{
	uint32_t names = history_names(h, parameters);
	uint32_t runs = 0;
	int steps = 0;

	if (application == INDEX_NONE || names == INDEX_NONE ||
	    parameters->count == 0)
		return 0;
	for (uint32_t i = h->applications[application].groups;
	     i != INDEX_NONE && steps < STEPS_MAX;
	     i = h->groups[i].next, steps++)
		if (h->groups[i].names == names)
			runs += h->groups[i].count;
	return runs;
}

static uint32_t user_runs(const struct history *h, uint32_t user)
{
	uint32_t runs = 0;
	int steps = 0;

	if (user == INDEX_NONE)
		return 0;
	for (uint32_t i = h->pairs ? h->users[user].pairs : INDEX_NONE;
	     i != INDEX_NONE && steps < STEPS_MAX;
	     i = h->pairs[i].next, steps++)
		runs += h->pairs[i].runs;
	return runs ? runs : h->users[user].count;
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
	ret->evidence_runs = pair ? pair->runs : 0;
	if (!ret->evidence_runs)
		ret->evidence_runs = application_runs(
			h, application, &s->application->parameters);
	if (ret->evidence_runs)
		return;
	ret->evidence_level = EVIDENCE_USER;
	ret->evidence_runs = user_runs(h, user);
	if (ret->evidence_runs)
		return;
	ret->evidence_level = EVIDENCE_SITE;
	ret->evidence_runs = verdict->runs;
}
