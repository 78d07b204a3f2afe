/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_policies.c - the table of policies, and the batches of a handout */
#include <math.h>
#include <stddef.h>

#include "predictor/farm/farm_policy.h"

const struct farm_policy *const farm_policies[] = {
	&policy_none, &policy_fsc,    &policy_dpf,
	&policy_daf,  &policy_shared, NULL,
};

int handout_chunk_min(const struct farm *farm,
		      const struct message_costs *costs, int n)
{
	double bytes = farm->alpha * farm->V / farm->M; /* of one task */
	double tasks = 1;

	/* A larger chunk may be in a class of larger mo. */
	for (int i = 0; i < costs->count; i++) {
		const struct message_class *c =
			message_class_of(costs, tasks * bytes);

		tasks = fmax(tasks, ceil((n - 2) * c->mo / farm->mu));
	}
	/* No more than an even share. */
	return (int)fmax(fmin(tasks, floor((double)farm->M / n)), 1);
}

void handout_begin(struct handout *handout, const struct farm_policy *policy,
		   const struct handout_rules *rules)
{
	*handout = (struct handout){ .policy = policy, .rules = *rules };
}

int handout_next(struct handout *handout, int *ret_first)
{
	int left = handout->rules.M - handout->next;

	if (left <= 0)
		return 0;
	if (handout->chunks == handout->rules.n) {
		handout->batch++;
		handout->batch_next = handout->next;
		handout->chunks = 0;
	}

	int tasks = handout->policy->chunk(handout);

	if (tasks < 1)
		tasks = 1;
	if (tasks > left)
		tasks = left;
	*ret_first = handout->next;
	handout->next += tasks;
	handout->chunks++;
	return tasks;
}
