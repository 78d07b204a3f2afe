/* scores.h - how right each model has been
 *
 * An error is ln(actual / predicted): twice too long and twice too short weigh
 * the same.  The last errors of a model on an application tell how far off the
 * next prediction may be.  Models are known by their position in models[].
 */
#ifndef PREDICTOR_ENGINE_SCORES_H
#define PREDICTOR_ENGINE_SCORES_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/models/model.h"

struct scores;

struct scores *scores_create(void); /* NULL: out of memory */
void scores_destroy(struct scores *scores);

/* Note that `model` predicted `predicted_s` for a run of `application` (its
 * position in the history) that took actual_s.  Both > 0.  -1: out of
 * memory, nothing changed. */
int scores_note(struct scores *scores, int model, uint32_t application,
		uint32_t user_id, double predicted_s, double actual_s);

/* The same of what was told to the user, whatever the model. */
int scores_note_told(struct scores *scores, uint32_t user_id,
		     double predicted_s, bool covered, double actual_s);

/* |predicted - actual| / actual of the model on the application, the last
 * time; NAN: there was none. */
double scores_last_error(const struct scores *scores, int model,
			 uint32_t application);

/* ln of the factor by which `answer` must be multiplied to be its p-quantile,
 * 0 < p < 1: from the errors on this application if there are enough, mixed
 * with those on all others if not, from the model's own spread if these are
 * too few as well. */
double scores_spread(const struct scores *scores, int model,
		     uint32_t application, const struct answer *answer,
		     double p);

/* Sums over runs. */
struct scores_sums {
	uint32_t runs;
	double error_s; /* of |predicted - actual| */
	double actual_s;
	uint32_t covered; /* only of what was told */
};

/* `model` as above, or -1 for what was told; user_id UINT32_MAX: all. */
void scores_sum(const struct scores *scores, int model, uint32_t user_id,
		struct scores_sums *ret);

#endif
