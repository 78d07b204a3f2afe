/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_application.c - job scripts and their arguments
 *
 * The input is a script; what stands behind NUL bytes are arguments and, from
 * the ninth text on, settings.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/identify.h"
#include "predictor/features/application.h"

static void check(const struct application *a)
{
	size_t length = strnlen(a->name, sizeof(a->name));

	assert(length > 0 && length < sizeof(a->name));
	for (size_t i = 0; i < length; i++)
		assert(a->name[i] > 0x20 && a->name[i] < 0x7f);
	assert(a->parameters.count >= 0 &&
	       a->parameters.count <= PARAMETERS_MAX);
	for (int i = 0; i < a->parameters.count; i++) {
		assert(isfinite(a->parameters.of[i].value));
		assert(a->parameters.of[i].name[0]);
		assert(!i || strcmp(a->parameters.of[i - 1].name,
				    a->parameters.of[i].name) < 0);
	}
}

/* Names and paths that end, and can be parameters. */
static void check_files(const struct submission *job)
{
	static struct file_arguments files;

	application_files(job, &files);
	assert(files.count >= 0 && files.count <= FILE_ARGUMENTS_MAX);
	for (int i = 0; i < files.count; i++) {
		struct parameters set = { 0 };

		assert(memchr(files.of[i].path, '\0',
			      sizeof(files.of[i].path)));
		assert(!parameters_set(&set, files.of[i].name, 1, NULL));
	}
}

static void identify(const char *text, const char *end)
{
	static const char *const names[] = { "param", "PREDICT_n",
					     "PREDICT_APPLICATION", "mode" };
	struct submission job;
	struct application a;

	submission_init(&job);
	job.script = text;
	for (int i = 0; (text += strlen(text) + 1) < end && i < 16; i++) {
		if (i < 8)
			job.arguments[job.arguments_count++] = text;
		else
			job.settings[job.settings_count++] = (struct setting){
				names[i % 4],
				text,
			};
	}
	application_identify(&job, &a);
	check(&a);
	check_files(&job);
	/* srun: the same without a script */
	job.name = job.script;
	job.script = NULL;
	application_identify(&job, &a);
	check(&a);
	check_files(&job);
	application_from_name(job.name, &a);
	check(&a);
	/* As sacct has it, its words the script's, and as it is. */
	application_from_submit_line(job.name, "name", &a);
	check(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	identify(text, text + size);
	free(text);
	return 0;
}
