/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_application.c - the application of a job whose submission
 * predictd missed */
#include <string.h>

#include "collectors/runs/late_application.h"
#include "predictor/features/script/identify.h"

/* Return the words of a text, cut at its blanks, which are overwritten; `max`
 * at most. */
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
		      const struct job_event_submission *submitted,
		      struct application *ret)
{
	char command[SLURM_COMMAND_SIZE];
	struct job_event_submission given = *submitted;
	struct submission submission;

	_Static_assert(sizeof(given.arguments) <= sizeof(command), "it fits");
	submission_init(&submission);
	strcpy(command, *given.arguments ? given.arguments : job->command);
	submission.name = job->run.job_name;
	submission.script = script;
	submission.arguments_count = words_cut(command, submission.arguments,
					       SUBMISSION_ARGUMENTS_MAX);
	parameters_add(given.parameters, &submission);
	application_identify(&submission, ret);
}
