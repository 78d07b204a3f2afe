/* command_tables.h - commands that a job script may hold around its own
 *
 * Lists of words are texts with a blank before and after each word.  All names
 * are found through one hash table, made when the program is loaded.
 *
 * Private to command_line.c, submit_line.c and command_tables*.c.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_COMMAND_TABLES_H
#define PREDICTOR_FEATURES_SCRIPT_COMMAND_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/features/script/command_line.h"

/* What is known of a name; one name may be several. */
enum command_kind {
	KIND_KEYWORD,     /* a command may follow: then, do */
	KIND_NOTHING,     /* keywords, builtins, settings: fi, cd, export */
	KIND_TRIVIAL,     /* takes no time: hostname, mkdir */
	KIND_TOOL,        /* works for others: cp, make */
	KIND_STAGE,       /* work before or after the job's own */
	KIND_WRAPPER,     /* struct wrapper */
	KIND_INTERPRETER, /* struct interpreter */
	KIND_PROGRAM,     /* struct program */
};

/* A command that executes the rest of its words. */
struct wrapper {
	const char *name;
	const char *subcommand; /* "exec" of `apptainer exec`; NULL: none */
	bool parallel;          /* starts a job's tasks */
	bool number;            /* takes a number before the command */
	bool plus;              /* its options begin with '+' as well */
	bool image;             /* its first word runs by itself, too */
	bool code;              /* the command may be one text */
	int words;              /* takes so many words before the command */
	const char *values;     /* options with a value in the next word */
	const char *pairs;      /* options with values in the next two */
	const char *runs;       /* interpreter of what follows; NULL: none */
	const char *until;      /* the command ends before this word */
};

/* An executable whose first word is what it really executes. */
struct interpreter {
	const char *name;    /* without a version */
	const char *called;  /* in names of applications; NULL: as it is */
	const char *values;  /* options with a value in the next word */
	const char *code;    /* options after which there is no script */
	const char *scripts; /* words before the script's name */
	const char *suffix;  /* the script is the same without it */
	enum command_code code_kind;
	bool input; /* `<` may name the script */
};

/* An executable that is several programs in one. */
struct program {
	const char *name;
	bool variants;      /* also NAME_x, NAME-x */
	bool tool;          /* of KIND_TOOL with a subcommand, else trivial */
	const char *values; /* options with a value before the subcommand */
	const char *stages; /* subcommands of KIND_STAGE */
	const char *option; /* it stands behind this one; NULL: by itself */
	const char *pairs;  /* options that give a name, and its number */
	bool input;         /* `<` names what `option` does */
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

/* First words of names that tell of work before or after the job's own. */
extern const char stage_names[];

/* Interpreters of files that are executed by their own name. */
struct suffix {
	const char *suffix;
	const char *interpreter;
};

extern const struct suffix suffixes[]; /* end with suffix NULL */

/* Options of sbatch, srun and salloc with a value in the next word. */
extern const char submit_values[];

/* Whether a list " a b c " holds `word`; NULL holds nothing. */
bool command_tables_list(const char *list, const char *word);

/* Whether `name` is of a kind.  *ret_row: its row; may be NULL.  `length` are
 * the bytes of the name that count. */
bool command_tables_find(const char *name, size_t length,
			 enum command_kind kind, const void **ret_row);

#endif
