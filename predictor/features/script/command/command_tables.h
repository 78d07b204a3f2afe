/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_tables.h - tables of known commands
 *
 * Lists of words are texts with a blank before and after each word, options in
 * `values`, `pairs` and `option` without their dashes; the name of a row may be
 * several, with blanks between them.  All names are in one hash
 * table, which is filled when the program is loaded.
 *
 * Private to features/script.
 */
#pragma once

#include "predictor/features/script/command/command_line.h"

/* Kinds of names; one name may be of several. */
enum command_kind {
	KIND_KEYWORD,     /* a command may follow: then, do */
	KIND_NOTHING,     /* keywords, builtins, settings: fi, cd, export */
	KIND_TRIVIAL,     /* takes no time: hostname, mkdir */
	KIND_TOOL,        /* files and builds: cp, make */
	KIND_STAGE,       /* preparation or postprocessing */
	KIND_WRAPPER,     /* struct wrapper */
	KIND_INTERPRETER, /* struct interpreter */
	KIND_PROGRAM,     /* struct program */
};

/* A command that executes another, its remaining words. */
struct wrapper {
	const char *name;
	const char *subcommand; /* " exec " of `apptainer exec`; NULL: none */
	bool parallel;          /* starts a job's tasks */
	bool number;            /* has a number before the command */
	bool plus;              /* options may begin with '+' */
	bool image;             /* its first word may be the whole command */
	bool code;              /* the command may be in one word */
	int words;              /* words before the command */
	int program;            /* of submit_options.h, which has its options */
	const char *values;     /* options with a value in the next word */
	const char *pairs;      /* options with values in the next two */
	const char *runs;       /* interpreter of what follows; NULL: none */
	const char *until;      /* the command ends before this word */
	const char *after; /* and begins after one of these; NULL: at once */
};

/* An executable that runs a script, its first word. */
struct interpreter {
	const char *name;    /* without a version */
	const char *called;  /* in names of applications; NULL: by `name` */
	const char *values;  /* options with a value in the next word */
	const char *code;    /* options after which there is no script */
	const char *scripts; /* words before the script's name */
	const char *suffix;  /* optional in the script's name */
	const char *pairs;   /* options followed by a name and its number */
	enum command_code code_kind;
	bool input; /* `<` may name the script */
};

/* An executable with subcommands. */
struct program {
	const char *name;
	bool variants;      /* also NAME_x, NAME-x */
	bool tool;          /* of KIND_TOOL with a subcommand, else trivial;
			       COMMAND_INDIRECT if it has stages and this is
			       none of them */
	const char *values; /* options with a value before the subcommand */
	const char *stages; /* subcommands of KIND_STAGE */
	const char *option; /* the subcommand follows it; NULL: none */
	const char *pairs;  /* options followed by a name and its number */
	bool input;         /* `<` may name the value of `option` */
	bool module;        /* as `python -m NAME` it has the same name */
};

extern const struct wrapper wrappers[];         /* end with name NULL */
extern const struct interpreter interpreters[]; /* end with name NULL */
extern const struct program programs[];         /* end with name NULL */

/* Words of the other kinds. */
struct command_words {
	enum command_kind kind;
	const char *words; /* NULL: the end */
};

extern const struct command_words command_words[];

/* First words of names of preparation or postprocessing. */
extern const char stage_names[];

/* Interpreters of files that are executed by their own name. */
struct suffix {
	const char *suffix;
	const char *interpreter;
};

extern const struct suffix suffixes[]; /* end with suffix NULL */

/* Return whether a list " a b c " has `word`; NULL is an empty list. */
bool command_tables_list(const char *list, const char *word);

/* The same of an option with its dashes, which the list does not have. */
bool command_tables_option(const char *list, const char *option);

/* Return whether the first `length` bytes of `name` are a name of that kind.
 * *ret_row (may be NULL) is its row. */
bool command_tables_find(const char *name, size_t length,
			 enum command_kind kind, const void **ret_row);
