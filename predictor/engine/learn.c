/* learn.c - what the engine takes from runs
 *
 * A run is judged by what was said when it was submitted, which stands in its
 * prediction, not by what would be said now.  So the same runs and
 * predictions, read back from the store in the order of their ends, give the
 * same scores and the same history.
 */
#include <math.h>
#include <string.h>

#include "predictor/engine/jobs.h"
#include "predictor/engine/predictions.h"
#include "predictor/engine/state.h"
#include "predictor/features/past_jobs.h"

/* --- Completing ------------------------------------------------------------ */

/* The prediction made for this run.  An id is only a text that the job carries:
 * it must be of the same user, on the same cluster. */
static int prediction_of(const struct engine *engine, const struct run *run,
			 struct prediction *ret)
{
	if (!*run->prediction_id ||
	    predictions_get(engine->predictions, run->prediction_id, ret))
		return -1;
	if (ret->user_id != run->user_id)
		return -1;
	if (*ret->cluster && strcmp(ret->cluster, run->cluster) != 0)
		return -1;
	return 0;
}

static void identify(const struct engine *engine, const struct run *known,
		     struct run *run)
{
	struct prediction p;

	if (prediction_of(engine, run, &p) == 0)
		run->application = p.application;
	else if (known && *known->application.name)
		run->application = known->application;
	else if (!*run->application.name)
		application_from_name(run->job_name, &run->application);
}

void engine_complete_run(struct engine *engine, struct run *run)
{
	struct hostlist list = { 0 };
	struct run job;

	if (*run->node_list && hostlist_expand(run->node_list, &list, NULL))
		list = (struct hostlist){ 0 };
	pthread_mutex_lock(&engine->lock);

	bool known =
		jobs_get(engine->jobs, run->cluster, run->job_id, &job) == 0 &&
		job.started_at_s == run->started_at_s;

	identify(engine, known ? &job : NULL, run);
	nodes_conditions(engine->nodes, run->cluster, &list, run->started_at_s,
			 &run->before);
	/* Of a long run the measurements are gone, but not what was said of it
	 * when it started. */
	if (known && job.before.nodes_known > run->before.nodes_known)
		run->before = job.before;
	pthread_mutex_unlock(&engine->lock);
	hostlist_clear(&list);
}

/* --- Learning -------------------------------------------------------------- */

static uint64_t fingerprint(const struct run *run)
{
	return index_hash(index_hash_text(run->job_id, run->cluster),
			  &run->started_at_s, sizeof(run->started_at_s));
}

/* 64 bits at random are name enough for a run. */
static bool same_fingerprint(const void *context, uint32_t position)
{
	(void)context;
	(void)position;
	return true;
}

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

static void score(struct engine *engine, const struct run *run,
		  const struct prediction *p, double actual_s)
{
	uint32_t application = history_application(
		engine->history, run->cluster, run->application.name);

	/* A score that memory is missing for is no reason to lose the run. */
	for (int i = 0; i < p->candidates_count && i < PREDICTION_MODELS_MAX;
	     i++) {
		int model = model_position(p->candidates[i].model);

		if (model >= 0 && is_time(p->candidates[i].median_s))
			scores_note(engine->scores, model, application,
				    run->user_id, p->candidates[i].median_s,
				    actual_s);
	}
	/* A limit that was passed on as such is the user's record, not ours. */
	if (p->basis == BASIS_HISTORY && is_time(p->median_s))
		scores_note_told(engine->scores, run->user_id, p->median_s,
				 actual_s <= p->quantile_s, actual_s);
}

static int learn_example(struct engine *engine, const struct run *run,
			 struct sp_error *err)
{
	struct run example = *run;
	struct prediction p;
	bool predicted = prediction_of(engine, run, &p) == 0;

	if (!*example.application.name)
		application_from_name(run->job_name, &example.application);
	/* A run is alike to jobs that ask for the same, however many nodes
	 * and CPUs Slurm makes of it. */
	if (predicted) {
		example.nodes = p.nodes;
		example.tasks = p.tasks;
		example.cpus = p.cpus;
	}

	struct past_job job;

	past_job_of_run(&example, &job);
	if (history_add(engine->history, &job, err))
		return -1;
	if (predicted && run_is_representative(run))
		score(engine, &example, &p,
		      fmax(run_runtime_s(run), HISTORY_RUNTIME_MIN_S));
	return 0;
}

static int learn(struct engine *engine, const struct run *run,
		 struct sp_error *err)
{
	uint64_t hash = fingerprint(run);

	/* How a lost run ended may still be heard of. */
	if (run->state != RUN_RUNNING && run->state != RUN_LOST &&
	    index_find(&engine->ended, hash, same_fingerprint, NULL) ==
		    INDEX_NONE) {
		if (index_reserve(&engine->ended))
			return sp_error_set(err, "job %u: out of memory",
					    run->job_id);
		if (outcome_end_of(run->state) != OUTCOME_OTHER &&
		    learn_example(engine, run, err))
			return -1;
		index_add(&engine->ended, hash, 0);
	}
	engine_heard_of(engine, run->cluster);
	if (jobs_put(engine->jobs, run))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	return 0;
}

int engine_learn(struct engine *engine, const struct run *run,
		 struct sp_error *err)
{
	if (!isfinite(run->started_at_s))
		return sp_error_set(err, "job %u: no start time", run->job_id);
	if (run->state != RUN_RUNNING && !isfinite(run->ended_at_s))
		return sp_error_set(err, "job %u: no end time", run->job_id);
	pthread_mutex_lock(&engine->lock);

	int rc = learn(engine, run, err);

	pthread_mutex_unlock(&engine->lock);
	return rc;
}
