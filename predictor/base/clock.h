/* clock.h - what time it is */
#ifndef PREDICTOR_BASE_CLOCK_H
#define PREDICTOR_BASE_CLOCK_H

/* Seconds since 1970-01-01 UTC, as times of jobs and measurements are given
 * everywhere in this project. */
double clock_now_s(void);

/* Seconds of a clock that never steps: for durations and deadlines. */
double clock_monotonic_s(void);

#endif
