/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site.c - the policy in force, followed as slurm.conf changes */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/site.h"

struct site {
	tokens_complaint *complain;
	pthread_mutex_t lock; /* guards what follows */
	char *read; /* the text that `policy` was read from; NULL: none yet */
	struct policy policy;
};

struct site *site_create(tokens_complaint *complain)
{
	struct site *site = calloc(1, sizeof(*site));

	if (!site)
		return NULL;
	site->complain = complain;
	pthread_mutex_init(&site->lock, NULL);
	policy_init(&site->policy);
	return site;
}

void site_destroy(struct site *site)
{
	if (!site)
		return;
	pthread_mutex_destroy(&site->lock);
	free(site->read);
	free(site);
}

void site_policy(struct site *site, const char *parameters, struct policy *ret)
{
	const char *text = parameters ? parameters : "";

	pthread_mutex_lock(&site->lock);
	if (!site->read || strcmp(site->read, text)) {
		char *copy = strdup(text);

		/* Without memory the old policy stays in force. */
		if (copy) {
			free(site->read);
			site->read = copy;
			tokens_parse(text, &site->policy, site->complain, NULL);
		}
	}
	policy_copy(&site->policy, ret);
	pthread_mutex_unlock(&site->lock);
}
