/* errors.h - the last errors of a forecast, as its interval
 *
 * An interval is two quantiles of the last errors.  Which quantiles is learned
 * as in [1]: if values fell below the lower end more often than they should,
 * a lower one is taken, so that the shares come right in the long run however
 * the series behaves.
 *
 * Series of few distinct values repeat themselves exactly.  A value that the
 * errors say has a probability of its own lies as a share below a quantile,
 * as in the nonrandomised transform of [2].
 *
 * [1] I. Gibbs, E. Candes: Adaptive Conformal Inference Under Distribution
 *     Shift, NeurIPS 2021.
 * [2] C. Czado, T. Gneiting, L. Held: Predictive Model Assessment for Count
 *     Data, Biometrics 65 (2009) 1254-1261.
 */
#ifndef PREDICTOR_FORECAST_ERRORS_H
#define PREDICTOR_FORECAST_ERRORS_H

#define ERRORS_MAX   48
#define ERRORS_LEVEL 0.8 /* of the interval that is kept right */

/* All zero: nothing was seen. */
struct errors {
	int count, next;
	float below, above; /* what was learned, added to each tail */
	float ring[ERRORS_MAX];
};

/* Add a forecast's error: the value less the forecast.  `spread` is as in
 * errors_interval() when the forecast was made. */
void errors_add(struct errors *e, double error, double spread);

/* The same, of a forecast that was made several errors ago: whether it was
 * below or above its interval then: 1 it was, -1 it was not, 0 just at the end,
 * of which nothing is learned.  What came since knows too much. */
void errors_add_judged(struct errors *e, double error, int below, int above);

/* The interval of a level, 0 < level < 1, about a forecast.  `spread` >= 0 is
 * an error thought to be larger than all others: the less is known, the more
 * it counts. */
void errors_interval(const struct errors *e, double level, double spread,
		     double *ret_low, double *ret_high);

/* How much of an error lies within the interval of ERRORS_LEVEL: 0 or 1; a
 * share if errors of just this size are so frequent that an end of the
 * interval is among them. */
double errors_covered(const struct errors *e, double error, double spread);

#endif
