/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting.c - jobs that were predicted and have not ended, for schedulers */
#include <string.h>

#include "predictor/engine/subjects.h"
#include "predictor/engine/waiting.h"

/* All bytes are set: records_put() packs them. */
struct waiting_job {
	struct snapshot_job job;
	uint64_t ended, free, placed, user_id;
	double until_s; /* since the epoch */
	char cluster[RUN_NAME_SIZE];
};

struct records *waiting_create(void)
{
	return records_create(sizeof(struct waiting_job), WAITING_MAX,
			      WAITING_BYTES_MAX);
}

void waiting_put(struct records *waiting, const struct prediction *p,
		 const struct placement_model *model,
		 const struct waiting_placing *placing)
{
	struct waiting_job w = { .job = { .id = engine_ticket(p->id),
					  .model = *model },
				 .free = placing->free,
				 .placed = placing->placed,
				 .user_id = p->user_id,
				 .until_s = p->made_at_s + WAITING_S };

	strcpy(w.cluster, p->cluster);
	records_put(waiting, w.job.id, &w, true);
}

void waiting_renew(struct records *waiting, const char *prediction_id,
		   const struct placement_model *model)
{
	struct waiting_job w;

	if (records_get(waiting, engine_ticket(prediction_id), &w) || w.ended)
		return;

	struct placement_curve curve = w.job.model.curve;

	w.job.model = *model;
	w.job.model.curve = curve;
	records_update(waiting, w.job.id, &w);
}

int waiting_find(const struct records *waiting, const char *prediction_id,
		 struct placement_model *ret)
{
	struct waiting_job w;

	if (records_get(waiting, engine_ticket(prediction_id), &w) || w.ended)
		return -1;
	*ret = w.job.model;
	return 0;
}

int waiting_find_placing(const struct records *waiting,
			 const char *prediction_id, struct waiting_placing *ret)
{
	struct waiting_job w;

	if (records_get(waiting, engine_ticket(prediction_id), &w) || w.ended)
		return -1;
	*ret = (struct waiting_placing){ .free = w.free, .placed = w.placed };
	return 0;
}

void waiting_end(struct records *waiting, const struct run *run)
{
	uint64_t id = engine_ticket(run->prediction_id);
	struct waiting_job w;

	if (!*run->prediction_id || records_get(waiting, id, &w) || w.ended ||
	    w.user_id != run->user_id || strcmp(w.cluster, run->cluster) != 0)
		return;
	w.ended = 1;
	records_put(waiting, id, &w, false);
}

uint32_t waiting_list(const struct records *waiting, const char *cluster,
		      double now_s, struct snapshot_job *ret)
{
	struct waiting_job w;
	uint64_t cursor = 0;
	uint32_t count = 0;

	while (count < WAITING_MAX && !records_next(waiting, &cursor, &w))
		if (!w.ended && now_s < w.until_s &&
		    strcmp(w.cluster, cluster) == 0)
			ret[count++] = w.job;
	return count;
}
