/* choice.h - which model is believed */
#ifndef PREDICTOR_ENGINE_CHOICE_H
#define PREDICTOR_ENGINE_CHOICE_H

#include "predictor/models/model.h"

/* What each row of models[] answered; median_s is NAN where it did not. */
struct choice {
	int count;
	struct answer answers[MODELS_MAX];
};

/* The first row that has an answer: models[] goes from the one that uses most
 * of what is known to the one that uses least.  -1: none has. */
int choice_make(const struct choice *choice);

#endif
