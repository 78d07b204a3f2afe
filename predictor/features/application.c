/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.c - what makes runs similar, and what distinguishes them */
#include <stdio.h>
#include <string.h>

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

/* Return whether there is a trait of that name with another value. */
static bool has_another(const char *traits, const struct trait *of)
{
	struct trait trait;

	while (traits_next(&traits, &trait))
		if (trait.name_length == of->name_length &&
		    !memcmp(trait.name, of->name, of->name_length))
			return trait.value_length != of->value_length ||
			       memcmp(trait.value, of->value, of->value_length);
	return false;
}

void application_join(struct application *to, const struct application *other)
{
	const char *at = other->traits;
	char name[PARAMETER_NAME_SIZE + 2];
	struct trait trait;

	for (int i = 0; i < other->parameters.count; i++) {
		const struct parameter *p = &other->parameters.of[i];
		const double *value = parameters_get(&to->parameters, p->name);

		snprintf(name, sizeof(name), "%s.2", p->name);
		/* A name that is cut would be another's. */
		if (value && *value != p->value &&
		    strlen(name) < PARAMETER_NAME_SIZE &&
		    !parameters_get(&to->parameters, name))
			parameters_set(&to->parameters, name, p->value, NULL);
	}
	while (traits_next(&at, &trait)) {
		char value[TRAIT_VALUE_SIZE];

		snprintf(name, sizeof(name), "%.*s.2", (int)trait.name_length,
			 trait.name);
		snprintf(value, sizeof(value), "%.*s", (int)trait.value_length,
			 trait.value);
		if (has_another(to->traits, &trait))
			traits_add(to->traits, name, strlen(name), value);
	}
	application_merge(to, other);
}
