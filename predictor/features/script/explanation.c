/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explanation.c - how a job script is understood, command by command */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/explanation.h"
#include "predictor/features/script/identify.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell/shell_unknown.h"

struct explanation_maker {
	struct explanation *to;
	enum command_rank rank; /* of the application */
};

const char *explanation_rank_name(enum command_rank rank)
{
	static const char *const names[] = {
		[COMMAND_NONE] = "shell",
		[COMMAND_TRIVIAL] = "takes no time",
		[COMMAND_TOOL] = "tool",
		[COMMAND_STAGE] = "preparation or server",
		[COMMAND_INDIRECT] = "program of another command",
		[COMMAND_UNKNOWN] = "unknown program",
		[COMMAND_PROGRAM] = "program",
		[COMMAND_LAUNCHED] = "launched program",
	};

	return names[rank];
}

static void append_word(char *text, size_t size, const char *word, bool unsure)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s%s", used ? " " : "", word,
		 unsure ? "?" : "");
}

static void add_step(void *context, const struct script_step *step)
{
	const struct explanation_maker *maker = context;
	const struct shell_command *command = step->command;
	struct explanation *to = maker->to;
	struct explained_command *row = &to->commands[to->count];

	if (step->rank == COMMAND_NONE)
		return;
	if (to->count == EXPLANATION_COMMANDS_MAX) {
		to->skipped++;
		return;
	}
	to->count++;
	*row = (struct explained_command){
		.line = step->line,
		.rank = step->rank,
		.used = step->chosen && step->rank == maker->rank,
	};
	for (int i = 0; i < command->count; i++) {
		const char *word = command->words[i];
		bool unknown = shell_has_unknown(word);
		bool unsure = command->unsure[i] && !unknown;

		append_word(row->text, sizeof(row->text), word, unsure);
		if (row->used && (unknown || unsure))
			append_word(to->unknown, sizeof(to->unknown), word,
				    unsure);
	}
}

void explanation_make(const struct submission *given, struct explanation *ret)
{
	struct submission copy;
	const struct submission *job = &copy;
	struct explanation_maker maker = { .to = ret };
	struct script_result result;
	size_t size = submission_copy(given, &copy);

	ret->count = ret->skipped = 0;
	*ret->unknown = '\0';
	application_identify(job, &ret->application);
	if (!size)
		return;
	/* Which commands are used is known at the end only. */
	script_read(job, size, &result, NULL);
	maker.rank = result.rank;
	script_observe(job, size, add_step, &maker, &result);
}
