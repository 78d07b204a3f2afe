/* shell_words.h - the simple commands of a job script
 *
 * Reads a script as a shell would, as far as that shows which commands it
 * holds: quotes, escapes, comments, continued lines, here-documents,
 * redirections, assignments, and the values of variables that the script sets
 * itself or takes from its arguments.  Nothing is executed; what cannot be
 * known stays as it is written.  Control structures are not followed: every
 * command that stands in the text is given, in the order of the text.
 *
 * Allocates nothing; time and space are bounded by the script's size.
 */
#ifndef PREDICTOR_FEATURES_SHELL_WORDS_H
#define PREDICTOR_FEATURES_SHELL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHELL_WORDS_MAX      128  /* of a command; more are dropped */
#define SHELL_TEXT_SIZE      8192 /* bytes of a command's words */
#define SHELL_VARIABLES_MAX  32
#define SHELL_VALUES_SIZE    4096 /* bytes of all variables' values */
#define SHELL_NAME_SIZE      32   /* of a variable; longer ones are unknown */
#define SHELL_HERE_DOCS_MAX  4
#define SHELL_DELIMITER_SIZE 32
#define SHELL_EXPANDED_MAX   262144 /* bytes of values put, in all */

/* A set of the script's arguments $1 to $63, one bit each. */
typedef uint64_t shell_arguments;

struct shell_command {
	int count;
	const char *words[SHELL_WORDS_MAX]; /* in `text` */
	shell_arguments uses; /* arguments that the words were made of */
	size_t used;
	char text[SHELL_TEXT_SIZE];
};

struct shell_variable {
	char name[SHELL_NAME_SIZE];
	const char *value; /* in shell.values */
	shell_arguments uses;
};

struct shell_here_doc {
	char delimiter[SHELL_DELIMITER_SIZE];
	bool tabs; /* <<- : tabs before the delimiter are skipped */
};

struct shell {
	const char *at, *end;
	int arguments_count; /* [0] is the script itself */
	const char *const *arguments;
	int depth;       /* of open parentheses */
	size_t expanded; /* bytes of values put so far */

	int here_docs_count;
	struct shell_here_doc here_docs[SHELL_HERE_DOCS_MAX];

	int variables_count;
	struct shell_variable variables[SHELL_VARIABLES_MAX];
	size_t values_used;
	char values[SHELL_VALUES_SIZE];
};

/* Script and arguments are lent and must outlive the shell. */
void shell_open(struct shell *shell, const char *script, size_t size,
		const char *const arguments[], size_t arguments_count);

/* Give the next command that has words; assignments alone, also after
 * `export`, are taken in by the shell itself.  False: that was all. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* Whether `word` is NAME=VALUE; *ret_length is that of NAME. */
bool shell_is_assignment(const char *word, size_t *ret_length);

#endif
