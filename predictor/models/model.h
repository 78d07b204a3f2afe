/* model.h - what every run-time model can do
 *
 * A model reads the shared history and answers for one query point: how long
 * will it run?  Where runs come from, how good the model has been and which
 * model is believed is not its concern.
 *
 * A model's object holds what it needs to work (never the history), so that
 * predict() allocates nothing.  One thread at a time.
 */
#ifndef PREDICTOR_MODELS_MODEL_H
#define PREDICTOR_MODELS_MODEL_H

#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"

/* A distribution of the run time: ln(run time / median_s) / sigma is
 * distributed as Student's t with that many degrees of freedom. */
struct answer {
	double median_s; /* > 0, finite */
	uint32_t runs;   /* finished runs that it rests on */
	double sigma;    /* NAN: the model cannot tell */
	double degrees;
};

struct model {
	const char *name; /* as in predictions, under 24 bytes */
	const char *help; /* one line, for people */

	void *(*create)(void);        /* NULL: out of memory */
	void (*destroy)(void *model); /* NULL is allowed */

	/* Fails (which is not an error) while it knows too little. */
	int (*predict)(void *model, const struct history *history,
		       const struct query *query, struct answer *ret,
		       struct sp_error *err);
};

/* In the order in which they are asked; ends with NULL. */
extern const struct model *const models[];

#define MODELS_MAX 16 /* rows at most */

#endif
