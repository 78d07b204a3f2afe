/* command_tables.h - commands that a job script may hold around its own
 *
 * Lists of words are texts with a blank before and after each word.
 *
 * Private to command_line.c, submit_line.c and command_tables.c.
 */
#ifndef PREDICTOR_FEATURES_COMMAND_TABLES_H
#define PREDICTOR_FEATURES_COMMAND_TABLES_H

#include <stdbool.h>

/* A command that executes the rest of its words. */
struct wrapper {
	const char *name;
	const char *subcommand; /* "exec" of `apptainer exec`; NULL: none */
	bool parallel;          /* starts a job's tasks */
	bool number;            /* takes a number before the command */
	int words;              /* takes so many words before the command */
	const char *values;     /* options with a value in the next word */
	const char *pairs;      /* options with values in the next two */
};

/* An executable whose first word is what it really executes. */
struct interpreter {
	const char *name;    /* without a version */
	const char *values;  /* options with a value in the next word */
	const char *code;    /* options after which there is no script */
	const char *scripts; /* options before the script's name */
};

extern const struct wrapper wrappers[];         /* end with name NULL */
extern const struct interpreter interpreters[]; /* end with name NULL */

extern const char keywords_before[]; /* words that a command may follow */
extern const char no_commands[];     /* keywords, builtins, settings */
extern const char tools[];           /* commands that do little work */

/* Options of sbatch, srun and salloc with a value in the next word. */
extern const char submit_values[];

/* Whether a list " a b c " holds `word`; NULL holds nothing. */
bool command_tables_list(const char *list, const char *word);

#endif
