/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learned.c - what was learned from runs that have ended */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/learned.h"
#include "predictor/features/past_jobs.h"
#include "predictor/models/model.h"

int learned_create(struct learned *l)
{
	*l = (struct learned){ .ensemble = ensemble_create(),
			       .accuracy = accuracy_create(),
			       .track_record = track_record_create(),
			       .partitions =
				       calloc(1, sizeof(*l->partitions)) };
	if (l->ensemble && l->accuracy && l->track_record && l->partitions)
		return 0;
	learned_destroy(l);
	return -1;
}

void learned_destroy(struct learned *l)
{
	ensemble_destroy(l->ensemble);
	accuracy_destroy(l->accuracy);
	track_record_destroy(l->track_record);
	free(l->partitions);
	index_clear(&l->ended);
	*l = (struct learned){ 0 };
}

/* --- Runs that were learned from ------------------------------------------ */

/* 64 bits at random are name enough for a run. */
static uint64_t fingerprint(const struct run *run)
{
	return index_hash(index_hash_text(run->job_id, run->cluster),
			  &run->started_at_s, sizeof(run->started_at_s));
}

bool learned_knows(const struct learned *l, const struct run *run)
{
	return index_find(&l->ended, fingerprint(run), NULL, NULL) !=
	       INDEX_NONE;
}

void learned_note(struct learned *l, const struct run *run)
{
	index_add(&l->ended, fingerprint(run), 0);
}

/* --- Scores --------------------------------------------------------------- */

static int model_position(const char *name)
{
	for (int i = 0; models[i]; i++)
		if (strcmp(models[i]->name, name) == 0)
			return i;
	return -1;
}

static bool is_time(double seconds)
{
	return isfinite(seconds) && seconds > 0;
}

/* A score that memory is missing for is no reason to lose the run. */
void learned_score(struct learned *l, const struct run *run,
		   const struct prediction *p)
{
	double actual_s = fmax(run_runtime_s(run), HISTORY_RUNTIME_MIN_S);

	track_record_judge(l->track_record, p, outcome_end_of(run->state),
			   run_runtime_s(run), run->nodes);
	if (!run_is_representative(run))
		return;
	for (int i = 0; i < p->candidates_count && i < PREDICTION_MODELS_MAX;
	     i++) {
		int model = model_position(p->candidates[i].model);

		if (model >= 0 && is_time(p->candidates[i].median_s))
			accuracy_note(l->accuracy, model, run->user_id,
				      p->candidates[i].median_s, false,
				      actual_s);
	}
	/* A limit that was passed on as such is the user's record, not ours. */
	if (p->basis != BASIS_HISTORY || !is_time(p->median_s))
		return;
	accuracy_note(l->accuracy, ACCURACY_CHOSEN, run->user_id, p->median_s,
		      actual_s <= p->quantile_s, actual_s);

	struct partition_row *row =
		partition_list_get(l->partitions, run->cluster, run->partition);

	if (!row)
		return;
	few_users_add(&row->users, run->user_id);
	row->actual_s += actual_s;
	row->of[PARTITION_JUDGED]++;
	row->of[PARTITION_WITHIN] += actual_s <= p->quantile_s;
	row->of[PARTITION_ERROR] += (fabs(p->median_s - actual_s) -
				     row->of[PARTITION_ERROR] * actual_s) /
				    row->actual_s;
}
