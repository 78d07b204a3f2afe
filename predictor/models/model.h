/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model.h - interface of run-time models
 *
 * A model reads the shared history and predicts the run time for one query
 * point.  Where runs come from, how accurate the model has been and which model
 * is chosen is not its concern.
 *
 * A model's object holds its working memory and what it has learned (never the
 * history), so that predict() allocates nothing.  One thread at a time.
 */
#pragma once

#include <stdlib.h>

#include "predictor/base/error.h"
#include "predictor/features/subject.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"
#include "predictor/stats/distribution.h"

/* A past run that a result rests on. */
struct evidence {
	uint32_t job_id;
	float runtime_s; /* actual */
	float weight;    /* in the result, 0 to 1 */
};

#define EVIDENCE_MAX 8 /* those of most weight */

/* A distribution of the run time: the atoms of `ln_runtime` (logarithms of
 * seconds, in ascending order) if there are any; else ln(run time / median_s)
 * / sigma is distributed as Student's t with that many degrees of freedom. */
struct model_result {
	double median_s; /* > 0, finite */
	uint32_t runs;   /* finished runs that it rests on */
	double sigma;    /* NAN: not known */
	double degrees;
	struct distribution ln_runtime;
	int evidence_count;
	struct evidence evidence[EVIDENCE_MAX];
};

/* Set a result without atoms; evidence may be added.  Cheaper than to clear all
 * of it: atoms take 2 KB. */
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

/* Create the object of a model that keeps nothing. */
static inline void *model_create_empty(void)
{
	return malloc(1);
}

struct model {
	const char *name; /* as in predictions, under 24 bytes */
	const char *help; /* one line, for people */

	/* It is slow, and can only be better than others where parameters or
	 * conditions are known: it is called for these jobs, and seldom while
	 * its errors are much larger than the best model's. */
	bool costly;

	/* NULL, or an earlier row with the same data.  This row may then be
	 * given that row's object, so that what both need is computed once;
	 * create, destroy and learn are called for the earlier row alone.
	 * With an object of its own its results are the same. */
	const struct model *family;

	void *(*create)(void);        /* NULL: out of memory */
	void (*destroy)(void *model); /* NULL is allowed */

	/* Fails (which is not an error) while it has too few runs. */
	int (*predict)(void *model, const struct history *history,
		       const struct query *query, struct model_result *ret,
		       struct sp_error *err);

	/* Learn from a run that has ended, once for each, in the order of
	 * ends.  The query is that of the submission, with current positions
	 * in the history; its ticket is that of the call of predict(), 0 if
	 * there was none.  The history has the run already.  NULL: the model
	 * has nothing of its own to learn. */
	void (*learn)(void *model, const struct history *history,
		      const struct query *query, const struct outcome *outcome);

	/* NULL, or: return the run time of `to`, a size that no run had, over
	 * that of `from`, the profile's, whatever other rows know of the
	 * latter; NAN: not known. */
	double (*scale)(void *model, const struct query *from,
			const struct query *to);

	/* NULL, or: begin with what was learned on other clusters, as the other
	 * one prints it of this; before anything was learned.  printed: freed
	 * by the caller, NULL: out of memory. */
	int (*set_start)(void *model, const char *text, size_t size,
			 struct sp_error *err);
	char *(*print_learned)(const void *model, size_t *ret_size);
};

/* In the order in which they are called; ends with NULL. */
extern const struct model *const models[];

#define MODELS_MAX 24 /* rows at most */
