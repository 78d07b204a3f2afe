/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submission.c - a job as the user submitted it */
#include <math.h>
#include <string.h>

#include "predictor/features/secret.h"
#include "predictor/features/submission.h"

void submission_init(struct submission *ret)
{
	memset(ret, 0, offsetof(struct submission, arguments));
	ret->limit_s = NAN;
}

size_t submission_copy(const struct submission *job, struct submission *ret)
{
	memcpy(ret, job, offsetof(struct submission, arguments));
	for (size_t i = 0; i < job->arguments_count; i++)
		ret->arguments[i] = job->arguments[i];
	secret_mask_words(ret->arguments, (int)job->arguments_count, NULL, 0);
	for (size_t i = 0; i < job->settings_count; i++)
		ret->settings[i] = job->settings[i];
	return job->script ? strnlen(job->script, SUBMISSION_SCRIPT_MAX) : 0;
}
