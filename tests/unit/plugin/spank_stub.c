/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spank_stub.c - what Slurm has for a SPANK plugin, in a unit test */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/plugin/spank_stub.h"

struct variables {
	char *text[SPANK_STUB_VARIABLES_MAX]; /* NAME=VALUE; NULL: free */
};

struct spank_stub spank_stub = { .context = S_CTX_LOCAL };

static struct variables task, control;

/* The place of a variable, or of the first free one if there is no such. */
static char **variable_find(struct variables *variables, const char *name)
{
	size_t length = strlen(name);
	char **free_place = NULL;

	for (int i = 0; i < SPANK_STUB_VARIABLES_MAX; i++) {
		char **text = &variables->text[i];

		if (!*text && !free_place)
			free_place = text;
		if (*text && !strncmp(*text, name, length) &&
		    (*text)[length] == '=')
			return text;
	}
	return free_place;
}

static const char *variable_value(struct variables *variables, const char *name)
{
	char **text = variable_find(variables, name);

	return text && *text ? *text + strlen(name) + 1 : NULL;
}

static spank_err_t variable_set(struct variables *variables, const char *name,
				const char *value, int overwrite)
{
	char **text = variable_find(variables, name);

	if (!text)
		abort();
	if (*text && !overwrite)
		return ESPANK_ENV_EXISTS;
	free(*text);
	if (asprintf(text, "%s=%s", name, value) < 0)
		abort();
	return ESPANK_SUCCESS;
}

const char *spank_stub_task(const char *name)
{
	return variable_value(&task, name);
}

const char *spank_stub_control(const char *name)
{
	return variable_value(&control, name);
}

int spank_remote(spank_t spank)
{
	(void)spank;
	return spank_stub.context == S_CTX_REMOTE;
}

spank_context_t spank_context(void)
{
	return spank_stub.context;
}

spank_err_t spank_option_register(spank_t spank, struct spank_option *opt)
{
	(void)spank;
	if (spank_stub.fails)
		return spank_stub.fails;
	spank_stub.options[spank_stub.options_count++] = opt;
	return ESPANK_SUCCESS;
}

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...)
{
	va_list arguments;

	(void)spank;
	if (spank_stub.fails)
		return spank_stub.fails;
	va_start(arguments, item);
	switch (item) {
	case S_JOB_ID:
		*va_arg(arguments, uint32_t *) = spank_stub.job_id;
		break;
	case S_JOB_STEPID:
		*va_arg(arguments, uint32_t *) = spank_stub.step_id;
		break;
	case S_JOB_UID:
		*va_arg(arguments, uid_t *) = spank_stub.user_id;
		break;
	case S_TASK_EXIT_STATUS:
		*va_arg(arguments, int *) = spank_stub.exit_status;
		break;
	default:
		abort();
	}
	va_end(arguments);
	return ESPANK_SUCCESS;
}

spank_err_t spank_getenv(spank_t spank, const char *var, char *buf, int len)
{
	const char *value = variable_value(&task, var);

	(void)spank;
	if (!value)
		return ESPANK_ENV_NOEXIST;
	return snprintf(buf, (size_t)len, "%s", value) < len ? ESPANK_SUCCESS
							     : ESPANK_NOSPACE;
}

spank_err_t spank_setenv(spank_t spank, const char *var, const char *val,
			 int overwrite)
{
	(void)spank;
	return variable_set(&task, var, val, overwrite);
}

spank_err_t spank_unsetenv(spank_t spank, const char *var)
{
	char **text = variable_find(&task, var);

	(void)spank;
	if (text) {
		free(*text);
		*text = NULL;
	}
	return ESPANK_SUCCESS;
}

spank_err_t spank_job_control_setenv(spank_t sp, const char *name,
				     const char *value, int overwrite)
{
	(void)sp;
	return variable_set(&control, name, value, overwrite);
}
