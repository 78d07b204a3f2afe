/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiles.h - profiles of applications in memory, and which fits a job
 *
 * Profiles of each application, size and set of parameters: one is a mean over
 * undisturbed runs, one over the others; of very many the oldest go.  Finding
 * one takes well below a microsecond for each profile of the application.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/subject.h"

#define PROFILES_MAX 1024 /* 25 KB each */

struct profiles;

struct profiles *profiles_create(void); /* NULL: out of memory */
void profiles_destroy(struct profiles *profiles);

/* Add the profile of one run. */
int profiles_add(struct profiles *profiles, const struct profile *run,
		 struct sp_error *err);

/* Set what a message costs in all profiles of that dynamic farm with
 * these parameters. */
void profiles_set_messages(struct profiles *profiles, const struct profile *of,
			   double message_s, double long_message_s);

/* Return the one that fits best: of the job's size if there is one, else
 * of the nearest; then one that is undisturbed; then of the nearest
 * parameters.  NULL: the application was never profiled.  Lent until the
 * next profiles_add(). */
const struct profile *profiles_find(const struct profiles *profiles,
				    const struct subject *subject);

/* Return likewise the best one of those that show a farm (profile_farm_sums()).
 * On two nodes it has one worker, and looks like none. */
const struct profile *profiles_find_farm(const struct profiles *profiles,
					 const struct subject *subject);

/* Return whether there is an undisturbed one of the job's application
 * and size. */
bool profiles_have(const struct profiles *profiles,
		   const struct subject *subject);

/* In the order of application, nodes and tasks; those of an application alone
 * unless it is empty. */
void profiles_visit(const struct profiles *profiles, const char *application,
		    void (*visit)(void *context, const struct profile *profile),
		    void *context);
