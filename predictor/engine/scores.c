/* scores.c - how right each model has been */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "predictor/base/index.h"
#include "predictor/engine/scores.h"
#include "predictor/stats/distribution.h"
#include "predictor/stats/quantile.h"

/* Errors that are remembered of a model on an application (and on all). */
#define ERRORS_MAX 32
/* With so many errors on an application others need not be asked: 9 in 10
 * of new ones lie below the greatest of 8. */
#define ERRORS_ENOUGH 8
/* Of a model that has never been tried and cannot tell: one in ten runs takes
 * 1.9 times as long. */
#define SIGMA_UNKNOWN 0.5

struct errors {
	uint32_t count; /* ever */
	float last[ERRORS_MAX];
};

struct user {
	uint32_t user_id;
	struct scores_sums sums[MODELS_MAX + 1]; /* the last: as told */
};

#define TOLD MODELS_MAX

struct scores {
	int models_count;
	struct errors all[MODELS_MAX];
	/* By position of the application: models_count each, or NULL. */
	uint32_t applications_count, applications_capacity;
	struct errors **applications;
	uint32_t users_count, users_capacity;
	struct user *users;
	struct index users_index;
};

struct scores *scores_create(void)
{
	struct scores *scores = calloc(1, sizeof(*scores));

	if (!scores)
		return NULL;
	while (models[scores->models_count])
		scores->models_count++;
	return scores;
}

void scores_destroy(struct scores *scores)
{
	if (!scores)
		return;
	for (uint32_t i = 0; i < scores->applications_count; i++)
		free(scores->applications[i]);
	free(scores->applications);
	free(scores->users);
	index_clear(&scores->users_index);
	free(scores);
}

/* --- Noting ------------------------------------------------------------------ */

struct key {
	const struct scores *scores;
	uint32_t user_id;
};

static bool same_user(const void *context, uint32_t position)
{
	const struct key *key = context;

	return key->scores->users[position].user_id == key->user_id;
}

static uint32_t user_find(const struct scores *scores, uint32_t user_id)
{
	struct key key = { scores, user_id };

	return index_find(&scores->users_index,
			  index_hash(0, &user_id, sizeof(user_id)), same_user,
			  &key);
}

/* NULL: out of memory. */
static struct user *user_get(struct scores *scores, uint32_t user_id)
{
	uint32_t at = user_find(scores, user_id);

	if (at != INDEX_NONE)
		return &scores->users[at];
	if (index_reserve(&scores->users_index) ||
	    index_grow(&scores->users, &scores->users_capacity,
		       scores->users_count, sizeof(scores->users[0])))
		return NULL;
	at = scores->users_count++;
	scores->users[at] = (struct user){ .user_id = user_id };
	index_add(&scores->users_index,
		  index_hash(0, &user_id, sizeof(user_id)), at);
	return &scores->users[at];
}

/* NULL: out of memory. */
static struct errors *errors_get(struct scores *scores, uint32_t application)
{
	while (scores->applications_count <= application) {
		if (index_grow(&scores->applications,
			       &scores->applications_capacity,
			       scores->applications_count,
			       sizeof(scores->applications[0])))
			return NULL;
		scores->applications[scores->applications_count++] = NULL;
	}

	struct errors **errors = &scores->applications[application];

	if (!*errors)
		*errors =
			calloc((size_t)scores->models_count, sizeof(**errors));
	return *errors;
}

static void errors_add(struct errors *errors, double error)
{
	errors->last[errors->count++ % ERRORS_MAX] = (float)error;
}

static void sums_add(struct scores_sums *sums, double predicted_s, bool covered,
		     double actual_s)
{
	sums->runs++;
	sums->error_s += fabs(predicted_s - actual_s);
	sums->actual_s += actual_s;
	sums->covered += covered;
}

int scores_note(struct scores *scores, int model, uint32_t application,
		uint32_t user_id, double predicted_s, double actual_s)
{
	struct user *user = user_get(scores, user_id);
	struct errors *errors = errors_get(scores, application);

	if (!user || !errors)
		return -1;

	double error = log(actual_s) - log(predicted_s);

	errors_add(&errors[model], error);
	errors_add(&scores->all[model], error);
	sums_add(&user->sums[model], predicted_s, false, actual_s);
	return 0;
}

int scores_note_told(struct scores *scores, uint32_t user_id,
		     double predicted_s, bool covered, double actual_s)
{
	struct user *user = user_get(scores, user_id);

	if (!user)
		return -1;
	sums_add(&user->sums[TOLD], predicted_s, covered, actual_s);
	return 0;
}

/* --- Asking ------------------------------------------------------------------ */

/* The errors of the model on the application, none if it was never tried. */
static const struct errors *errors_of(const struct scores *scores, int model,
				      uint32_t application)
{
	static const struct errors none;

	if (application >= scores->applications_count ||
	    !scores->applications[application])
		return &none;
	return &scores->applications[application][model];
}

double scores_last_error(const struct scores *scores, int model,
			 uint32_t application)
{
	const struct errors *errors = errors_of(scores, model, application);

	if (!errors->count)
		return NAN;
	return fabs(
		expm1(-(double)errors->last[(errors->count - 1) % ERRORS_MAX]));
}

static int errors_count(const struct errors *errors)
{
	return errors->count < ERRORS_MAX ? (int)errors->count : ERRORS_MAX;
}

static double own_spread(const struct answer *answer, double p)
{
	if (!isfinite(answer->sigma) || !(answer->degrees > 0))
		return SIGMA_UNKNOWN * gsl_cdf_ugaussian_Pinv(p);
	return answer->sigma * gsl_cdf_tdist_Pinv(p, answer->degrees);
}

/* Errors on other applications stand in for those that lack. */
static double mixed_spread(const struct errors *here, const struct errors *all,
			   double p)
{
	struct distribution mix = { .count = 0 };
	int n = errors_count(here);
	int others = errors_count(all);
	double weight = (double)(ERRORS_ENOUGH - n) / others;

	for (int i = 0; i < n; i++)
		distribution_add(&mix, (double)here->last[i], 1);
	for (int i = 0; i < others; i++)
		distribution_add(&mix, (double)all->last[i], weight);
	return distribution_quantile(&mix, p);
}

double scores_spread(const struct scores *scores, int model,
		     uint32_t application, const struct answer *answer,
		     double p)
{
	const struct errors *here = errors_of(scores, model, application);
	const struct errors *all = &scores->all[model];
	int n = errors_count(here);

	if (n < ERRORS_ENOUGH && errors_count(all) < ERRORS_ENOUGH)
		return own_spread(answer, p);
	if (n < ERRORS_ENOUGH)
		return mixed_spread(here, all, p);

	double errors[ERRORS_MAX];

	for (int i = 0; i < n; i++)
		errors[i] = (double)here->last[i];
	return quantile_conformal(errors, (size_t)n, p);
}

void scores_sum(const struct scores *scores, int model, uint32_t user_id,
		struct scores_sums *ret)
{
	int column = model < 0 ? TOLD : model;

	*ret = (struct scores_sums){ 0 };
	for (uint32_t i = 0; i < scores->users_count; i++) {
		const struct user *user = &scores->users[i];
		const struct scores_sums *sums = &user->sums[column];

		if (user_id != UINT32_MAX && user->user_id != user_id)
			continue;
		ret->runs += sums->runs;
		ret->error_s += sums->error_s;
		ret->actual_s += sums->actual_s;
		ret->covered += sums->covered;
	}
}
