/* command_line.h - what a command executes, and which words it gives to it
 *
 * Looks through launchers (srun, mpirun), wrappers (time, env, nice),
 * keywords (then, do), and assignments before the command, at the executable
 * and, where that is an interpreter, at its script.
 */
#ifndef PREDICTOR_FEATURES_COMMAND_LINE_H
#define PREDICTOR_FEATURES_COMMAND_LINE_H

#include "predictor/features/shell_words.h"

/* How likely a command is the one that a job is about. */
enum command_rank {
	COMMAND_NONE,     /* a keyword, a builtin, or nothing at all */
	COMMAND_TOOL,     /* such as hostname, cp, sleep */
	COMMAND_PROGRAM,  /* any other */
	COMMAND_LAUNCHED, /* a program started by srun, mpirun, ... */
};

struct command_line {
	enum command_rank rank;
	const char *executable; /* as written, or an interpreter's own name */
	const char *script;     /* of an interpreter; NULL: none */
	int first_argument;     /* its index in the command's words */
};

/* The texts of *ret are lent from `command`. */
void command_line_read(const struct shell_command *command,
		       struct command_line *ret);

/* The part of a path behind its last '/'. */
const char *command_basename(const char *path);

#endif
