/* SPDX-License-Identifier: GPL-2.0-or-later */
/* surroundings.c - parameters and traits that stand around a command
 *
 * Loops that it is in, assignments before it, and variables that it gets.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/job_environment.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/script/surroundings.h"

static void add_variable(struct application *around, const char *name,
			 const char *text)
{
	struct parameters *set = &around->parameters;
	double value;

	if (!text || job_environment_infrastructure(name))
		return;
	if (!arguments_number(text, &value)) {
		if (!strchr(text, '/') && !shell_has_unknown(text))
			traits_add(around->traits, name, strlen(name), text);
	} else if (!parameters_get(set, name)) {
		parameters_set(set, name, value, NULL);
	}
}

void surroundings_add_variables(const struct shell *shell,
				shell_variables given, shell_variables whole,
				struct application *around)
{
	for (int i = 0; i < shell->variables_count; i++) {
		const struct shell_variable *v = &shell->variables[i];
		shell_variables bit = UINT64_C(1) << i;

		if (!(whole & bit) && !v->unsure &&
		    (v->exported || given & bit))
			add_variable(around, v->name, v->value);
	}
}

void surroundings_add_prefixes(const struct shell_command *command, int end,
			       struct application *around)
{
	size_t length;

	for (int i = 0; i < end && i < command->count; i++) {
		char name[PARAMETER_NAME_SIZE];

		if (shell_is_assignment(command->words[i], &length) &&
		    piece_copy(name, sizeof(name), command->words[i], length))
			add_variable(around, name,
				     command->words[i] + length + 1);
	}
}

void surroundings_add_loops(const struct shell *shell, struct parameters *set)
{
	for (int i = 0; i < shell->loops_count && i < SHELL_LOOPS_DEEP; i++) {
		const struct shell_loop *loop = &shell->loops[i];
		char name[SHELL_NAME_SIZE + 8];

		if (loop->count < 0)
			continue;
		snprintf(name, sizeof(name), "loop.%s", loop->name);
		parameters_set(set, name, loop->count, NULL);
	}
}

void surroundings_drop_loop(const struct shell *shell, struct parameters *set)
{
	int at = shell->loops_count - 1;
	char name[SHELL_NAME_SIZE + 8];

	if (at < 0 || at >= SHELL_LOOPS_DEEP)
		return;
	snprintf(name, sizeof(name), "loop.%s", shell->loops[at].name);
	parameters_remove(set, name);
}

void surroundings_set_environment(const struct submission *job,
				  struct shell *shell)
{
	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];
		bool exported = !strcmp(s->name, JOB_ENVIRONMENT_EXPORTED);
		size_t length = strlen(s->value);

		if ((!exported && strcmp(s->name, JOB_ENVIRONMENT_READ)) ||
		    !job_environment_usable(s->value, length))
			continue;
		length = strcspn(s->value, "=");
		shell_assign(shell, s->value, length, s->value + length + 1, 0,
			     false);
		if (exported)
			shell_export(shell, s->value, length);
	}
}
