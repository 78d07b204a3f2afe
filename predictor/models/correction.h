/* correction.h - what a past run would have taken under the query's conditions
 *
 * Models that answer with the run times of past runs can shift them: history
 * and conditions meet here.  A regression of logarithms over the newest runs of
 * the query's application tells how run time changes with parameters, processors
 * and conditions, and thus the ratio that is expected between the query's run
 * time and that of each of these runs.  The less the regression foretells runs
 * that it has not seen, the nearer to 1 all ratios are.
 */
#ifndef PREDICTOR_MODELS_CORRECTION_H
#define PREDICTOR_MODELS_CORRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/models/history.h"
#include "predictor/models/query.h"

struct correction;

struct correction *correction_create(void); /* NULL: out of memory */
void correction_destroy(struct correction *correction); /* NULL is allowed */

/* Prepare for a query; false: nothing can be told, all ratios are 1.  Takes no
 * time where there are neither parameters nor conditions, else about as much as
 * a prediction.  Allocates nothing. */
bool correction_begin(struct correction *correction,
		      const struct history *history, const struct query *query);

/* ln(run time of the query / run time of that run), as expected; 0 for a run
 * that is not of the query's application, or not among its newest. */
double correction_ln(const struct correction *correction, uint32_t job_id);

#endif
