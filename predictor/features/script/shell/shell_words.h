/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_words.h - the simple commands of a job script
 *
 * Reads a script as a shell does, as far as needed to find its commands:
 * quotes, escapes, comments, continued lines, here-documents, redirections,
 * assignments, variables that the script sets or takes from its arguments, and
 * arithmetic; bash as well as csh.  Nothing is executed; an expansion whose
 * value is not known stays as it is written.  Of `if` and `case` the branches
 * that can be taken are returned (shell_branches.h).  Functions and loops: see
 * shell_flow.h.
 *
 * Allocates nothing; space is bounded by the structs here, time by
 * SHELL_WORK_MAX.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHELL_WORDS_MAX      128  /* of a command; more are dropped */
#define SHELL_TEXT_SIZE      8192 /* bytes of a command's words */
#define SHELL_VARIABLES_MAX  64
#define SHELL_VALUES_SIZE    8192 /* bytes of all variables' values */
#define SHELL_NAME_SIZE      32   /* of a variable; longer ones are unknown */
#define SHELL_HERE_DOCS_MAX  4
#define SHELL_DELIMITER_SIZE 32
#define SHELL_CODES_MAX      4
#define SHELL_EXPANDED_MAX   65536 /* bytes of values put, in all */

/* About nanoseconds, all in all; what takes longer is read no further.  Scripts
 * that people write are read in half of it. */
#define SHELL_WORK_MAX 750000

/* A set of the script's arguments $1 to $63, one bit each. */
typedef uint64_t shell_arguments;

/* A set of the variables of a shell, one bit for each index. */
typedef uint64_t shell_variables;

struct shell_command {
	/* Zero at first: */
	int count;
	const char *input;         /* file after `<`, in `text`; NULL: none */
	const char *output;        /* file after `>`, likewise */
	shell_arguments uses;      /* arguments in the words */
	shell_variables variables; /* variables in the words, and those that */
	shell_variables whole;     /* are a whole word, or all after its '=' */
	bool head;                 /* it is NAME() of a function */
	bool pattern;              /* it is that of a `case` */
	bool background;           /* before a '&' */
	size_t used;

	const char *start; /* in the script */
	bool piped;        /* after a '|' or "||" */
	char joint;        /* after an "&&" or "||": '&', '|' */
	const char *words[SHELL_WORDS_MAX]; /* in `text` */
	bool unsure[SHELL_WORDS_MAX];       /* shell_word.h */
	char text[SHELL_TEXT_SIZE];
};

/* The first byte of a word's value that is an array. */
#define SHELL_ARRAY_MARK '\1'

struct shell_variable {
	char name[SHELL_NAME_SIZE];
	unsigned char tag; /* of the name; most others have another */
	const char *value; /* in shell.values */
	bool exported;
	bool array;  /* blanks part its elements */
	bool unsure; /* may have another value when the job runs */
	shell_arguments uses;
};

struct shell_here_doc {
	char delimiter[SHELL_DELIMITER_SIZE];
	bool tabs;   /* <<- : tabs before the delimiter are skipped */
	bool quoted; /* no expansion of variables */
	const char *start, *end; /* its lines, once read */
};

/* A function that is being called. */
#define SHELL_CALLS_DEEP      4
#define SHELL_CALLS_MAX       16
#define SHELL_CALL_WORDS_MAX  16
#define SHELL_CALL_TEXT_SIZE  512
#define SHELL_FUNCTIONS_MAX   16
#define SHELL_LOOPS_DEEP      8
#define SHELL_LOOP_COUNT_NONE (-1.0)

/* $1, $2, ... of the script, or of a function. */
struct shell_positions {
	const char *const *words; /* [0] is the script or function itself */
	int count;
	int shifted;          /* removed by `shift` */
	bool called;          /* of a function, whose words use these: */
	shell_arguments uses; /* of the script each its own */
	shell_variables variables;
};

struct shell_call {
	const char *back; /* where it was called */
	int branches;     /* open there */
	int braces;       /* open in its body */
	struct shell_positions positions;
	const char *words[SHELL_CALL_WORDS_MAX];
	char text[SHELL_CALL_TEXT_SIZE];
};

struct shell_function {
	char name[SHELL_NAME_SIZE];
	const char *body;
	int braces; /* open where it begins */
};

#define SHELL_LOOP_WORDS_SIZE 256
#define SHELL_ROUNDS_MAX      16 /* that are read, in all loops */

struct shell_loop {
	char name[SHELL_NAME_SIZE]; /* of its variable */
	double count; /* of rounds; SHELL_LOOP_COUNT_NONE: not known */
	const char *body;
	int branches;   /* open there */
	int words_left; /* rounds that are still to be read */
	size_t word;    /* of the next one, in: */
	char words[SHELL_LOOP_WORDS_SIZE];
};

/* An `if` or `case` that is open, or a `{` that does not run: see
 * shell_branches.c. */
#define SHELL_BRANCHES_DEEP 8
#define SHELL_SUBJECT_SIZE  64

enum shell_truth { SHELL_NO, SHELL_YES, SHELL_UNKNOWN };

struct shell_branch {
	bool of_case, group;
	bool condition;  /* commands are the condition, or patterns */
	bool outer_dead; /* the whole is in a branch that is not taken */
	bool taken;      /* an earlier branch is taken for sure */
	bool maybe;      /* an earlier branch may be taken */
	bool worked;     /* such a branch runs a program */
	bool subject_known;
	enum shell_truth value;           /* of the condition so far */
	shell_variables assigned;         /* in the current branch */
	char subject[SHELL_SUBJECT_SIZE]; /* word of a `case` */
};

struct shell {
	/* Zero at first: */
	struct shell_positions own; /* those of the script */
	int depth;                  /* of open parentheses */
	/* Here-documents of the last command, and of those without words
	 * before it. */
	int here_docs_count, here_docs_pending;
	int functions_count;
	bool no_functions; /* after one without an end */
	bool skipping;     /* assignments have no effect */
	int calls_count, calls_made;
	int loops_count;    /* may exceed SHELL_LOOPS_DEEP */
	int rounds;         /* read again so far */
	int branches_count; /* may exceed SHELL_BRANCHES_DEEP */
	bool dead;          /* commands are in a branch that is not taken */
	int codes_count;
	bool piped;        /* the next command is after a '|' */
	char joint;        /* or after an "&&" or "||" */
	bool pattern_next; /* it is after a ";;" */
	int substitutions; /* $(...) that this is in */
	int unclosed;      /* ${ without an end so far */

	const char *at, *end;
	struct shell_positions *positions; /* the innermost */
	size_t expanded;                   /* bytes of values put so far */
	long work_left;
	bool csh;
	enum shell_truth list; /* of "a && b || c" so far */
	struct shell_here_doc here_docs[SHELL_HERE_DOCS_MAX];

	int variables_count;
	struct shell_variable variables[SHELL_VARIABLES_MAX];
	size_t values_used;
	char values[SHELL_VALUES_SIZE];

	/* shell_flow.h */
	struct shell_function functions[SHELL_FUNCTIONS_MAX];
	struct shell_call calls[SHELL_CALLS_DEEP];
	struct shell_loop loops[SHELL_LOOPS_DEEP];

	/* shell_branches.h */
	struct shell_branch branches[SHELL_BRANCHES_DEEP];
	/* Within $(...) and `...` of the last command. */
	struct {
		const char *text;
		size_t size;
	} codes[SHELL_CODES_MAX];
};

/* Count work that was done. */
static inline void shell_work(struct shell *shell, size_t amount)
{
	shell->work_left -= (long)amount;
}

/* Return whether there is more to be read, and may be. */
static inline bool shell_more(const struct shell *shell)
{
	return shell->at < shell->end && shell->work_left > 0;
}

/* Return whether `text` is next. */
static inline bool shell_at(const struct shell *shell, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(shell->end - shell->at) >= length &&
	       !memcmp(shell->at, text, length);
}

/* Script and arguments must outlive the shell. */
void shell_open(struct shell *shell, const char *script, size_t size,
		const char *const arguments[], size_t arguments_count);

/* The same for code inside of a script (`bash -c`, `eval`), which sees the
 * variables of `outer`; that must outlive it, too. */
void shell_open_inner(struct shell *shell, const struct shell *outer,
		      const char *code, size_t size,
		      const char *const arguments[], size_t arguments_count);

/* Return the next command with words; the shell applies assignments alone, also
 * after `export`, itself.  False: end of the script.  Here-documents read on
 * the way are in shell->here_docs[]. */
bool shell_read(struct shell *shell, struct shell_command *ret);

/* Return whether `word` is NAME=VALUE; *ret_length is that of NAME. */
bool shell_is_assignment(const char *word, size_t *ret_length);
