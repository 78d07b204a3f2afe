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

#include <stdbool.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/features/subject.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"
#include "predictor/stats/distribution.h"

/* A run that an answer rests on. */
struct evidence {
	uint32_t job_id;
	float runtime_s; /* as it ran */
	float weight;    /* share of the answer, 0 to 1 */
};

#define EVIDENCE_MAX 8 /* those of most weight */

/* A distribution of the run time: the atoms of `ln_runtime` (logarithms of
 * seconds, in ascending order) if there are any; else ln(run time / median_s)
 * / sigma is distributed as Student's t with that many degrees of freedom. */
struct model_result {
	double median_s; /* > 0, finite */
	uint32_t runs;   /* finished runs that it rests on */
	double sigma;    /* NAN: the model cannot tell */
	double degrees;
	struct distribution ln_runtime;
	int evidence_count;
	struct evidence evidence[EVIDENCE_MAX];
};

/* Say what a row says that has no atoms; evidence may be added.  Cheaper than
 * to clear it all: atoms take 2 KB. */
static inline void model_result_set(struct model_result *ret, double median_s,
				    uint32_t runs, double sigma, double degrees)
{
	ret->median_s = median_s;
	ret->runs = runs;
	ret->sigma = sigma;
	ret->degrees = degrees;
	ret->ln_runtime.count = 0;
	ret->evidence_count = 0;
}

struct model {
	const char *name; /* as in predictions, under 24 bytes */
	const char *help; /* one line, for people */

	/* It takes long, and can only be better than others where parameters or
	 * conditions are known: it is asked there, and seldom while it is far
	 * behind. */
	bool costly;

	/* NULL, or an earlier row that works on the same things.  This row
	 * may then be given that row's object, so that what they have in
	 * common is done once; create, destroy and learn are called for the
	 * earlier row alone.  Given an object of its own it says the same. */
	const struct model *family;

	void *(*create)(void);        /* NULL: out of memory */
	void (*destroy)(void *model); /* NULL is allowed */

	/* Fails (which is not an error) while it knows too little. */
	int (*predict)(void *model, const struct history *history,
		       const struct query *query, struct model_result *ret,
		       struct sp_error *err);

	/* Learn from a run that has ended, once for each, in the order of
	 * ends.  The query is as it was at submission, but with positions of
	 * now; its ticket is that under which predict() was called, 0 if it
	 * never was.  The history holds the run already.  NULL: the model
	 * keeps nothing of its own. */
	void (*learn)(void *model, const struct history *history,
		      const struct query *query, const struct outcome *outcome);
};

/* In the order in which they are asked; ends with NULL. */
extern const struct model *const models[];

#define MODELS_MAX 24 /* rows at most */

#endif
