/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_reason.c - why a job waits: who is before it, and who blocks it */
#include <math.h>
#include <string.h>

#include "predictor/scheduler/start_reason.h"

/* Return when the job is expected to end; by its limit where no more
 * is known. */
static double end_expected_s(const struct start_job *job)
{
	double left_s = isnan(job->left_s[0]) ? HUGE_VAL
					      : job->left_s[START_LEVELS / 2];

	return fmax(0, fmin(left_s, job->limit_s));
}

void start_reasons_find(const struct start_job *jobs, size_t count,
			struct start_reason *ret)
{
	uint32_t waiting = 0;

	for (size_t i = 0; i < count; i++) {
		struct start_reason reason = { .ahead = waiting,
					       .first_end_s = HUGE_VAL };

		if (jobs[i].running)
			continue;
		waiting++;
		strcpy(reason.gres, jobs[i].gres);
		for (size_t j = 0; j < count; j++) {
			if (*jobs[i].gres &&
			    strcmp(jobs[j].gres, jobs[i].gres) != 0)
				continue;
			if (jobs[j].running)
				reason.first_end_s =
					fmin(reason.first_end_s,
					     end_expected_s(&jobs[j]));
			else
				reason.same += j < i && *jobs[i].gres;
		}
		if (!isfinite(reason.first_end_s))
			reason.first_end_s = NAN;
		ret[i] = reason;
	}
}
