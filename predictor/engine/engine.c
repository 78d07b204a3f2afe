/* engine.c - answers predictions from memory
 *
 * A prediction goes: application and parameters from the submission (without
 * the lock), nodes that it may get and their conditions, what each model says,
 * whom to believe, and how far off that may be.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/predictions.h"
#include "predictor/engine/jobs.h"
#include "predictor/engine/state.h"

/* Quantiles that can be told from few runs at all. */
#define QUANTILE_MIN 0.001
#define QUANTILE_MAX 0.999

struct engine *engine_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	pthread_mutex_init(&engine->lock, NULL);
	engine->history = history_create();
	engine->nodes = nodes_create();
	engine->predictions = predictions_create();
	engine->jobs = jobs_create();
	engine->scores = scores_create();

	bool complete = engine->history && engine->nodes &&
			engine->predictions && engine->jobs && engine->scores;

	for (int i = 0; models[i]; i++) {
		engine->models[i] = models[i]->create();
		complete = complete && engine->models[i];
	}
	if (complete)
		return engine;
	engine_destroy(engine);
	return NULL;
}

void engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	for (int i = 0; models[i]; i++)
		models[i]->destroy(engine->models[i]);
	index_clear(&engine->ended);
	scores_destroy(engine->scores);
	records_destroy(engine->jobs);
	records_destroy(engine->predictions);
	nodes_destroy(engine->nodes);
	history_destroy(engine->history);
	pthread_mutex_destroy(&engine->lock);
	free(engine);
}

/* Cut where there is too much: these are names for people and for matching. */
static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

void engine_heard_of(struct engine *engine, const char *cluster)
{
	if (*cluster && strcmp(engine->cluster, cluster) != 0)
		copy_text(engine->cluster, sizeof(engine->cluster), cluster);
}

/* --- The query point ---------------------------------------------------------- */

static uint32_t cpus_of(const struct submission *job)
{
	uint64_t cpus = (uint64_t)submission_tasks(job) *
			(job->cpus_per_task ? job->cpus_per_task : 1);

	if (cpus < job->cpus_min)
		cpus = job->cpus_min;
	return cpus < UINT32_MAX ? (uint32_t)cpus : UINT32_MAX;
}

/* All that a prediction says of the job itself. */
static void describe(const struct submission *job, struct prediction *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->user_id = job->user_id;
	copy_text(ret->cluster, sizeof(ret->cluster), job->cluster);
	copy_text(ret->account, sizeof(ret->account), job->account);
	copy_text(ret->partition, sizeof(ret->partition), job->partition);
	copy_text(ret->job_name, sizeof(ret->job_name), job->name);
	application_identify(job, &ret->application);
	ret->nodes = submission_nodes(job);
	ret->tasks = submission_tasks(job);
	ret->cpus = cpus_of(job);
	ret->limit_s = job->limit_s > 0 ? job->limit_s : NAN;
	conditions_init(&ret->conditions);
	ret->basis = BASIS_NOTHING;
	ret->median_s = NAN;
	ret->quantile_s = NAN;
	ret->last_error = NAN;
}

static void make_query(const struct engine *engine, const struct prediction *p,
		       struct query *ret)
{
	const struct history *h = engine->history;

	*ret = (struct query){
		.application =
			history_application(h, p->cluster, p->application.name),
		.user = history_user(h, p->cluster, p->user_id),
		.names = history_names(h, &p->application.parameters),
		.parameters = &p->application.parameters,
		.nodes = p->nodes,
		.tasks = p->tasks,
		.cpus = p->cpus,
		.limit_s = p->limit_s,
		.conditions = p->conditions,
	};
}

/* --- The answer --------------------------------------------------------------- */

/* No run goes past a limit that is enforced. */
static double within_limit(const struct prediction *p, double seconds)
{
	return isfinite(p->limit_s) && seconds > p->limit_s ? p->limit_s
							    : seconds;
}

static void ask_models(struct engine *engine, const struct query *query,
		       struct prediction *p, struct choice *ret)
{
	ret->count = 0;
	for (int i = 0; models[i]; i++) {
		struct answer *answer = &ret->answers[ret->count++];
		struct prediction_candidate *candidate =
			&p->candidates[p->candidates_count++];

		copy_text(candidate->model, sizeof(candidate->model),
			  models[i]->name);
		if (models[i]->predict(engine->models[i], engine->history,
				       query, answer, NULL))
			*answer = (struct answer){ .median_s = NAN };
		answer->median_s = within_limit(p, answer->median_s);
		candidate->median_s = answer->median_s;
	}
}

static void tell(const struct engine *engine, const struct query *query,
		 const struct choice *choice, struct prediction *p)
{
	int chosen = choice_make(choice);

	if (chosen < 0)
		return;

	const struct answer *answer = &choice->answers[chosen];
	double spread = scores_spread(engine->scores, chosen,
				      query->application, answer, p->quantile);

	copy_text(p->model, sizeof(p->model), models[chosen]->name);
	p->basis = answer->runs ? BASIS_HISTORY : BASIS_LIMIT;
	p->median_s = answer->median_s;
	p->quantile_s =
		within_limit(p, answer->median_s * exp(fmax(spread, 0)));
	if (!isfinite(p->quantile_s)) /* a spread beyond all numbers */
		p->quantile_s = answer->median_s;
	p->runs = answer->runs;
	p->last_error =
		scores_last_error(engine->scores, chosen, query->application);
}

/* --- Predicting ---------------------------------------------------------------- */

/* Expand a list that the user gave; what can't be read counts as not given,
 * since it is Slurm who refuses it. */
static void expand(const char *text, struct hostlist *ret)
{
	*ret = (struct hostlist){ 0 };
	if (text && *text && hostlist_expand(text, ret, NULL))
		*ret = (struct hostlist){ 0 };
}

static void predict(struct engine *engine, const struct hostlist *required,
		    const struct hostlist *excluded, struct prediction *p)
{
	struct query query;
	struct choice choice;

	if (!*p->cluster)
		memcpy(p->cluster, engine->cluster, sizeof(p->cluster));

	struct nodes_request request = { .cluster = p->cluster,
					 .count = p->nodes,
					 .required = required,
					 .excluded = excluded };

	nodes_assume(engine->nodes, &request, p->made_at_s, p->assumed_nodes,
		     sizeof(p->assumed_nodes), &p->conditions);
	make_query(engine, p, &query);
	ask_models(engine, &query, p, &choice);
	tell(engine, &query, &choice, p);
	engine->predictions_made++;
	engine->predictions_with_history += p->basis == BASIS_HISTORY;
}

int engine_predict(struct engine *engine, const struct submission *job,
		   enum prediction_mode mode, double quantile, double now_s,
		   bool remember, struct prediction *ret, struct sp_error *err)
{
	struct hostlist required;
	struct hostlist excluded;
	int rc = 0;

	describe(job, ret);
	ret->mode = mode;
	ret->made_at_s = now_s;
	ret->quantile = fmin(fmax(quantile, QUANTILE_MIN), QUANTILE_MAX);
	expand(job->required_nodes, &required);
	expand(job->excluded_nodes, &excluded);
	pthread_mutex_lock(&engine->lock);
	predict(engine, &required, &excluded, ret);
	if (remember) {
		predictions_name(engine->predictions, ret);
		rc = predictions_put(engine->predictions, ret);
	}
	pthread_mutex_unlock(&engine->lock);
	hostlist_clear(&required);
	hostlist_clear(&excluded);
	if (rc)
		return sp_error_set(err, "out of memory for predictions");
	return 0;
}

int engine_remember(struct engine *engine, const struct prediction *p,
		    struct sp_error *err)
{
	if (strlen(p->id) != PREDICTION_ID_SIZE - 1)
		return sp_error_set(err, "prediction %s: no such id", p->id);
	pthread_mutex_lock(&engine->lock);

	int rc = predictions_put(engine->predictions, p);

	pthread_mutex_unlock(&engine->lock);
	if (rc)
		return sp_error_set(err, "out of memory for predictions");
	return 0;
}

int engine_measure(struct engine *engine, const char *cluster,
		   const struct measurement *m, struct sp_error *err)
{
	pthread_mutex_lock(&engine->lock);

	int rc = nodes_measure(engine->nodes, cluster, m, err);

	if (!rc) {
		engine->measurements++;
		engine_heard_of(engine, cluster);
	}
	pthread_mutex_unlock(&engine->lock);
	return rc;
}
