/* series.h - how one resource of one node has been lately
 *
 * A ring of the last samples in the order of their times.  Looks back from any
 * moment, and never past it: what was measured later does not count, so that
 * a run's conditions are the same whether asked for at its start or long after.
 */
#ifndef PREDICTOR_FORECAST_SERIES_H
#define PREDICTOR_FORECAST_SERIES_H

#define SERIES_SAMPLES_MAX 128

struct series {
	int first; /* the oldest */
	int count;
	/* A value in single precision: 1.5 KB a series, and resources are not
	 * measured any better. */
	double times_s[SERIES_SAMPLES_MAX];
	float values[SERIES_SAMPLES_MAX];
};

/* Add a sample.  One of a known time replaces it; one that comes late takes
 * its place in the order.  Left out (-1): times or values that are not finite,
 * and what is older than a full ring. */
int series_add(struct series *series, double time_s, double value);

/* The clock was set back: drop what seems to come after time_s. */
void series_forget_after(struct series *series, double time_s);

/* The i-th sample, 0 the oldest of `count`. */
double series_time_s(const struct series *series, int i);
float series_value(const struct series *series, int i);

/* How far a forecast looks back. */
struct series_window {
	int samples;     /* at most, 1 at least */
	double span_s;   /* all but the newest are younger than that */
	double expiry_s; /* if the newest is older there is no forecast */
};

/* What the resource will be like just after time_s: the mean of the last
 * samples that are not after it.  NAN: there is no forecast. */
double series_forecast(const struct series *series, double time_s,
		       const struct series_window *window);

/* Seconds since the newest sample that is not after time_s; HUGE_VAL: none. */
double series_age_s(const struct series *series, double time_s);

#endif
