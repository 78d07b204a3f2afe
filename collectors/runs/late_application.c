/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_application.c - the application of a job whose submission predictd missed */
#include <string.h>

#include "collectors/runs/late_application.h"
#include "predictor/features/script/identify.h"

/* The words of a text, cut at its blanks, which are overwritten; `max` at
 * most. */
static size_t words_cut(char *text, const char *words[], size_t max)
{
	size_t count = 0;

	while (count < max && *(text += strspn(text, " "))) {
		words[count++] = text;
		text += strcspn(text, " ");
		if (*text)
			*text++ = '\0';
	}
	return count;
}

static void parameters_add(char *text, struct submission *job)
{
	const char *words[SUBMISSION_SETTINGS_MAX];
	size_t count = words_cut(text, words, SUBMISSION_SETTINGS_MAX);

	for (size_t i = 0; i < count; i++)
		job->settings[job->settings_count++] =
			(struct setting){ .name = "param", .value = words[i] };
}

void late_application(const struct slurm_job *job, const char *script,
		      const char *parameters, struct application *ret)
{
	char command[SLURM_COMMAND_SIZE], given[SLURM_COMMAND_SIZE] = "";
	struct submission submission;

	submission_init(&submission);
	strcpy(command, job->command);
	if (strlen(parameters) < sizeof(given))
		strcpy(given, parameters);
	submission.name = job->run.job_name;
	submission.script = script;
	submission.arguments_count = words_cut(command, submission.arguments,
					       SUBMISSION_ARGUMENTS_MAX);
	parameters_add(given, &submission);
	application_identify(&submission, ret);
}
