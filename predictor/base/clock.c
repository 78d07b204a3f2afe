/* clock.c - what time it is */
#include <time.h>

#include "predictor/base/clock.h"

static double clock_read_s(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_now_s(void)
{
	return clock_read_s(CLOCK_REALTIME);
}

double clock_monotonic_s(void)
{
	return clock_read_s(CLOCK_MONOTONIC);
}
