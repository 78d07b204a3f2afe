/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explanation.h - how a job script is understood, command by command
 *
 * For people, who put right with #PREDICT what is not.
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/script/command/command_line.h"
#include "predictor/features/submission.h"

#define EXPLANATION_TEXT_SIZE    256
#define EXPLANATION_COMMANDS_MAX 256
#define EXPLANATION_UNKNOWN_SIZE 1024

struct explained_command {
	size_t line; /* of the script; 0: in code inside of it */
	enum command_rank rank;
	bool used; /* it is the application, or a part of it */
	/* As understood; behind a word that may be another when the job runs
	 * stands '?'. */
	char text[EXPLANATION_TEXT_SIZE];
};

struct explanation {
	struct application application;
	/* Words of commands that are used, known when the job runs. */
	char unknown[EXPLANATION_UNKNOWN_SIZE];
	size_t skipped; /* commands beyond the array */
	size_t count;
	struct explained_command commands[EXPLANATION_COMMANDS_MAX];
};

/* Return what a command of that rank is, in words. */
const char *explanation_rank_name(enum command_rank rank);

/* Explain a job with a script; without one there are no commands. */
void explanation_make(const struct submission *job, struct explanation *ret);
