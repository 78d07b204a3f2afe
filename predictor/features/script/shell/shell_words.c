/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_words.c - the simple commands of a job script
 *
 * A lexer: read_part() appends one part of a word (plain bytes, quotes,
 * escapes, expansions), read_operator() handles what is between words.  All
 * words of a command are in one buffer; what does not fit is dropped.  Commands
 * of branches that are not taken are passed over (shell_branches.h).  Every
 * function moves shell->at forward, and counts its work; when all is used, the
 * text ends.
 */
#include <ctype.h>

#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_expand.h"
#include "predictor/features/script/shell/shell_here_docs.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/script/shell/shell_words.h"

static void open_text(struct shell *shell, const char *text, size_t size,
		      const char *const arguments[], size_t arguments_count)
{
	memset(shell, 0, offsetof(struct shell, at));
	shell->at = text;
	shell->end = text + size;
	shell->own.words = arguments;
	shell->own.count = (int)arguments_count;
	shell->positions = &shell->own;
	shell->list = SHELL_UNKNOWN;
	shell->csh = size > 2 && !memcmp(text, "#!", 2) &&
		     memmem(text, size < 40 ? size : 40, "csh", 3);
}

/* Only counted elements are read, so that the rest need not be zero. */
void shell_open(struct shell *shell, const char *script, size_t size,
		const char *const arguments[], size_t arguments_count)
{
	open_text(shell, script, size, arguments, arguments_count);
	shell->expanded = 0;
	shell->work_left = SHELL_WORK_MAX;
	shell->variables_count = 0;
	shell->values_used = 0;
}

void shell_open_inner(struct shell *shell, const struct shell *outer,
		      const char *code, size_t size,
		      const char *const arguments[], size_t arguments_count)
{
	open_text(shell, code, size, arguments, arguments_count);
	shell->expanded = outer->expanded;
	shell->work_left = outer->work_left;
	shell->values_used = 0;
	shell->variables_count = outer->variables_count;
	memcpy(shell->variables, outer->variables,
	       (size_t)outer->variables_count * sizeof(*outer->variables));
}

/* --- Words ---------------------------------------------------------------- */

/* At a '\'.  In double quotes it is literal before most bytes. */
static void read_escape(struct shell *shell, struct shell_word *word,
			bool quoted)
{
	if (++shell->at == shell->end)
		return;
	if (shell_at(shell, "\r\n"))
		shell->at++;
	if (quoted && !strchr("$`\"\\\n", *shell->at))
		shell_word_put(word, "\\", 1);
	if (*shell->at != '\n')
		shell_word_put(word, shell->at, 1);
	shell->at++;
}

/* Special bytes: 1 everywhere, 2 only outside of double quotes. */
static const unsigned char special[256] = {
	['$'] = 1,  ['\\'] = 1, ['"'] = 1,  ['\''] = 2, ['`'] = 2, [' '] = 2,
	['\t'] = 2, ['\r'] = 2, ['\n'] = 2, [';'] = 2,  ['&'] = 2, ['|'] = 2,
	['<'] = 2,  ['>'] = 2,  ['('] = 2,  [')'] = 2,
};

/* At a plain byte: append all up to the next special one. */
static void read_plain(struct shell *shell, struct shell_word *word, int level)
{
	const char *start = shell->at++;

	while (shell->at < shell->end) {
		unsigned char kind = special[(unsigned char)*shell->at];

		if (kind && kind <= level)
			break;
		shell->at++;
	}
	shell_word_put(word, start, (size_t)(shell->at - start));
}

void shell_read_double_quoted(struct shell *shell, struct shell_word *word)
{
	word->open = true;
	while (shell_more(shell) && *shell->at != '"') {
		if (*shell->at == '$')
			shell_expand(shell, word, true);
		else if (*shell->at == '\\')
			read_escape(shell, word, true);
		else
			read_plain(shell, word, 1);
	}
	shell->at += shell->at < shell->end;
}

/* Read a text in single quotes, after the opening one. */
static void read_single_quoted(struct shell *shell, struct shell_word *word)
{
	const char *start = shell->at;
	const char *stop = memchr(start, '\'', (size_t)(shell->end - start));

	shell->at = stop ? stop : shell->end;
	shell_word_put(word, start, (size_t)(shell->at - start));
	shell->at += shell->at < shell->end;
}

bool shell_read_part(struct shell *shell, struct shell_word *word)
{
	const char *start = shell->at;

	shell_work(shell, 20);
	switch (*shell->at) {
	case '$':
		shell_expand(shell, word, false);
		break;
	case '\\':
		read_escape(shell, word, false);
		break;
	case '"':
		shell->at++;
		shell_read_double_quoted(shell, word);
		break;
	case '\'':
		shell->at++;
		read_single_quoted(shell, word);
		break;
	case '`':
		shell_expand_backticks(shell, word);
		break;
	default:
		if (special[(unsigned char)*shell->at])
			return false;
		read_plain(shell, word, 2);
	}
	shell_work(shell, (size_t)(shell->at - start));
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
	struct shell_word word = { .command = command, .start = command->used };

	/* A command whose text is full has no room for a terminator. */
	if (command->used == sizeof(command->text))
		command->used--;
	word.start = command->used;
	while (shell->at < shell->end && strchr(" \t\r", *shell->at))
		shell->at++;
	while (shell_more(shell) && shell_read_part(shell, &word))
		;
	command->text[command->used++] = '\0';
	return command->text + word.start;
}

/* A digit just before a '<' or '>' is a file descriptor. */
static void drop_file_number(struct shell_word *word)
{
	struct shell_command *command = word->command;
	size_t length = command->used - word->start;

	if (word->open && length == 1 &&
	    isdigit((unsigned char)command->text[word->start])) {
		command->used = word->start;
		word->open = false;
	}
}

/* After the '(' of NAME=(a b c) or NAME+=(d): the elements, each behind a mark
 * or a blank. */
static void read_array(struct shell *shell, struct shell_word *word)
{
	static const char mark[] = { SHELL_ARRAY_MARK };
	bool apart = false;

	shell_word_put(word, mark, 1);
	while (shell_more(shell) && *shell->at != ')') {
		if (*shell->at == '#') {
			skip_line(shell);
			continue;
		}

		size_t used = word->command->used;
		bool space = strchr(" \t\r\n", *shell->at);

		if (apart && !space && word->command->text[used - 1] != *mark)
			shell_word_put(word, " ", 1);
		apart = space || !shell_read_part(shell, word);
		shell->at += apart;
	}
	shell->at += shell->at < shell->end;
}

/* Return whether its parentheses are those of a list in csh. */
static bool has_list(const struct shell_command *command)
{
	return command->count && (!strcmp(command->words[0], "foreach") ||
				  !strcmp(command->words[0], "set"));
}

/* At the '(' of a condition in csh: drop it, but for the variables in it. */
static bool read_condition(struct shell *shell, struct shell_word *word)
{
	struct shell_command *command = word->command;
	const char *head = command->count ? command->words[0] : "";
	int count = command->count, depth = 0;

	if (!shell->csh || (strcmp(head, "while") && strcmp(head, "if") &&
			    strcmp(head, "else") && strcmp(head, "switch")))
		return false;
	do {
		depth += (*shell->at == '(') - (*shell->at == ')');
		if (!strchr("()", *shell->at) && shell_read_part(shell, word))
			continue;
		shell_word_finish(word);
		shell->at++;
	} while (depth && shell->at < shell->end && *shell->at != '\n');
	shell_word_finish(word);
	command->count = count;
	return true;
}

/* At a '('. Returns whether it ends the command. */
static bool read_parenthesis(struct shell *shell, struct shell_word *word)
{
	struct shell_command *command = word->command;
	const char *start = shell->at;

	if (word->open && command->used > word->start + 1 &&
	    command->text[command->used - 1] == '=') {
		shell->at++;
		read_array(shell, word);
		return false;
	}
	if (shell_at(shell, "((")) {
		shell_skip_parentheses(shell); /* a sum, or the head of `for` */
		if (command->count)
			shell_word_put(word, start,
				       (size_t)(shell->at - start));
		return false;
	}
	if (shell_at(shell, "()")) {
		shell->at += 2;
		shell_word_finish(word);
		command->head = command->count > 0;
		return true;
	}
	shell_word_finish(word);
	if (read_condition(shell, word))
		return false;
	shell->at++;
	if (has_list(command))
		return false;
	shell->depth++;
	return true;
}

/* At a '&' or '|': whether there are two. */
static void read_joint(struct shell *shell)
{
	if (shell->at + 1 < shell->end && shell->at[1] == *shell->at)
		shell->joint = *shell->at++;
}

/* At a byte between words.  Returns whether it ends the command. */
static bool read_operator(struct shell *shell, struct shell_word *word)
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
		if (shell_at(shell, "&>")) {
			shell->at++;
			shell_read_redirection(shell, word->command);
			return false;
		}
		word->command->background = !shell_at(shell, "&&");
		read_joint(shell);
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
		if (!shell->depth ||
		    shell_branches_pattern(shell, word->command))
			word->command->pattern = true;
		else
			shell->depth--;
		break;
	case '|':
		shell->piped = true;
		read_joint(shell);
		break;
	case ';':
		if (shell_at(shell, ";;"))
			shell->pattern_next = true;
		break;
	}
	shell->at++;
	return true;
}

/* Read one command, which may have no words at all. */
static void read_command(struct shell *shell, struct shell_command *ret)
{
	struct shell_word word = { .command = ret };
	bool ended = false;

	shell_work(shell, 60);

	shell->codes_count = 0;
	memset(ret, 0, offsetof(struct shell_command, start));
	ret->start = shell->at;
	ret->piped = shell->piped;
	ret->joint = shell->joint;
	shell->piped = false;
	shell->joint = '\0';
	while (!ended && shell_more(shell)) {
		if (*shell->at == '#' && !word.open) {
			skip_line(shell);
		} else if (*shell->at == '(') {
			ended = read_parenthesis(shell, &word);
		} else if (!shell_read_part(shell, &word)) {
			if (*shell->at == '<' || *shell->at == '>')
				drop_file_number(&word);
			shell_word_finish(&word);
			ended = read_operator(shell, &word);
			word.start = ret->used;
		}
	}
	shell_word_finish(&word);
	if (!ret->count && !shell->joint) { /* the line goes on */
		shell->piped |= ret->piped;
		shell->joint = ret->joint;
	}
}

/* Blank lines are no commands. */
static void skip_blank_lines(struct shell *shell)
{
	while (shell->at < shell->end && *shell->at == '\n' &&
	       !shell->here_docs_pending)
		shell->at++;
}

bool shell_read(struct shell *shell, struct shell_command *ret)
{
	shell->here_docs_count = 0;
	skip_blank_lines(shell);
	while (shell_more(shell)) {
		if (shell->pattern_next && !shell->skipping)
			shell_branches_next(shell);
		shell->pattern_next = false;
		read_command(shell, ret);

		bool runs =
			shell->skipping || shell_branches_follow(shell, ret);

		if (ret->pattern)
			ret->count = 0;
		skip_blank_lines(shell);
		if (!ret->count || !runs)
			continue;
		if (shell->skipping || !shell_apply_assignments(shell, ret) ||
		    shell->codes_count)
			return true;
	}
	return false;
}
