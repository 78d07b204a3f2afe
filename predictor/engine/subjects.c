/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subjects.c - predictions and runs as models see them */
#include <stdlib.h>

#include "predictor/engine/subjects.h"

void engine_subject(const struct prediction *p, struct subject *ret)
{
	*ret = SUBJECT_OF(p, p->made_at_s);
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
