/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ensemble.c - all models together: which one is believed, and how sure it is
 *
 * A prediction goes: the query point with the effects of its traits, what the
 * models say of it, which of them is believed (choice), its distribution (its
 * own, or spread by its errors), and quantiles read off that (calibration).
 * With the end of the run all of these learn, from what was said at the
 * submission.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/ensemble/calibration.h"
#include "predictor/ensemble/choice.h"
#include "predictor/ensemble/drift.h"
#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/limit_chance.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/ensemble/queries.h"
#include "predictor/ensemble/spread.h"
#include "predictor/ensemble/tickets.h"
#include "predictor/ensemble/time_bounds.h"
#include "predictor/models/lee_schopf/trait_effects.h"

/* Predictions from fewer runs err differently from those of more. */
#define RUNS_FEW 16
/* As do those for users of whom little is known.  Without this the 90 % held
 * for 86 to 94 % of the runs where each user weighs the same, on ten job logs;
 * with it for 88 to 92 %. */
#define USER_RUNS_MANY 50

/* A prediction is explained that is beyond these factors of all runs of the
 * same application and parameters; fewer runs than that are few. */
#define FAR_BELOW 0.5
#define FAR_ABOVE 2.0
#define FAR_RUNS  3

struct ensemble {
	struct history *history;
	void *models[MODELS_MAX]; /* as in models[] */
	int models_count;
	struct choice *choice;
	struct spread *spread;
	struct spread *news; /* errors where a trait was new, by its name */
	struct calibration *calibration;
	struct limit_chance *limit_chance;
	struct drift *drift;
	struct tickets *tickets;
	struct time_bounds bounds;
	struct trait_learner *trait_learner;

	/* State of the prediction under way, which is too large for
	 * a stack. */
	struct model_result answers[MODELS_MAX];
	struct distribution around;
	const struct profiles *profiles; /* NULL: none are known */
};

/* The row whose object is used for that one: its family's, which comes before,
 * or itself. */
static int owner_of(int model)
{
	for (int i = 0; i < model; i++)
		if (models[i] == models[model]->family)
			return i;
	return model;
}

struct ensemble *ensemble_create(void)
{
	struct ensemble *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->history = history_create();
	e->choice = choice_create();
	e->spread = spread_create();
	e->news = spread_create();
	e->calibration = calibration_create(TICKETS_MAX);
	e->limit_chance = limit_chance_create(TICKETS_MAX);
	e->drift = drift_create();
	e->tickets = tickets_create();
	e->trait_learner = trait_learner_create();

	bool complete = e->history && e->choice && e->spread && e->news &&
			e->calibration && e->limit_chance && e->drift &&
			e->tickets && e->trait_learner;

	for (; models[e->models_count]; e->models_count++) {
		int i = e->models_count;
		int owner = owner_of(i);

		e->models[i] =
			owner == i ? models[i]->create() : e->models[owner];
		complete = complete && e->models[i];
	}
	if (complete)
		return e;
	ensemble_destroy(e);
	return NULL;
}

void ensemble_destroy(struct ensemble *e)
{
	if (!e)
		return;
	for (int i = 0; i < e->models_count; i++)
		if (owner_of(i) == i)
			models[i]->destroy(e->models[i]);
	trait_learner_destroy(e->trait_learner);
	tickets_destroy(e->tickets);
	drift_destroy(e->drift);
	limit_chance_destroy(e->limit_chance);
	calibration_destroy(e->calibration);
	spread_destroy(e->news);
	spread_destroy(e->spread);
	choice_destroy(e->choice);
	history_destroy(e->history);
	free(e);
}

void ensemble_set_profiles(struct ensemble *e, const struct profiles *profiles)
{
	e->profiles = profiles;
}

/* There is one row that has such tables. */
static int starting_row(void)
{
	int i = 0;

	while (!models[i]->set_start)
		i++;
	return i;
}

int ensemble_set_start(struct ensemble *e, const char *text, size_t size,
		       struct sp_error *err)
{
	int i = starting_row();

	return models[i]->set_start(e->models[i], text, size, err);
}

char *ensemble_print_learned(const struct ensemble *e, size_t *ret_size)
{
	int i = starting_row();

	return models[i]->print_learned(e->models[i], ret_size);
}

const struct history *ensemble_history(const struct ensemble *e)
{
	return e->history;
}

/* --- Predictions ---------------------------------------------------------- */

static bool is_time(double seconds)
{
	return seconds > 0 && isfinite(seconds);
}

/* Where no run had the size of the query, and a row knows what another size
 * does: return how many times as long it takes as on that of the profile, of
 * which rows are asked then; else 1. */
static double query_resize(struct ensemble *e, const struct query *query,
			   struct query *ret)
{
	const struct profile *p = query->profile;

	*ret = *query;
	for (int i = 0; i < e->models_count && p && query->tasks; i++) {
		if (!models[i]->scale)
			continue;
		ret->nodes = p->nodes;
		ret->tasks = p->tasks;
		ret->cpus = (uint32_t)((uint64_t)query->cpus * p->tasks /
				       query->tasks);
		ret->job_nodes = NULL;
		ret->ticket = 0; /* rows learn nothing from what they say */

		double factor = models[i]->scale(e->models[i], ret, query);

		if (is_time(factor))
			return factor;
		*ret = *query;
	}
	return 1;
}

static void answer_scale(struct model_result *answer, double factor)
{
	if (factor == 1)
		return;
	answer->median_s *= factor;
	for (int i = 0; i < answer->ln_runtime.count; i++)
		answer->ln_runtime.atoms[i].value += log(factor);
}

/* Find what each row says, NAN where nothing; true: of another size. */
static bool models_predict(struct ensemble *e, const struct query *query,
			   bool new_size, double most_s,
			   const struct model_result *ret[MODELS_MAX])
{
	bool evaluated[MODELS_MAX];
	struct query sized = *query;
	double factor = new_size ? query_resize(e, query, &sized) : 1;

	choice_ask(e->choice, query,
		   query->ticket && tickets_find(e->tickets, query->ticket) ==
					    TICKET_NONE,
		   evaluated);
	for (int i = 0; i < e->models_count; i++) {
		struct model_result *answer = &e->answers[i];

		ret[i] = answer;
		if (!evaluated[i] ||
		    models[i]->predict(e->models[i], e->history, &sized, answer,
				       NULL) ||
		    !is_time(answer->median_s)) {
			answer->median_s = NAN;
			continue;
		}
		if (answer->runs)
			answer_scale(answer, factor);
		answer->median_s = fmin(answer->median_s, most_s);
	}
	return factor != 1;
}

/* Return the group of an answer: groups rest on many runs or few, have a
 * distribution of their own or one from their errors, are extrapolated or not,
 * for users with many runs or few, and of a batch or not. */
static int group_of(const struct ensemble *e, const struct query *query,
		    const struct model_result *answer, bool outside)
{
	bool known = query->user != INDEX_NONE &&
		     e->history->users[query->user].runs >= USER_RUNS_MANY;

	return (answer->runs < RUNS_FEW ? 1 : 0) +
	       (answer->ln_runtime.count ? 0 : 2) + (outside ? 4 : 0) +
	       (known ? CALIBRATION_KNOWN : 0) +
	       (query->in_flight >= QUERY_TOGETHER ? CALIBRATION_BATCH : 0);
}

/* Jobs without parameters and new traits are inside: their sizes
 * matter less. */
static bool is_outside(const struct verdict *verdict)
{
	return verdict->outside.extrapolated &&
	       (verdict->outside.count || verdict->outside.new_trait);
}

/* Where the job is outside of the runs, the models' disagreement counts. */
static void verdict_widen(struct ensemble *e, double most_s, struct verdict *v)
{
	double least_s = v->median_s;
	double greatest_s = least_s;

	for (int i = 0; i < e->models_count; i++) {
		const struct model_result *answer = &e->answers[i];

		if (!models[i]->costly || !answer->runs ||
		    isnan(answer->median_s))
			continue;
		least_s = fmin(least_s, answer->median_s);
		greatest_s = fmax(greatest_s, answer->median_s);
	}
	v->unbounded =
		!outside_widen(&v->outside, least_s, greatest_s,
			       spread_sigma(e->news, 0, v->outside.new_trait),
			       v->median_s, v->knots_s);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		v->knots_s[i] = fmin(v->knots_s[i], most_s);
}

/* Shift the distribution by the drift, and give the median. */
static double shift_by_drift(struct ensemble *e, const struct query *query,
			     const struct model_result *answer, double most_s)
{
	double drift = answer->runs ? drift_find(e->drift, query) : 0;

	for (int i = 0; i < e->around.count; i++)
		e->around.atoms[i].value += drift;
	return fmin(answer->median_s * exp(drift), most_s);
}

static void verdict_fill(struct ensemble *e, const struct query *query,
			 int chosen, double most_s, struct verdict *ret)
{
	const struct model_result *answer = &e->answers[chosen];
	int group;

	if (answer->ln_runtime.count)
		e->around = answer->ln_runtime;
	else
		spread_around(e->spread, chosen, query_application(query),
			      answer, &e->around);
	ret->model = chosen;
	ret->basis = answer->runs ? BASIS_HISTORY : BASIS_LIMIT;
	ret->median_s = shift_by_drift(e, query, answer, most_s);
	ret->runs = answer->runs;
	ret->last_error = choice_last_error(e->choice, chosen, query);
	group = group_of(e, query, answer, is_outside(ret));
	calibration_read(e->calibration, group, &e->around, ret->median_s,
			 most_s, ret->knots_s);
	/* Quantiles that are widened are not at these levels any more. */
	if (!answer->runs || !(ret->outside.count || ret->outside.new_trait))
		calibration_levels(e->calibration, group, ret->levels);
	if (answer->runs)
		verdict_widen(e, most_s, ret);
	ret->evidence_count = answer->evidence_count;
	memcpy(ret->evidence, answer->evidence,
	       (size_t)answer->evidence_count * sizeof(ret->evidence[0]));
}

/* Remember what was said; if there is no memory, it will not be judged. */
static void ticket_add(struct ensemble *e, const struct query *query,
		       double limit_s, const struct verdict *verdict)
{
	bool forgot;
	uint32_t at =
		tickets_add(e->tickets, query->ticket, query_user(query),
			    fmin(query->now_s, query->submitted_at_s), &forgot);

	if (at == TICKET_NONE)
		return;

	struct ticket *ticket = tickets_at(e->tickets, at);

	ticket->extrapolated = is_outside(verdict);
	ticket->new_trait = verdict->outside.new_trait;
	ticket->median_s = NAN;
	if (verdict->model >= 0 && verdict->basis == BASIS_HISTORY)
		ticket->median_s = (float)e->answers[verdict->model].median_s;
	ticket->needy =
		isfinite(limit_s) && similar_runs_need_more(&verdict->similar);
	for (int i = 0; i < e->models_count; i++) {
		const struct model_result *answer = &e->answers[i];

		ticket->medians_s[i] = (float)answer->median_s;
		if (isfinite(answer->median_s) && !answer->ln_runtime.count)
			ticket->spreads |= 1u << i;
	}
	if (forgot)
		calibration_end(e->calibration, at, NAN);
	limit_chance_watch(e->limit_chance, at, query, verdict->knots_s);
	if (verdict->model >= 0)
		calibration_watch(e->calibration, at,
				  group_of(e, query,
					   &e->answers[verdict->model],
					   is_outside(verdict)),
				  query_pace(query), verdict->knots_s, limit_s);
}

/* Make a job's query point, complete. */
static void make_query(struct ensemble *e, const struct subject *subject,
		       const struct conditions *conditions, double now_s,
		       uint64_t ticket, struct query *ret)
{
	query_make(e->history, subject, conditions, now_s, ticket, ret);
	ret->trait_effects =
		trait_effects_learn(e->trait_learner, e->history, ret);
	if (e->profiles) {
		ret->profile = profiles_find(e->profiles, subject);
		ret->farm_profile = profiles_find_farm(e->profiles, subject);
	}

	uint32_t at = ticket ? tickets_find(e->tickets, ticket) : TICKET_NONE;

	ret->in_flight =
		at == TICKET_NONE
			? 1 + tickets_of_user(e->tickets, query_user(ret))
			: tickets_at(e->tickets, at)->in_flight;
}

void ensemble_predict(struct ensemble *e, const struct subject *subject,
		      const struct conditions *conditions, double now_s,
		      uint64_t ticket, struct verdict *ret)
{
	const struct model_result *answers[MODELS_MAX];
	struct query query;

	/* That a job is predicted again has no consequence at all.  Time goes
	 * on by submissions only: by a report from a wrong clock the jobs of
	 * all would have passed their quantiles.  A start may be the first that
	 * is heard of a job; its submission has the time of slurmctld. */
	if (ticket && tickets_find(e->tickets, ticket) == TICKET_NONE) {
		double time_s = fmin(now_s, subject->submitted_at_s);

		calibration_advance(e->calibration, time_s);
		tickets_advance(e->tickets, time_s);
	}
	make_query(e, subject, conditions, now_s, ticket, &query);

	double limit_s = time_bounds_limit_s(&e->bounds, &query);
	double most_s = fmin(limit_s, time_bounds_most_s(&e->bounds, &query));

	outside_find(e->history, subject, &query, &ret->outside);

	if (models_predict(e, &query, ret->outside.new_size, most_s, answers))
		outside_forget_size(&ret->outside);

	int chosen = choice_make(e->choice, &query, answers);

	ret->model = -1;
	ret->basis = BASIS_NOTHING;
	ret->median_s = ret->last_error = NAN;
	ret->runs = 0;
	ret->most_s = most_s;
	ret->evidence_count = 0;
	ret->unbounded = false;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ret->knots_s[i] = NAN;
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		ret->levels[i] = NAN;
	ret->candidates_count = e->models_count;
	for (int i = 0; i < e->models_count; i++)
		ret->candidates_s[i] = answers[i]->median_s;
	similar_runs_find(e->history, &query, limit_s, &ret->similar);
	/* With another value of a trait, none was similar. */
	if (ret->outside.new_trait)
		ret->similar.count = ret->similar.over_limit = 0;
	if (chosen >= 0)
		verdict_fill(e, &query, chosen, most_s, ret);
	if (ret->basis == BASIS_HISTORY)
		similar_runs_bound(&ret->similar, limit_s,
				   time_bounds_needy(&e->bounds, &query),
				   &ret->median_s, ret->knots_s);
	ret->limit_chance =
		limit_chance_find(e->limit_chance, &query, ret->knots_s);
	if (ticket && tickets_find(e->tickets, ticket) == TICKET_NONE)
		ticket_add(e, &query, limit_s, ret);
}

/* --- Unlike the runs of the same parameters ------------------------------- */

static bool is_far(double median_s, const struct runs_of_parameters *runs)
{
	return median_s < FAR_BELOW * runs->shortest_s ||
	       median_s > FAR_ABOVE * runs->longest_s;
}

/* The query, changed to what those runs had. */
static void change_query(enum prediction_unlike what,
			 const struct runs_of_parameters *runs, struct query *q)
{
	if (what == UNLIKE_CONDITIONS) {
		q->conditions = runs->before;
		q->job_nodes = NULL;
	} else if (what == UNLIKE_SIZE) {
		q->nodes = runs->nodes;
		q->tasks = runs->tasks;
		q->cpus = runs->cpus;
	} else {
		q->trait_effects = NULL;
	}
}

enum prediction_unlike ensemble_unlike(struct ensemble *e,
				       const struct subject *subject,
				       const struct conditions *conditions,
				       double now_s,
				       const struct verdict *verdict,
				       struct runs_of_parameters *ret_runs)
{
	const struct model *model = models[verdict->model];
	struct model_result *answer = &e->answers[verdict->model];
	struct query query, changed;

	query_make(e->history, subject, conditions, now_s, 0, &query);
	similar_runs_of_parameters(e->history, &query, ret_runs);
	if (!ret_runs->count || !is_far(verdict->median_s, ret_runs) ||
	    similar_runs_need_more(&verdict->similar))
		return UNLIKE_NOT;
	if (!is_far(verdict->candidates_s[verdict->model], ret_runs))
		return UNLIKE_LAST;
	make_query(e, subject, conditions, now_s, 0, &query);
	for (enum prediction_unlike i = UNLIKE_CONDITIONS; i <= UNLIKE_TRAITS;
	     i++) {
		changed = query;
		change_query(i, ret_runs, &changed);
		if (!model->predict(e->models[verdict->model], e->history,
				    &changed, answer, NULL) &&
		    !is_far(answer->median_s, ret_runs))
			return i;
	}
	return ret_runs->count < FAR_RUNS ? UNLIKE_FEW : UNLIKE_MODEL;
}

/* --- Starts and ends --------------------------------------------------- */

void ensemble_start(struct ensemble *e, uint64_t ticket, double started_at_s)
{
	uint32_t at = tickets_find(e->tickets, ticket);

	if (!isfinite(started_at_s) || at == TICKET_NONE)
		return;
	calibration_start(e->calibration, at, started_at_s);
	tickets_start(e->tickets, at);
}

void ensemble_lose(struct ensemble *e, uint64_t ticket)
{
	uint32_t at = tickets_find(e->tickets, ticket);

	if (at == TICKET_NONE)
		return;
	calibration_end(e->calibration, at, NAN);
	tickets_lose(e->tickets, at);
}

/* Only a run that completed shows how long the application takes, and how right
 * the models were: no model predicts when it crashes or is cancelled. */
static void models_judge(struct ensemble *e, uint32_t at,
			 const struct query *query,
			 const struct outcome *outcome, double runtime_s)
{
	const struct ticket *ticket = tickets_at(e->tickets, at);

	/* Without parameters it is learned what cancellations mean. */
	if (outcome->end == OUTCOME_CANCELLED && query->parameters->count)
		calibration_cancel(e->calibration, at, runtime_s);
	else
		calibration_end(e->calibration, at,
				history_accepts(outcome) ? runtime_s : NAN);
	if (outcome->end != OUTCOME_COMPLETED)
		return;
	choice_note(e->choice, query, ticket->medians_s, runtime_s);
	if (ticket->new_trait && isfinite(ticket->median_s))
		spread_note(e->news, 0, ticket->new_trait,
			    (double)ticket->median_s, runtime_s);
	/* Errors far outside say nothing of those inside. */
	if (ticket->extrapolated)
		return;
	if (isfinite(ticket->median_s))
		drift_note(e->drift, query, (double)ticket->median_s, runtime_s,
			   outcome->ended_at_s);
	for (int i = 0; i < e->models_count; i++)
		if (ticket->spreads & 1u << i)
			spread_note(e->spread, i, query_application(query),
				    (double)ticket->medians_s[i], runtime_s);
}

int ensemble_end(struct ensemble *e, uint64_t ticket,
		 const struct past_job *job, struct sp_error *err)
{
	const struct outcome *o = &job->outcome;
	bool takes = history_accepts(o);
	struct query query;

	if (!(o->ended_at_s >= o->started_at_s) || !isfinite(o->started_at_s) ||
	    !isfinite(o->ended_at_s))
		return sp_error_set(err, "job %u: bad run time %g", o->job_id,
				    o->ended_at_s - o->started_at_s);
	if (takes && history_add(e->history, job, err))
		return -1;

	double runtime_s =
		fmax(o->ended_at_s - o->started_at_s, HISTORY_RUNTIME_MIN_S);
	uint32_t at = ticket ? tickets_find(e->tickets, ticket) : TICKET_NONE;

	make_query(e, &job->subject, &job->before, job->subject.submitted_at_s,
		   at == TICKET_NONE ? 0 : ticket, &query);
	if (takes)
		limit_chance_end(e->limit_chance,
				 at == TICKET_NONE ? LIMIT_CHANCE_NONE : at,
				 &query, runtime_s);
	if (at != TICKET_NONE) {
		models_judge(e, at, &query, o, runtime_s);
		if (takes && tickets_at(e->tickets, at)->needy &&
		    !query.parameters->count)
			time_bounds_note_needy(&e->bounds, &query, runtime_s);
		tickets_remove(e->tickets, at);
	}
	if (takes)
		time_bounds_note(&e->bounds, &query, runtime_s);
	for (int i = 0; i < e->models_count; i++)
		if (models[i]->learn && owner_of(i) == i)
			models[i]->learn(e->models[i], e->history, &query, o);
	return 0;
}
