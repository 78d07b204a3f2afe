/* level.h - the level of a resource that is measured seldom
 *
 * For links, of which there are many, each measured every few minutes: a few
 * values, and medians of the last 1, 3, 5, 9 and 15 of them.  As in [1] the one
 * with the smallest mean error so far tells the level.  A battery knows more
 * and takes thirty times the memory.
 *
 * [1] R. Wolski: Dynamically Forecasting Network Performance Using the Network
 *     Weather Service, Cluster Computing 1 (1998) 119-132.
 */
#ifndef PREDICTOR_FORECAST_LEVEL_H
#define PREDICTOR_FORECAST_LEVEL_H

#include <stdint.h>

#define LEVEL_VALUES 24
#define LEVEL_WIDTHS 5

/* All zero: nothing was seen. */
struct level {
	double times_s[LEVEL_VALUES]; /* ascending */
	float values[LEVEL_VALUES];
	float errors[LEVEL_WIDTHS]; /* mean absolute ones; old ones fade */
	float now, error;           /* what is forecast */
	float step_s;               /* usual time between values; 0: unknown */
	double late_s;
	uint8_t count, late;
	uint8_t best; /* width in use */
};

/* Learn a value.  0; 1: it is not after the newest and left out (but a clock
 * that was set back is followed after three such in a row); -1: not finite. */
int level_add(struct level *level, double time_s, double value);

/* The level at time_s, from what was measured by then, and its expected
 * absolute error (NAN: not known).  -1: there was nothing by then. */
int level_forecast(const struct level *level, double time_s, double *ret_value,
		   double *ret_error);

/* Time of the newest value that is not after time_s; -HUGE_VAL: none. */
double level_time_s(const struct level *level, double time_s);

#endif
