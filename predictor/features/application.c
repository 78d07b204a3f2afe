/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.c - what makes runs similar, and what distinguishes them */
#include <stddef.h>

#include "predictor/features/application.h"
#include "predictor/features/secret.h"

void application_mask(struct application *application)
{
	struct parameters *set = &application->parameters;

	secret_mask_text(application->name);
	traits_mask(application->traits, NULL);
	for (int i = 0; i < set->count && i < PARAMETERS_MAX; i++)
		if (secret_number(set->of[i].name, set->of[i].value))
			set->of[i].value = 0;
}

void application_merge(struct application *strong,
		       const struct application *weak)
{
	const struct parameters *more = &weak->parameters;

	for (int i = 0; i < more->count; i++)
		if (!parameters_get(&strong->parameters, more->of[i].name))
			parameters_set(&strong->parameters, more->of[i].name,
				       more->of[i].value, NULL);
	traits_merge(strong->traits, weak->traits);
}
