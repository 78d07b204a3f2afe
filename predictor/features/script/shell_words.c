/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_words.c - the simple commands of a job script
 *
 * A lexer: read_part() appends one part of a word (plain bytes, quotes,
 * escapes, expansions), read_operator() handles what is between words.  All
 * words of a command are in one buffer; what does not fit is dropped.  Every
 * function moves shell->at forward, so time is linear in the text and the
 * values expanded.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/shell_here_docs.h"
#include "predictor/features/script/shell_variables.h"
#include "predictor/features/script/shell_words.h"

static void open_text(struct shell *shell, const char *text, size_t size,
		      const char *const arguments[], size_t arguments_count)
{
	shell->at = text;
	shell->end = text + size;
	shell->arguments = arguments;
	shell->arguments_count = (int)arguments_count;
	shell->shifted = 0;
	shell->depth = 0;
	shell->here_docs_count = shell->here_docs_pending = 0;
	shell->functions_count = 0;
	shell->no_functions = shell->skipping = false;
	shell->calls_count = shell->calls_made = 0;
	shell->loops_count = 0;
}

/* Only counted elements are read, so that the rest need not be zero. */
void shell_open(struct shell *shell, const char *script, size_t size,
		const char *const arguments[], size_t arguments_count)
{
	open_text(shell, script, size, arguments, arguments_count);
	shell->expanded = 0;
	shell->variables_count = 0;
	shell->values_used = 0;
}

void shell_open_inner(struct shell *shell, const struct shell *outer,
		      const char *code, const char *const arguments[],
		      size_t arguments_count)
{
	open_text(shell, code, strlen(code), arguments, arguments_count);
	shell->expanded = outer->expanded;
	shell->values_used = 0;
	shell->variables_count = outer->variables_count;
	memcpy(shell->variables, outer->variables,
	       (size_t)outer->variables_count * sizeof(*outer->variables));
}

static bool at_text(const struct shell *shell, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(shell->end - shell->at) >= length &&
	       !memcmp(shell->at, text, length);
}

/* --- Words ---------------------------------------------------------------- */

/* The current word; `open` is also true of an empty word (""). */
struct word {
	struct shell_command *command;
	size_t start;
	bool open;
};

static void put(struct word *word, const char *text, size_t size)
{
	struct shell_command *command = word->command;
	/* The last byte is kept for the terminator. */
	size_t room = sizeof(command->text) - 1;

	room = command->used < room ? room - command->used : 0;
	size = size < room ? size : room;
	word->open = true;
	memcpy(command->text + command->used, text, size);
	command->used += size;
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

/* Append the value of an expansion, at most `size` bytes; blanks in it separate
 * words unless it is quoted, and always in a list.  Their total size is
 * bounded. */
static void put_value(struct shell *shell, struct word *word, const char *value,
		      size_t size, bool quoted, bool list)
{
	size = strnlen(value, size);
	if (size > SHELL_EXPANDED_MAX - shell->expanded)
		size = SHELL_EXPANDED_MAX - shell->expanded;
	shell->expanded += size;
	/* An expansion that is not known may have no blanks. */
	if (!list && (memchr(value, '$', size) || memchr(value, '`', size)))
		quoted = true;
	if (quoted) {
		put(word, value, size);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		if (isspace((unsigned char)value[i]))
			finish_word(word);
		else
			put(word, value + i, 1);
	}
}

static void put_all_arguments(struct shell *shell, struct word *word,
			      bool quoted)
{
	const struct shell_call *call =
		shell->calls_count ? &shell->calls[shell->calls_count - 1]
				   : NULL;
	int shifted = call ? call->shifted : shell->shifted;
	int count = call ? call->count : shell->arguments_count;
	const char *const *arguments = call ? call->words : shell->arguments;

	for (int i = 1 + shifted; i < count; i++) {
		if (shell->expanded++ >= SHELL_EXPANDED_MAX) {
			shell->expanded = SHELL_EXPANDED_MAX;
			return;
		}
		if (i > 1 + shifted)
			finish_word(word);
		put_value(shell, word, arguments[i], SIZE_MAX, quoted, false);
		word->command->uses |=
			call ? call->uses : shell_argument_bit(i);
	}
	if (call)
		word->command->whole |= call->variables;
}

/* Whether an expansion after the first `length` bytes of a word, which ends
 * before shell->at, is the whole word or the whole value of an option: "$N",
 * -n$N, --n="$N". */
static bool is_whole(const struct shell *shell, const char *word, size_t length,
		     bool quoted)
{
	const char *next = shell->at;

	if (length && word[length - 1] != '=' &&
	    !(length == 2 && word[0] == '-'))
		return false;
	if (quoted && next < shell->end && *next == '"')
		next++;
	return next == shell->end || strchr(" \t\r\n;&|<>()", *next);
}

/* The value of an expansion, if it is known; else as it is written, in one
 * word. */
static void put_expansion(struct shell *shell, struct word *word,
			  const char *start,
			  const struct shell_expansion *expansion, bool quoted)
{
	struct shell_command *command = word->command;
	const char *value;

	if (expansion && expansion->arithmetic) {
		char text[32];
		int size =
			snprintf(text, sizeof(text), "%.15g", expansion->value);

		put(word, text, (size_t)size);
		return;
	}
	if (expansion && expansion->all && strchr("@*", expansion->name[0])) {
		put_all_arguments(shell, word, quoted);
		return;
	}
	value = expansion ? shell_value(shell, expansion->name, &command->uses,
					&command->variables)
			  : NULL;
	if (value)
		put_value(shell, word, value, SIZE_MAX,
			  quoted && !expansion->all, expansion->all);
	else if (expansion && expansion->fallback)
		put_value(shell, word, expansion->fallback,
			  expansion->fallback_size, quoted, false);
	else
		put_value(shell, word, start, (size_t)(shell->at - start), true,
			  false);
}

/* At a '$'. */
static void read_expansion(struct shell *shell, struct word *word, bool quoted)
{
	struct shell_command *command = word->command;
	const char *start = shell->at++;
	const char *text = command->text + word->start;
	size_t length = command->used - word->start;
	shell_variables before = command->variables;
	struct shell_expansion expansion;
	bool understood = shell_read_expansion(
		shell, &expansion, &command->variables, &command->uses);

	/* Variables of arithmetic are not parameters by their own names. */
	if (understood && expansion.arithmetic)
		command->whole |= command->variables & ~before;
	put_expansion(shell, word, start, understood ? &expansion : NULL,
		      quoted);
	if (is_whole(shell, text, length, quoted))
		command->whole |= command->variables & ~before;
	if (quoted)
		word->open = true;
}

/* At a '\'.  In double quotes it is literal before most bytes. */
static void read_escape(struct shell *shell, struct word *word, bool quoted)
{
	if (++shell->at == shell->end)
		return;
	if (at_text(shell, "\r\n"))
		shell->at++;
	if (quoted && !strchr("$`\"\\\n", *shell->at))
		put(word, "\\", 1);
	if (*shell->at != '\n')
		put(word, shell->at, 1);
	shell->at++;
}

/* Special bytes: 1 everywhere, 2 only outside of double quotes. */
static const unsigned char special[256] = {
	['$'] = 1,  ['\\'] = 1, ['"'] = 1,  ['\''] = 2, ['`'] = 2, [' '] = 2,
	['\t'] = 2, ['\r'] = 2, ['\n'] = 2, [';'] = 2,  ['&'] = 2, ['|'] = 2,
	['<'] = 2,  ['>'] = 2,  ['('] = 2,  [')'] = 2,
};

/* At a plain byte: append all up to the next special one. */
static void read_plain(struct shell *shell, struct word *word, int level)
{
	const char *start = shell->at++;

	while (shell->at < shell->end) {
		unsigned char kind = special[(unsigned char)*shell->at];

		if (kind && kind <= level)
			break;
		shell->at++;
	}
	put(word, start, (size_t)(shell->at - start));
}

/* After the '"'. */
static void read_double_quotes(struct shell *shell, struct word *word)
{
	word->open = true;
	while (shell->at < shell->end && *shell->at != '"') {
		if (*shell->at == '$')
			read_expansion(shell, word, true);
		else if (*shell->at == '\\')
			read_escape(shell, word, true);
		else
			read_plain(shell, word, 1);
	}
	shell->at += shell->at < shell->end;
}

/* At an opening ' or `, to the next one.  The output of a command in `...` is
 * not known: it stays with its marks. */
static void read_quoted(struct shell *shell, struct word *word, char quote)
{
	const char *start = shell->at + 1;
	const char *stop = memchr(start, quote, (size_t)(shell->end - start));
	size_t size = (size_t)((stop ? stop : shell->end) - start);

	put(word, "`", quote == '`');
	put(word, start, size);
	put(word, "`", quote == '`');
	shell->at = stop ? stop + 1 : shell->end;
}

/* One part of a word.  False: the word ends here. */
static bool read_part(struct shell *shell, struct word *word)
{
	switch (*shell->at) {
	case '$':
		read_expansion(shell, word, false);
		break;
	case '\\':
		read_escape(shell, word, false);
		break;
	case '"':
		shell->at++;
		read_double_quotes(shell, word);
		break;
	case '\'':
	case '`':
		read_quoted(shell, word, *shell->at);
		break;
	default:
		if (special[(unsigned char)*shell->at])
			return false;
		read_plain(shell, word, 2);
	}
	return true;
}

/* --- Between words -------------------------------------------------------- */

static void skip_line(struct shell *shell)
{
	const char *newline =
		memchr(shell->at, '\n', (size_t)(shell->end - shell->at));

	shell->at = newline ? newline : shell->end;
}

const char *shell_read_target(struct shell *shell,
			      struct shell_command *command)
{
	struct word word = { .command = command, .start = command->used };

	/* A command whose text is full has no room for a terminator. */
	if (command->used == sizeof(command->text))
		command->used--;
	word.start = command->used;
	while (shell->at < shell->end && strchr(" \t\r", *shell->at))
		shell->at++;
	while (shell->at < shell->end && read_part(shell, &word))
		;
	command->text[command->used++] = '\0';
	return command->text + word.start;
}

/* A digit just before a '<' or '>' is a file descriptor. */
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

/* After the '(' of NAME=(a b c) or NAME+=(d): the elements, with blanks
 * between. */
static void read_array(struct shell *shell, struct word *word)
{
	put(word, " ", word->command->text[word->command->used - 2] == '+');
	while (shell->at < shell->end && *shell->at != ')') {
		if (*shell->at == '#')
			skip_line(shell);
		else if (!read_part(shell, word)) {
			put(word, " ", 1);
			shell->at++;
		}
	}
	shell->at += shell->at < shell->end;
}

/* Whether its parentheses are those of a list in csh. */
static bool has_list(const struct shell_command *command)
{
	return command->count && (!strcmp(command->words[0], "foreach") ||
				  !strcmp(command->words[0], "set"));
}

/* At a '('. Returns whether it ends the command. */
static bool read_parenthesis(struct shell *shell, struct word *word)
{
	struct shell_command *command = word->command;
	const char *start = shell->at;

	if (word->open && command->used > word->start + 1 &&
	    command->text[command->used - 1] == '=') {
		shell->at++;
		read_array(shell, word);
		return false;
	}
	if (at_text(shell, "((")) {
		shell_skip_parentheses(shell); /* a sum, or the head of `for` */
		if (command->count)
			put(word, start, (size_t)(shell->at - start));
		return false;
	}
	if (at_text(shell, "()")) {
		shell->at += 2;
		finish_word(word);
		command->head = command->count > 0;
		return true;
	}
	finish_word(word);
	shell->at++;
	if (has_list(command))
		return false;
	shell->depth++;
	return true;
}

/* At a byte between words.  Returns whether it ends the command. */
static bool read_operator(struct shell *shell, struct word *word)
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
		shell_read_redirection(shell, word->command);
		return false;
	case '&':
		if (at_text(shell, "&>")) {
			shell->at++;
			shell_read_redirection(shell, word->command);
			return false;
		}
		break;
	case '\n':
		shell->at++;
		shell_read_here_docs(shell);
		return true;
	case ')':
		/* Without a '(' it was a pattern of a `case`. */
		if (has_list(word->command)) {
			shell->at++;
			return false;
		}
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
	ret->input = NULL;
	ret->head = false;
	ret->used = 0;
	ret->uses = 0;
	ret->variables = ret->whole = 0;
	while (!ended && shell->at < shell->end) {
		if (*shell->at == '#' && !word.open) {
			skip_line(shell);
		} else if (*shell->at == '(') {
			ended = read_parenthesis(shell, &word);
		} else if (!read_part(shell, &word)) {
			if (*shell->at == '<' || *shell->at == '>')
				drop_file_number(&word);
			finish_word(&word);
			ended = read_operator(shell, &word);
			word.start = ret->used;
		}
	}
	finish_word(&word);
}

bool shell_read(struct shell *shell, struct shell_command *ret)
{
	shell->here_docs_count = 0;
	while (shell->at < shell->end) {
		read_command(shell, ret);
		if (ret->count &&
		    (shell->skipping || !shell_apply_assignments(shell, ret)))
			return true;
	}
	return false;
}
