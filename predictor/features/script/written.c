/* SPDX-License-Identifier: GPL-2.0-or-later */
/* written.c - scripts that a script writes itself, and then executes */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/written.h"

/* `echo TEXT`: keep the text, which may be a command. */
static void note_echo(struct written_scripts *written,
		      const struct shell_command *command, int at)
{
	struct written_script *to = &written->piped;
	size_t used = 0;

	if (command->output && written->count == WRITTEN_MAX)
		return;
	if (command->output)
		to = &written->of[written->count++];
	for (int i = at + 1; i < command->count; i++) {
		const char *word = command->words[i];
		size_t size = sizeof(to->echo) - used;

		if (*word == '-' && !used)
			continue;

		int length = snprintf(to->echo + used, size, "%s%s",
				      used ? " " : "", word);

		used += (size_t)length < size ? (size_t)length : size - 1;
	}
	to->text = to->echo;
	to->size = used;
	snprintf(to->name, sizeof(to->name), "%s",
		 command->output ? command_basename(command->output) : "");
}

/* `cat > run.sh <<EOF` */
static void note_here_doc(struct written_scripts *written,
			  const struct shell *shell,
			  const struct shell_command *command)
{
	const char *name = command_basename(command->output);
	struct written_script *to = &written->of[written->count];

	if (strlen(name) >= sizeof(to->name))
		return;
	strcpy(to->name, name);
	to->text = shell->here_docs[0].start;
	to->size = (size_t)(shell->here_docs[0].end - to->text);
	written->count++;
}

void written_note(struct written_scripts *written, const struct shell *shell,
		  const struct shell_command *command, enum command_rank rank)
{
	int at = command->count > 1 && (!strcmp(command->words[0], "do") ||
					!strcmp(command->words[0], "then"));

	if (rank > COMMAND_NONE)
		written->piped.size = 0;
	if (!strcmp(command->words[at], "echo"))
		note_echo(written, command, at);
	else if (command->output && shell->here_docs_count &&
		 written->count < WRITTEN_MAX &&
		 !strcmp(command->words[0], "cat"))
		note_here_doc(written, shell, command);
}

/* Return the script of that name; NULL: there is none. */
static const struct written_script *
written_find(const struct written_scripts *written, const char *path)
{
	const char *name = path ? command_basename(path) : "";

	for (int i = 0; *name && i < written->count; i++)
		if (!strcmp(written->of[i].name, name))
			return &written->of[i];
	return NULL;
}

bool written_find_code(const struct written_scripts *written,
		       const struct shell *shell,
		       const struct shell_command *command,
		       const struct command_line *line, const char **ret,
		       size_t *ret_size)
{
	const struct written_script *found = written_find(
		written, line->script ? line->script : line->executable);
	bool reads = line->reads == COMMAND_CODE_SHELL;

	if (!found && reads && shell->here_docs_count) {
		*ret = shell->here_docs[0].start;
		*ret_size = (size_t)(shell->here_docs[0].end - *ret);
		return true;
	}
	if (!found && reads)
		found = written_find(written, command->input);
	for (int i = 1; !found && reads && i < command->count; i++)
		found = written_find(written, command->words[i]);
	if (!found && reads && command->piped && written->piped.size)
		found = &written->piped;
	if (!found)
		return false;
	*ret = found->text;
	*ret_size = found->size;
	return true;
}
