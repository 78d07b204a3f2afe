/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_branches.c - which branches of `if` and `case` are taken
 *
 * A stack of what is open.  Each command first goes through
 * shell_branches_follow(), which moves through condition, branch, condition,
 * ... by the keywords that it begins with, and says whether the command is in a
 * branch that is not taken.  Conditions are evaluated by shell_conditions.h.
 */
#include <string.h>

#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_conditions.h"
#include "predictor/features/script/shell/shell_unknown.h"

/* Return the innermost one; NULL: none, or too deep. */
static struct shell_branch *innermost(struct shell *shell)
{
	int at = shell->branches_count - 1;

	return at >= 0 && at < SHELL_BRANCHES_DEEP ? &shell->branches[at]
						   : NULL;
}

static struct shell_branch *branch_open(struct shell *shell, bool of_case)
{
	shell->branches_count++;

	struct shell_branch *branch = innermost(shell);

	if (!branch)
		return NULL;
	*branch = (struct shell_branch){ .of_case = of_case,
					 .condition = true,
					 .outer_dead = shell->dead,
					 .value = SHELL_UNKNOWN };
	return branch;
}

/* The end of a branch: what it set may not be so. */
static void branch_end(struct shell *shell, struct shell_branch *branch)
{
	bool unsure = branch->value == SHELL_UNKNOWN || branch->maybe;

	for (int i = 0; i < shell->variables_count; i++)
		if (unsure && branch->assigned & UINT64_C(1) << i)
			shell->variables[i].unsure = true;
	if (!branch->condition) {
		branch->taken |= branch->value == SHELL_YES && !branch->maybe;
		branch->maybe |= branch->value == SHELL_UNKNOWN;
	}
	branch->assigned = 0;
	branch->value = SHELL_UNKNOWN;
}

/* Return whether no later branch is read. */
static bool is_decided(const struct shell_branch *branch)
{
	return branch->outer_dead || branch->taken || branch->worked;
}

/* After `if` or `elif`: a condition follows. */
static void begin_condition(struct shell *shell, struct shell_branch *branch)
{
	branch->condition = true;
	branch->value = SHELL_UNKNOWN;
	shell->dead = is_decided(branch);
}

static void branch_enter(struct shell *shell, struct shell_branch *branch)
{
	branch->condition = false;
	shell->dead = is_decided(branch) || branch->value == SHELL_NO;
}

static void branch_close(struct shell *shell)
{
	struct shell_branch *branch = innermost(shell);

	if (branch) {
		branch_end(shell, branch);
		shell->dead = branch->outer_dead;
	}
	shell->branches_count -= shell->branches_count > 0;
}

void shell_branches_leave(struct shell *shell, int count)
{
	while (shell->branches_count > count)
		branch_close(shell);
}

/* --- if ------------------------------------------------------------------- */

static void follow_if(struct shell *shell)
{
	struct shell_branch *branch = branch_open(shell, false);

	if (branch)
		begin_condition(shell, branch);
}

/* The innermost `if`; NULL: there is none. */
static struct shell_branch *innermost_if(struct shell *shell)
{
	struct shell_branch *branch = innermost(shell);

	return branch && !branch->of_case && !branch->group ? branch : NULL;
}

static void follow_elif(struct shell *shell, struct shell_branch *branch)
{
	branch_end(shell, branch);
	begin_condition(shell, branch);
}

static void follow_else(struct shell *shell, struct shell_branch *branch)
{
	branch_end(shell, branch);
	branch->value = SHELL_YES;
	branch_enter(shell, branch);
}

static void group_open(struct shell *shell)
{
	if (shell->branches_count >= SHELL_BRANCHES_DEEP)
		return;

	struct shell_branch *branch = branch_open(shell, false);

	branch->group = true;
	branch->condition = false;
	branch->value = SHELL_NO;
	shell->dead = true;
}

/* A `{` whose commands do not run. */
static void follow_group(struct shell *shell)
{
	if (shell->dead)
		group_open(shell);
}

static void follow_group_end(struct shell *shell)
{
	struct shell_branch *branch = innermost(shell);

	if (branch && branch->group)
		branch_close(shell);
}

/* --- case ----------------------------------------------------------------- */

/* One of the patterns before a ')'. */
static void match_pattern(struct shell *shell, struct shell_branch *branch,
			  const char *pattern)
{
	enum shell_truth value = SHELL_UNKNOWN;

	if (!strcmp(pattern, "*"))
		value = SHELL_YES;
	else if (branch->subject_known && !shell_has_unknown(pattern))
		value = shell_match(shell, pattern, branch->subject);
	if (branch->value == SHELL_NO || value == SHELL_YES)
		branch->value = value;
}

/* Words of a command that are patterns, from words[at] on. */
static void follow_patterns(struct shell *shell, struct shell_branch *branch,
			    struct shell_command *command, int at)
{
	for (; at < command->count; at++) {
		shell_work(shell, 300 + 100 * strnlen(command->words[at], 64));
		match_pattern(shell, branch, command->words[at]);
	}
	if (command->pattern)
		branch_enter(shell, branch);
	command->count = 0;
}

void shell_branches_next(struct shell *shell)
{
	struct shell_branch *branch = innermost(shell);

	if (!branch || !branch->of_case)
		return;
	branch_end(shell, branch);
	branch->condition = true;
	branch->value = SHELL_NO;
	shell->dead = is_decided(branch);
}

bool shell_branches_pattern(struct shell *shell,
			    const struct shell_command *command)
{
	const struct shell_branch *branch = innermost(shell);

	for (int i = 0; i < command->count && i < 2; i++)
		if (!strcmp(command->words[i], "case"))
			return true;
	return branch && branch->of_case && branch->condition;
}

static void follow_case(struct shell *shell, struct shell_command *command,
			int at)
{
	struct shell_branch *branch = branch_open(shell, true);
	const char *subject =
		at + 1 < command->count ? command->words[at + 1] : "$x";
	size_t length = strlen(subject);

	if (!branch)
		return;
	branch->value = SHELL_NO;
	branch->subject_known =
		length < sizeof(branch->subject) && at + 1 < command->count &&
		!shell_has_unknown(subject) && !command->unsure[at + 1];
	if (branch->subject_known)
		memcpy(branch->subject, subject, length + 1);
	/* `case x in a) ...` */
	if (at + 3 < command->count)
		follow_patterns(shell, branch, command, at + 3);
	command->pattern = false;
}

/* --- All ------------------------------------------------------------------ */

static bool follow_keyword(struct shell *shell, const char *word)
{
	static const struct {
		const char *word;
		bool opens;
		void (*follow)(struct shell *shell);
		void (*of_if)(struct shell *shell, struct shell_branch *branch);
	} keywords[] = {
		{ "if", true, follow_if, NULL },
		{ "elif", true, NULL, follow_elif },
		{ "then", true, NULL, branch_enter },
		{ "else", true, NULL, follow_else },
		{ "fi", false, branch_close, NULL },
		{ "esac", false, branch_close, NULL },
		{ "{", true, follow_group, NULL },
		{ "}", false, follow_group_end, NULL },
		{ "do", true, NULL, NULL },
		{ NULL, false, NULL, NULL },
	};
	struct shell_branch *branch = innermost_if(shell);
	int i = 0;

	while (keywords[i].word && (*word != keywords[i].word[0] ||
				    strcmp(word, keywords[i].word) != 0))
		i++;
	if (keywords[i].follow)
		keywords[i].follow(shell);
	else if (branch && keywords[i].of_if)
		keywords[i].of_if(shell, branch);
	return keywords[i].opens;
}

/* Return whether "&&" or "||" before a command stops the list.  What has an end
 * of its own is read. */
static bool is_stopped(const struct shell *shell,
		       const struct shell_command *command)
{
	static const char *const compound[] = { "if",    "for",    "while",
						"until", "select", "case",
						NULL };
	bool stopped = (command->joint == '&' && shell->list == SHELL_NO) ||
		       (command->joint == '|' && shell->list == SHELL_YES);

	for (int i = 0; stopped && compound[i]; i++)
		stopped = strcmp(command->words[0], compound[i]) != 0;
	return stopped;
}

/* The value of the list goes on with that of the command, words[at..]; it is
 * that of the condition that it stands in. */
static void follow_list(struct shell *shell,
			const struct shell_command *command, int at)
{
	struct shell_branch *branch = innermost_if(shell);
	enum shell_truth before = shell->list;
	/* What decides if the list before it is unknown. */
	enum shell_truth decides = command->joint == '&' ? SHELL_NO : SHELL_YES;

	shell->list = shell->dead ? SHELL_UNKNOWN
				  : shell_condition(shell, command, at);
	if (command->joint && before == SHELL_UNKNOWN && shell->list != decides)
		shell->list = SHELL_UNKNOWN;
	if (branch && branch->condition)
		branch->value = shell->list;
}

static void follow_words(struct shell *shell, struct shell_command *command)
{
	int at = 0;

	while (at < command->count && follow_keyword(shell, command->words[at]))
		at++;
	if (at < command->count && !strcmp(command->words[at], "case"))
		follow_case(shell, command, at);
	else if (at < command->count)
		follow_list(shell, command, at);
}

bool shell_branches_follow(struct shell *shell, struct shell_command *command)
{
	struct shell_branch *branch = innermost(shell);

	if (!command->count || shell->csh)
		return true;
	if (branch && branch->of_case && branch->condition &&
	    strcmp(command->words[0], "esac")) {
		follow_patterns(shell, branch, command, 0);
		return false;
	}
	if (!shell->dead && is_stopped(shell, command)) {
		if (!strcmp(command->words[0], "{"))
			group_open(shell);
		return false;
	}
	follow_words(shell, command);
	return !shell->dead;
}

void shell_branches_assigned(struct shell *shell, shell_variables bit)
{
	for (int i = 0; i < shell->branches_count && i < SHELL_BRANCHES_DEEP;
	     i++)
		shell->branches[i].assigned |= bit;
}

void shell_branches_worked(struct shell *shell)
{
	for (int i = 0; i < shell->branches_count && i < SHELL_BRANCHES_DEEP;
	     i++)
		if (!shell->branches[i].condition)
			shell->branches[i].worked = true;
}
