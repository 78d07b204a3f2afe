/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work_limit.c - what a thread may still do for one request */
#include "predictor/base/clock.h"
#include "predictor/base/work_limit.h"

struct work_limit work_limit_begin(double cpu_s, double wall_s)
{
	return (struct work_limit){
		.cpu_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) + cpu_s,
		.at_s = clock_monotonic_s() + wall_s,
	};
}

bool work_limit_over(const struct work_limit *limit)
{
	return limit && (clock_read_s(CLOCK_THREAD_CPUTIME_ID) > limit->cpu_s ||
			 clock_monotonic_s() > limit->at_s);
}

int work_limit_check(const struct work_limit *limit, struct sp_error *err)
{
	if (!work_limit_over(limit))
		return 0;
	return sp_error_set(err, "its trace takes too long to replay in "
				 "predictd; spredict whatif --trace=FILE has "
				 "no limit");
}
