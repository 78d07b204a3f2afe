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

/* The mean of the samples in (time_s - window_s, time_s], and of the newest
 * before time_s if that window holds none.  NAN if the newest is older than
 * expiry_s. */
double series_forecast(const struct series *series, double time_s,
		       double window_s, double expiry_s);

/* Seconds since the newest sample that is not after time_s; HUGE_VAL: none. */
double series_age_s(const struct series *series, double time_s);

#endif
