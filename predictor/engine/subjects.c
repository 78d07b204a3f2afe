/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subjects.c - predictions and runs as models see them */
#include <stdlib.h>

#include "predictor/engine/subjects.h"

void engine_subject(const struct prediction *p, struct subject *ret)
{
	*ret = (struct subject){
		.cluster = p->cluster,
		.account = p->account,
		.partition = p->partition,
		.qos = p->qos,
		.features = p->features,
		.gres = p->gres,
		.traits = p->application.traits,
		.user_id = p->user_id,
		.application = &p->application,
		.nodes = p->nodes,
		.tasks = p->tasks,
		.cpus = p->cpus,
		.memory_mb = p->memory_mb,
		.limit_s = p->limit_s,
		.submitted_at_s = p->made_at_s,
	};
}

void engine_past_job(const struct run *run, const struct prediction *p,
		     struct past_job *ret)
{
	past_job_of_run(run, ret);
	if (!p)
		return;
	engine_subject(p, &ret->subject);
	ret->subject.cluster = run->cluster;
}

uint64_t engine_ticket(const char *prediction_id)
{
	return strtoull(prediction_id, NULL, 16);
}
