/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.h - which model is believed
 *
 * As the Network Weather Service chooses among its forecasters [1]: by the
 * errors that each has made lately, on this application first of all; as long
 * as little is known of that, with this user, and over all.  Each is compared
 * with the reference, the first row of models[] that has an answer from
 * history, over the runs that both had an answer for, the newer the heavier, so
 * that one that has lost its way (because the application changed) is left
 * within a few runs.
 *
 * Of the reference and the rows that know parameters and conditions, the one in
 * their middle is believed: the weighted median, the heavier the better a row
 * has been.  Rows that err on either side then cost less than the luck of one
 * that seemed best.  Rows of one family (model.h) learn from the same data and
 * have similar errors: they have one vote together.
 *
 * Baselines (models[]: not costly) are compared, so that people see how good
 * they have been, but believed only where nothing else has an answer: they use
 * nothing that the reference does not know as well, and luck alone makes one of
 * them look better.  On ten job logs the mean error, as a share of that of the
 * mean of the user's last two runs, is .7124 where a baseline may win at .6 of
 * the reference's error, and .7114 without; p90 grows without bound where the
 * errors of a baseline stand for a distribution.
 *
 * [1] R. Wolski: Dynamically Forecasting Network Performance Using the Network
 *     Weather Service, Cluster Computing 1 (1998) 119-132.
 */
#pragma once

#include "predictor/models/model.h"

struct choice;

struct choice *choice_create(void);    /* NULL: out of memory */
void choice_destroy(struct choice *c); /* NULL is allowed */

/* Which rows of models[] are worth asking for this query.  `seldom`: those that
 * are far behind may use up one of their turns. */
void choice_ask(struct choice *c, const struct query *query, bool seldom,
		bool ret_ask[MODELS_MAX]);

/* The row to be believed.  answers[] has one for each row of models[], with a
 * median of NAN where there is none.  -1: nothing is known. */
int choice_make(const struct choice *c, const struct query *query,
		const struct model_result *const answers[MODELS_MAX]);

/* Note what each row had said (NAN: nothing) of a run of that query.  That
 * memory is missing only makes the choice worse. */
void choice_note(struct choice *c, const struct query *query,
		 const float medians_s[MODELS_MAX], double runtime_s);

/* |predicted - actual| / actual of the row on the query's application, the last
 * time; NAN: there was none. */
double choice_last_error(const struct choice *c, int model,
			 const struct query *query);
