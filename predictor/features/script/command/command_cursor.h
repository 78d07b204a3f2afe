/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_cursor.h - move over the words before a command's executable
 *
 * Keywords, assignments, launchers, wrappers and containers with their
 * options.
 *
 * Private to command_*.c.
 */
#pragma once

#include "predictor/features/script/command/command_tables.h"

/* The words that are left are words[at..count-1]. */
struct cursor {
	const struct shell_command *command;
	const char *const *words;
	int at, count;
	bool launched;
	int launcher_at, next; /* as in struct command_line */
	bool code;             /* the next word may be a whole command */
	bool indirect;         /* COMMAND_INDIRECT */
	const char *runs;      /* the interpreter of the next word, or NULL */
};

static inline bool cursor_left(const struct cursor *c)
{
	return c->at < c->count;
}

/* Move to the executable; false: there is none. */
bool cursor_find_executable(struct cursor *c);

/* Skip options with their values, numbers behind those that are not known, too;
 * a pair may be in one word. */
void cursor_skip_options(struct cursor *c, const char *values,
			 const char *pairs, bool plus);

/* Return the wrapper or launcher at the cursor; NULL: it is none. */
const struct wrapper *cursor_wrapper(const struct cursor *c);

/* Return whether a word has only digits and what separates them. */
bool cursor_is_number(const char *word);

/* Return the interpreter of that name: "python3.11" is a python. */
const struct interpreter *cursor_interpreter(const char *executable);

/* Return the interpreter of a file that is executed by its own name. */
const char *cursor_suffix(const char *executable);
