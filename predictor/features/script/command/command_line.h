/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.h - the executable of a command, and its arguments
 *
 * Skips launchers (srun, mpirun), wrappers (time, env, nice), containers,
 * keywords (then, do), and assignments before the executable.  If that is an
 * interpreter its script is found; if it is several programs in one (gmx,
 * samtools), the subcommand.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* How likely a command is the job's main one. */
enum command_rank {
	COMMAND_NONE,     /* a keyword, a builtin, or nothing at all */
	COMMAND_TRIVIAL,  /* such as hostname, mkdir */
	COMMAND_TOOL,     /* such as cp, make, sleep */
	COMMAND_STAGE,    /* by its name preparation or postprocessing */
	COMMAND_INDIRECT, /* run in $(...), by make or by `source` */
	COMMAND_UNKNOWN,  /* an executable in a variable, or inline code */
	COMMAND_PROGRAM,  /* any other */
	COMMAND_LAUNCHED, /* a program started by srun, mpirun, ... */
};

/* Language of code in a word of the command. */
enum command_code {
	COMMAND_CODE_NONE,
	COMMAND_CODE_SHELL,
	COMMAND_CODE_MATLAB,
};

struct command_line {
	enum command_rank rank;
	bool launched;
	const char *executable; /* as written, or an interpreter's usual name;
				   NULL: not known */
	const char *script;     /* of an interpreter; NULL: none */
	const char *suffix;     /* to cut from the script's name; or NULL */
	const char *subcommand; /* NULL: none */
	int executable_at;      /* its index in the command's words */
	int first_argument;
	int end;                 /* index after the last argument */
	int launcher_at;         /* index of the launcher, if `next` is not 0 */
	int next;                /* index of the same launcher's next program */
	int subcommand_at;       /* its index, not an argument; 0: none */
	const char *pairs;       /* options followed by a name and its number */
	const char *quoted;      /* more arguments, in one text; NULL: none */
	enum command_code reads; /* from its input */
	enum command_code code_kind;
	const char *code; /* its $0, $1, ... are from first_argument on */
};

/* The texts of *ret are those of `command`, or constants. */
void command_line_read(const struct shell_command *command,
		       struct command_line *ret);

/* Return the part of a path after its last '/'. */
const char *command_basename(const char *path);
