/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queries.c - a job's query point, for the models */
#include <string.h>

#include "predictor/base/hash_mix.h"
#include "predictor/ensemble/queries.h"

/* A user who is not known. */
#define USER_NONE UINT32_MAX

/* What a key is of: equal texts of different kinds must not meet. */
enum kind {
	KIND_CLUSTER = 1,
	KIND_USER,
	KIND_ACCOUNT,
	KIND_PARTITION,
	KIND_APPLICATION,
	KIND_FEATURES,
	KIND_GRES
};

/* Equal in every process, unlike index_hash(), since models learn about what
 * has a certain key.  A user who finds two names of one key only makes them
 * count as one. */
static uint64_t key_of(enum kind kind, const void *bytes, size_t size)
{
	uint64_t hash =
		hash_mix_bytes(hash_mix((uint64_t)kind) + size, 1, bytes, size);

	return hash ? hash : 1;
}

static uint64_t key_of_text(enum kind kind, const char *text)
{
	return *text ? key_of(kind, text, strlen(text)) : 0;
}

static void set_keys(struct query *q, const struct subject *s)
{
	q->cluster_key = key_of(KIND_CLUSTER, s->cluster, strlen(s->cluster));
	q->user_key = s->user_id == USER_NONE ? 0
					      : key_of(KIND_USER, &s->user_id,
						       sizeof(s->user_id));
	q->account_key = key_of_text(KIND_ACCOUNT, s->account);
	q->partition_key = key_of_text(KIND_PARTITION, s->partition);
	q->features_key = key_of_text(KIND_FEATURES, s->features);
	q->gres_key = key_of_text(KIND_GRES, s->gres);
	q->application_key =
		key_of_text(KIND_APPLICATION, s->application->name);
}

void query_make(const struct history *history, const struct subject *subject,
		const struct conditions *conditions, double now_s,
		uint64_t ticket, struct query *ret)
{
	const struct application *a = subject->application;

	*ret = (struct query){
		.application = *a->name ? history_application(history,
							      subject->cluster,
							      a->name)
					: INDEX_NONE,
		.user = history_user(history, subject->cluster,
				     subject->user_id),
		.names = history_names(history, &a->parameters),
		.parameters = &a->parameters,
		.nodes = subject->nodes,
		.tasks = subject->tasks,
		.cpus = subject->cpus,
		.memory_mb = subject->memory_mb,
		.limit_s = subject->limit_s,
		.conditions = *conditions,
		.job_nodes = subject->job_nodes,
		.submitted_at_s = subject->submitted_at_s,
		.now_s = now_s,
		.ticket = ticket,
	};
	trait_keys_of(subject, &ret->traits);
	set_keys(ret, subject);
}
