/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_flow.c - the commands of a script, through functions and loops
 *
 * A function's body is skipped at its definition and remembered; a call pushes
 * the place to return to, and returns at the closing brace.  Loops are a stack,
 * with the number of rounds of each: lists, seq, {1..10}, for ((;;)).  The body
 * is read once, but once for each word of a list that is no list of numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_arithmetic.h"
#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_flow.h"
#include "predictor/features/script/shell/shell_variables.h"

static bool copy_name(char ret[SHELL_NAME_SIZE], const char *name)
{
	return *name && piece_copy(ret, SHELL_NAME_SIZE, name, strlen(name));
}

/* --- Functions ------------------------------------------------------------ */

/* How many `{` a command begins with; -1 for `}`. */
static int brace_change(const struct shell_command *command)
{
	int count = 0;

	if (!strcmp(command->words[0], "}"))
		return -1;
	while (count < command->count && !strcmp(command->words[count], "{"))
		count++;
	return count;
}

/* After the head of a function: skip its body.  False, not moved: it has no
 * end, or is not in braces. */
static bool skip_body(struct shell *shell, int open,
		      struct shell_command *scratch)
{
	const char *start = shell->at;
	bool outer = shell->skipping;
	bool found = false;

	shell->skipping = true;
	while (!found && shell_read(shell, scratch)) {
		open += brace_change(scratch);
		found = open == 0 && !strcmp(scratch->words[0], "}");
		if (open <= 0)
			break;
	}
	shell->skipping = outer;
	if (!found)
		shell->at = start;
	return found;
}

/* `NAME()`, the last word, or `function NAME {`. */
static void function_define(struct shell *shell, struct shell_command *command)
{
	struct shell_function function = { .body = shell->at };
	bool word = !command->head && command->count > 1;
	const char *name = command->words[word ? 1 : command->count - 1];

	/* `function NAME { command` */
	if (word && command->count > 2) {
		const char *brace =
			memchr(command->start, '{',
			       (size_t)(shell->at - command->start));

		function.braces = 1;
		shell->at = function.body = brace ? brace + 1 : shell->at;
	}
	if (shell->no_functions || !copy_name(function.name, name))
		return;
	if (!skip_body(shell, function.braces, command)) {
		shell->no_functions = true;
		return;
	}
	if (shell->functions_count < SHELL_FUNCTIONS_MAX)
		shell->functions[shell->functions_count++] = function;
}

static const struct shell_function *function_find(const struct shell *shell,
						  const char *name)
{
	for (int i = shell->functions_count - 1; i >= 0; i--)
		if (shell->functions[i].name[0] == *name &&
		    !strcmp(shell->functions[i].name, name))
			return &shell->functions[i];
	return NULL;
}

bool shell_call(struct shell *shell, const struct shell_command *command,
		int at)
{
	const struct shell_function *function =
		at < command->count ? function_find(shell, command->words[at])
				    : NULL;
	size_t used = 0;

	if (!function || shell->calls_count == SHELL_CALLS_DEEP ||
	    shell->calls_made == SHELL_CALLS_MAX)
		return false;

	struct shell_call *call = &shell->calls[shell->calls_count];

	call->back = shell->at;
	call->branches = shell->branches_count;
	call->braces = function->braces;
	call->positions = (struct shell_positions){
		.words = call->words,
		.called = true,
		.uses = command->uses,
		.variables = command->variables,
	};
	for (int i = 0; at < command->count && i < SHELL_CALL_WORDS_MAX; at++) {
		size_t size = strlen(command->words[at]) + 1;

		if (size > sizeof(call->text) - used)
			break;
		memcpy(call->text + used, command->words[at], size);
		call->words[i++] = call->text + used;
		call->positions.count = i;
		used += size;
	}
	shell->positions = &call->positions;
	shell->calls_count++;
	shell->calls_made++;
	shell->at = function->body;
	return true;
}

/* Return from the innermost function to its call. */
static void call_return(struct shell *shell)
{
	struct shell_call *call = &shell->calls[--shell->calls_count];

	shell->at = call->back;
	shell_branches_leave(shell, call->branches);
	shell->positions =
		shell->calls_count ? &call[-1].positions : &shell->own;
}

/* At the last '}' of a function, return to its call. */
static void call_follow(struct shell *shell,
			const struct shell_command *command)
{
	struct shell_call *call = &shell->calls[shell->calls_count - 1];

	call->braces += brace_change(command);
	if (call->braces <= 0)
		call_return(shell);
}

/* words[at] is `shift`; a number may follow. */
static void shift_arguments(struct shell *shell,
			    const struct shell_command *command, int at)
{
	struct shell_positions *p = shell->positions;
	const char *number =
		at + 1 < command->count ? command->words[at + 1] : "1";
	long by = strtol(number, NULL, 10);

	if (by > 0 && by < p->count && p->shifted + (int)by < p->count)
		p->shifted += (int)by;
}

/* --- Loops ---------------------------------------------------------------- */

/* Return the rounds from `first` on, SHELL_LOOP_COUNT_NONE for infinity and
 * NAN, too. */
static double count_rounds(double first, double step, double last)
{
	double rounds = (last - first) / step;

	return rounds >= 0 && rounds < 1e9 ? (double)(long)(rounds + 1 + 1e-9)
					   : SHELL_LOOP_COUNT_NONE;
}

/* `seq LAST`, `seq FIRST LAST`, `seq FIRST STEP LAST` in $(...) or `...`. */
static double count_seq(const char *word)
{
	double numbers[3];
	int count = 0;
	const char *at = word + strspn(word, "$(`");

	if (strncmp(at, "seq ", 4))
		return SHELL_LOOP_COUNT_NONE;
	for (at += 4; count < 3 && !strchr(")`", *at);) {
		char *end;

		numbers[count++] = strtod(at, &end);
		if (end == at)
			return SHELL_LOOP_COUNT_NONE;
		at = end + strspn(end, " ");
	}
	if (!count || !*at || !strchr(")`", *at))
		return SHELL_LOOP_COUNT_NONE;
	return count_rounds(count > 1 ? numbers[0] : 1,
			    count > 2 ? numbers[1] : 1, numbers[count - 1]);
}

/* {1..10} */
static double count_braces(const char *word)
{
	char *end;
	long first = strtol(word + 1, &end, 10);

	if (end == word + 1 || strncmp(end, "..", 2))
		return SHELL_LOOP_COUNT_NONE;

	long last = strtol(end + 2, &end, 10);

	if (strcmp(end, "}"))
		return SHELL_LOOP_COUNT_NONE;
	return count_rounds((double)first, last < first ? -1 : 1, (double)last);
}

/* Return the rounds over a list of words. */
static double count_list(const char *const words[], int count)
{
	if (count == 1) {
		double rounds = count_seq(words[0]);

		if (rounds < 0 && words[0][0] == '{')
			rounds = count_braces(words[0]);
		if (rounds >= 0)
			return rounds;
	}
	for (int i = 0; i < count; i++)
		if (strpbrk(words[i], "*?[$`{"))
			return SHELL_LOOP_COUNT_NONE;
	return count ? count : SHELL_LOOP_COUNT_NONE;
}

/* The next of the words that the loop's variable takes. */
static void loop_word(struct shell *shell, struct shell_loop *loop)
{
	const char *word = loop->words + loop->word;

	shell_assign(shell, loop->name, strlen(loop->name), word, 0, false);
	loop->word += strlen(word) + 1;
	loop->words_left--;
}

/* Keep the words of a list for their rounds, unless they are numbers, which
 * only count, or are not known. */
static void loop_list(struct shell_loop *loop, const char *const words[],
		      int count)
{
	size_t used = 0;
	bool number = true;

	for (int i = 0; i < count; i++) {
		size_t size = strlen(words[i]) + 1;

		if (strpbrk(words[i], "*?[$`{") ||
		    size > sizeof(loop->words) - used)
			return;
		number &= strspn(words[i], "0123456789.eE+-") + 1 == size;
		memcpy(loop->words + used, words[i], size);
		used += size;
	}
	loop->words_left = number ? 0 : count;
}

/* for NAME in WORD..., foreach NAME (WORD...) and for ((;;)) */
static void loop_over(struct shell *shell, const struct shell_command *command,
		      int at, struct shell_loop *loop)
{
	const char *name =
		at + 1 < command->count ? command->words[at + 1] : "";
	const char *const *words = command->words + at + 2;
	int count = command->count - at - 2;

	if (!strncmp(name, "((", 2)) {
		size_t size = strlen(name);

		if (size > 4)
			shell_count_rounds(shell, name + 2, size - 4,
					   &loop->count);
		name += 2 + strspn(name + 2, " ");
	} else if (count > 0) {
		bool in = !strcmp(words[0], "in");

		loop->count = count_list(words + in, count - in);
		loop_list(loop, words + in, count - in);
	}

	size_t length = strcspn(name, " =;)");

	if (!length ||
	    !piece_copy(loop->name, sizeof(loop->name), name, length)) {
		loop->words_left = 0;
		return;
	}
	/* It changes with each round. */
	if (loop->words_left)
		loop_word(shell, loop);
	else
		shell_assign(shell, name, length, NULL, 0, false);
}

/* At words[at] = for, foreach, while or until. */
static void loop_enter(struct shell *shell, const struct shell_command *command,
		       int at)
{
	bool deep = shell->loops_count >= SHELL_LOOPS_DEEP;
	struct shell_loop scratch = { .count = 0 };
	struct shell_loop *loop =
		deep ? &scratch : &shell->loops[shell->loops_count];

	*loop = (struct shell_loop){ .count = SHELL_LOOP_COUNT_NONE,
				     .body = shell->at,
				     .branches = shell->branches_count };
	if (command->words[at][0] == 'f')
		loop_over(shell, command, at, loop);
	else /* what it tests changes */
		shell_forget(shell, command->variables);
	shell->loops_count++;
}

/* At its end: once more with the next word, or behind it. */
static void loop_end(struct shell *shell)
{
	int at = shell->loops_count - 1;

	if (at < 0)
		return;

	struct shell_loop *loop =
		at < SHELL_LOOPS_DEEP ? &shell->loops[at] : NULL;

	if (!loop || !loop->words_left || shell->rounds == SHELL_ROUNDS_MAX) {
		shell->loops_count--;
		return;
	}
	shell->rounds++;
	shell->at = loop->body;
	shell_branches_leave(shell, loop->branches);
	loop_word(shell, loop);
}

/* The index of the first word after keywords; 0 if there is none. */
static int first_word(const struct shell_command *command)
{
	static const char *const before[] = { "do", "then", "else", "{", "!" };
	int at = 0;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (!strcmp(command->words[0], before[i]))
			at = command->count > 1;
	return at;
}

static void follow_loops(struct shell *shell,
			 const struct shell_command *command, int at)
{
	static const struct {
		const char *word;
		int change;
	} words[] = { { "for", 1 },   { "foreach", 1 }, { "while", 1 },
		      { "until", 1 }, { "done", -1 },   { "end", -1 } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (command->words[at][0] != words[i].word[0] ||
		    strcmp(command->words[at], words[i].word) != 0)
			continue;
		if (words[i].change > 0)
			loop_enter(shell, command, at);
		else
			loop_end(shell);
	}
}

bool shell_next(struct shell *shell, struct shell_command *ret)
{
	for (;;) {
		if (!shell_read(shell, ret)) {
			if (!shell->calls_count)
				return false;
			call_return(shell);
			continue;
		}
		if (ret->head || !strcmp(ret->words[0], "function")) {
			function_define(shell, ret);
			continue;
		}

		int at = first_word(ret);

		if (!strcmp(ret->words[at], "shift"))
			shift_arguments(shell, ret, at);
		if (shell->calls_count)
			call_follow(shell, ret);
		follow_loops(shell, ret, at);
		return true;
	}
}
