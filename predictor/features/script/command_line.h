/* command_line.h - what a command executes, and which words it gives to it
 *
 * Looks through launchers (srun, mpirun), wrappers (time, env, nice),
 * containers, keywords (then, do), and assignments before the command, at the
 * executable; where that is an interpreter, at its script; where it is many
 * programs in one (gmx, samtools), at the one that is meant.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_COMMAND_LINE_H
#define PREDICTOR_FEATURES_SCRIPT_COMMAND_LINE_H

#include "predictor/features/script/shell_words.h"

/* How likely a command is the one that a job is about. */
enum command_rank {
	COMMAND_NONE,     /* a keyword, a builtin, or nothing at all */
	COMMAND_TRIVIAL,  /* such as hostname, mkdir */
	COMMAND_TOOL,     /* such as cp, make, sleep */
	COMMAND_STAGE,    /* known or named as work before or after another's */
	COMMAND_UNKNOWN,  /* an executable that only a variable names */
	COMMAND_PROGRAM,  /* any other */
	COMMAND_LAUNCHED, /* a program started by srun, mpirun, ... */
};

/* A text that is a program by itself. */
enum command_code {
	COMMAND_CODE_NONE,
	COMMAND_CODE_SHELL,
	COMMAND_CODE_MATLAB,
};

struct command_line {
	enum command_rank rank;
	bool launched;
	const char *executable; /* as written, or an interpreter's own name;
				   NULL: not known */
	const char *script;     /* of an interpreter; NULL: none */
	const char *suffix;     /* the script's name counts without; or NULL */
	const char *subcommand; /* NULL: none */
	int executable_at;      /* its index in the command's words */
	int first_argument;
	int end;            /* index behind the last argument */
	int subcommand_at;  /* that one is no argument; 0: none */
	const char *pairs;  /* options that give a name, and its number */
	const char *quoted; /* more arguments, in one text; NULL: none */
	enum command_code code_kind;
	const char *code; /* from first_argument on are its $0, $1, ... */
};

/* The texts of *ret are lent from `command`, or live forever. */
void command_line_read(const struct shell_command *command,
		       struct command_line *ret);

/* The part of a path behind its last '/'. */
const char *command_basename(const char *path);

#endif
