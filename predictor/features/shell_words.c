/* shell_words.c - the simple commands of a job script */
#include <ctype.h>
#include <string.h>

#include "predictor/features/shell_variables.h"
#include "predictor/features/shell_words.h"

void shell_open(struct shell *shell, const char *script, size_t size,
		const char *const arguments[], size_t arguments_count)
{
	memset(shell, 0, sizeof(*shell));
	shell->at = script;
	shell->end = script + size;
	shell->arguments = arguments;
	shell->arguments_count = (int)arguments_count;
}

static bool at_text(const struct shell *shell, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(shell->end - shell->at) >= length &&
	       !memcmp(shell->at, text, length);
}

/* --- Making words -------------------------------------------------------- */

/* The word under way; `open` also says that an empty word ("") is one. */
struct word {
	struct shell_command *command;
	size_t start;
	bool open;
};

static void put(struct word *word, char c)
{
	struct shell_command *command = word->command;

	word->open = true;
	/* The last byte is kept for the terminator. */
	if (command->used < sizeof(command->text) - 1)
		command->text[command->used++] = c;
}

static void finish_word(struct word *word)
{
	struct shell_command *command = word->command;

	if (!word->open)
		return;
	word->open = false;
	if (command->count < SHELL_WORDS_MAX &&
	    command->used < sizeof(command->text)) {
		command->words[command->count++] = command->text + word->start;
		command->text[command->used++] = '\0';
	} else {
		command->used = word->start;
	}
	word->start = command->used;
}

/* Put the value of an expansion, at most `size` bytes; blanks in it part words
 * unless it is quoted.  Values that together grow beyond all measure are
 * cut. */
static void put_value(struct shell *shell, struct word *word, const char *value,
		      size_t size, bool quoted)
{
	for (size_t i = 0; i < size && value[i]; i++) {
		if (shell->expanded++ >= SHELL_EXPANDED_MAX)
			return;
		if (!quoted && isspace((unsigned char)value[i]))
			finish_word(word);
		else
			put(word, value[i]);
	}
	if (quoted)
		word->open = true;
}

static void put_all_arguments(struct shell *shell, struct word *word,
			      bool quoted)
{
	for (int i = 1; i < shell->arguments_count; i++) {
		if (shell->expanded++ >= SHELL_EXPANDED_MAX)
			return;
		if (i > 1)
			finish_word(word);
		put_value(shell, word, shell->arguments[i], SIZE_MAX, quoted);
		word->command->uses |= shell_argument_bit(i);
	}
}

/* At a '$'. */
static void take_expansion(struct shell *shell, struct word *word, bool quoted)
{
	const char *start = shell->at++;
	struct shell_expansion expansion;
	bool understood = shell_read_expansion(shell, &expansion);

	if (understood && expansion.all) {
		put_all_arguments(shell, word, quoted);
		return;
	}
	const char *value = understood ? shell_value(shell, expansion.name,
						     &word->command->uses)
				       : NULL;

	if (value)
		put_value(shell, word, value, SIZE_MAX, quoted);
	else if (expansion.fallback)
		put_value(shell, word, expansion.fallback,
			  expansion.fallback_size, quoted);
	else /* as it is written, and in one word */
		put_value(shell, word, start, (size_t)(shell->at - start),
			  true);
}

/* At a '\'. */
static void take_escape(struct shell *shell, struct word *word)
{
	if (++shell->at == shell->end)
		return;
	if (*shell->at != '\n')
		put(word, *shell->at);
	shell->at++;
}

/* Behind the '"'. */
static void take_double_quotes(struct shell *shell, struct word *word)
{
	word->open = true;
	while (shell->at < shell->end && *shell->at != '"') {
		if (*shell->at == '$')
			take_expansion(shell, word, true);
		else if (*shell->at == '\\')
			take_escape(shell, word);
		else
			put(word, *shell->at++);
	}
	shell->at += shell->at < shell->end;
}

/* Behind an opening ' or `, to the next one. */
static void take_until(struct shell *shell, struct word *word, char quote)
{
	word->open = true;
	while (shell->at < shell->end && *shell->at != quote)
		put(word, *shell->at++);
	shell->at += shell->at < shell->end;
}

/* Anything that is part of a word; false: the word ends here. */
static bool take_part(struct shell *shell, struct word *word)
{
	char c = *shell->at;

	if (strchr(" \t\r\n;&|<>()", c))
		return false;
	switch (c) {
	case '$':
		take_expansion(shell, word, false);
		break;
	case '\\':
		take_escape(shell, word);
		break;
	case '"':
		shell->at++;
		take_double_quotes(shell, word);
		break;
	case '\'':
	case '`':
		shell->at++;
		take_until(shell, word, c);
		break;
	default:
		put(word, c);
		shell->at++;
	}
	return true;
}

/* --- What stands between words ------------------------------------------- */

static void skip_blanks(struct shell *shell)
{
	while (shell->at < shell->end && strchr(" \t\r", *shell->at))
		shell->at++;
}

static void skip_line(struct shell *shell)
{
	while (shell->at < shell->end && *shell->at != '\n')
		shell->at++;
}

/* Behind the newline that ends the line of the "<<". */
static void skip_here_docs(struct shell *shell)
{
	for (int i = 0; i < shell->here_docs_count; i++) {
		const struct shell_here_doc *doc = &shell->here_docs[i];
		size_t length = strlen(doc->delimiter);
		bool found = false;

		while (!found && shell->at < shell->end) {
			while (doc->tabs && at_text(shell, "\t"))
				shell->at++;

			const char *line = shell->at;

			skip_line(shell);
			found = (size_t)(shell->at - line) == length &&
				!memcmp(line, doc->delimiter, length);
			shell->at += shell->at < shell->end;
		}
	}
	shell->here_docs_count = 0;
}

/* A word that belongs to no command: put and taken off again. */
static void take_target(struct shell *shell, struct shell_command *command,
			char *ret_text, size_t size)
{
	size_t used = command->used;
	struct word word = { .command = command, .start = used };

	skip_blanks(shell);
	while (shell->at < shell->end && take_part(shell, &word))
		;
	if (ret_text) {
		size_t length = command->used - used;

		length = length < size ? length : size - 1;
		memcpy(ret_text, command->text + used, length);
		ret_text[length] = '\0';
	}
	command->used = used;
}

/* At a '<' or '>'. */
static void take_redirection(struct shell *shell, struct shell_command *command)
{
	char direction = *shell->at++;

	if (direction == '<' && at_text(shell, "<<")) {
		shell->at += 2;
		take_target(shell, command, NULL, 0);
	} else if (direction == '<' && at_text(shell, "<")) {
		struct shell_here_doc scratch = { .tabs = false };
		bool room = shell->here_docs_count < SHELL_HERE_DOCS_MAX;
		struct shell_here_doc *doc =
			room ? &shell->here_docs[shell->here_docs_count++]
			     : &scratch;

		shell->at++;
		doc->tabs = at_text(shell, "-");
		shell->at += doc->tabs;
		take_target(shell, command, doc->delimiter,
			    sizeof(doc->delimiter));
	} else {
		while (shell->at < shell->end && strchr(">&|", *shell->at))
			shell->at++;
		take_target(shell, command, NULL, 0);
	}
}

/* A number just before a '<' or '>' names a file and is no word. */
static void drop_file_number(struct word *word)
{
	struct shell_command *command = word->command;
	size_t length = command->used - word->start;

	if (word->open && length == 1 &&
	    isdigit((unsigned char)command->text[word->start])) {
		command->used = word->start;
		word->open = false;
	}
}

/* At a '('. Returns whether it ends the command. */
static bool take_open(struct shell *shell, struct word *word)
{
	struct shell_command *command = word->command;

	if (word->open && command->used > word->start &&
	    command->text[command->used - 1] == '=') {
		shell_skip_parentheses(shell); /* NAME=(a b c) */
		return false;
	}
	if (at_text(shell, "((")) {
		shell_skip_parentheses(shell); /* arithmetic */
		return false;
	}
	if (at_text(shell, "()")) {
		shell->at += 2; /* the head of a function */
		word->open = false;
		command->count = 0;
		return true;
	}
	shell->depth++;
	shell->at++;
	return true;
}

/* At a byte that is no part of a word.  Returns whether it ends the
 * command. */
static bool take_operator(struct shell *shell, struct word *word)
{
	char c = *shell->at;

	switch (c) {
	case ' ':
	case '\t':
	case '\r':
		shell->at++;
		return false;
	case '<':
	case '>':
		take_redirection(shell, word->command);
		return false;
	case '&':
		if (at_text(shell, "&>")) {
			shell->at++;
			take_redirection(shell, word->command);
			return false;
		}
		break;
	case '\n':
		shell->at++;
		skip_here_docs(shell);
		return true;
	case ')':
		/* Without a '(' it was a pattern of a `case`. */
		if (shell->depth)
			shell->depth--;
		else
			word->command->count = 0;
		break;
	}
	shell->at++;
	return true;
}

/* Read one command, which may have no words at all. */
static void read_command(struct shell *shell, struct shell_command *ret)
{
	struct word word = { .command = ret };
	bool ended = false;

	ret->count = 0;
	ret->used = 0;
	ret->uses = 0;
	while (!ended && shell->at < shell->end) {
		if (*shell->at == '#' && !word.open) {
			skip_line(shell);
		} else if (*shell->at == '(') {
			ended = take_open(shell, &word);
		} else if (!take_part(shell, &word)) {
			if (*shell->at == '<' || *shell->at == '>')
				drop_file_number(&word);
			finish_word(&word);
			ended = take_operator(shell, &word);
		}
	}
	finish_word(&word);
}

/* --- Assignments --------------------------------------------------------- */

bool shell_is_assignment(const char *word, size_t *ret_length)
{
	size_t length = 0;

	while (word[length] == '_' || isalnum((unsigned char)word[length]))
		length++;
	*ret_length = length;
	return length && !isdigit((unsigned char)*word) && word[length] == '=';
}

/* Take in a command that only assigns; false: it does more. */
static bool take_assignments(struct shell *shell,
			     const struct shell_command *command)
{
	static const char *const setters[] = { "export",   "declare", "local",
					       "readonly", "typeset", NULL };
	int first = 0;
	size_t length;

	for (int i = 0; setters[i]; i++)
		if (command->count && !strcmp(command->words[0], setters[i]))
			first = 1;
	for (int i = first; !first && i < command->count; i++)
		if (!shell_is_assignment(command->words[i], &length))
			return false;
	for (int i = first; i < command->count; i++)
		if (shell_is_assignment(command->words[i], &length))
			shell_assign(shell, command->words[i], length,
				     command->words[i] + length + 1,
				     command->uses);
	return true;
}

bool shell_next(struct shell *shell, struct shell_command *ret)
{
	while (shell->at < shell->end) {
		read_command(shell, ret);
		if (ret->count && !take_assignments(shell, ret))
			return true;
	}
	return false;
}
