/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_here_docs.c - redirections and here-documents */
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_here_docs.h"

/* Read one here-document and skip the line of its delimiter, which may end in
 * CR LF. */
static void read_here_doc(struct shell *shell, struct shell_here_doc *doc)
{
	size_t length = strlen(doc->delimiter);

	doc->start = shell->at;
	doc->end = shell->end;
	while (shell_more(shell)) {
		const char *line = shell->at;
		const char *stop =
			memchr(line, '\n', (size_t)(shell->end - line));
		size_t size = (size_t)((stop ? stop : shell->end) - line);

		shell_work(shell, 5);
		shell->at = stop ? stop + 1 : shell->end;
		if (size && line[size - 1] == '\r')
			size--;

		const char *text = line;

		for (; doc->tabs && size && *text == '\t'; size--)
			text++;
		if (size == length && !memcmp(text, doc->delimiter, length)) {
			doc->end = line;
			return;
		}
	}
}

void shell_read_here_docs(struct shell *shell)
{
	for (int i = 0; i < shell->here_docs_pending; i++)
		read_here_doc(shell, &shell->here_docs[i]);
	shell->here_docs_count = shell->here_docs_pending;
	shell->here_docs_pending = 0;
}

/* Begin a here-document, after the "<<". */
static void begin_here_doc(struct shell *shell, struct shell_command *command)
{
	struct shell_here_doc scratch = { .tabs = false };
	bool room = shell->here_docs_pending < SHELL_HERE_DOCS_MAX;
	struct shell_here_doc *doc =
		room ? &shell->here_docs[shell->here_docs_pending++] : &scratch;
	size_t used = command->used;

	/* Those of the line before are dropped. */
	shell->here_docs_count = 0;
	doc->tabs = shell_at(shell, "-");
	shell->at += doc->tabs;
	while (shell_at(shell, " ") || shell_at(shell, "\t"))
		shell->at++;
	doc->quoted = shell->at < shell->end && strchr("'\"\\", *shell->at);

	const char *delimiter = shell_read_target(shell, command);

	piece_copy(doc->delimiter, sizeof(doc->delimiter), delimiter,
		   strnlen(delimiter, sizeof(doc->delimiter) - 1));
	command->used = used;
}

void shell_read_redirection(struct shell *shell, struct shell_command *command)
{
	char direction = *shell->at++;
	size_t used = command->used;

	if (direction == '<' && shell_at(shell, "<<")) {
		shell->at += 2;
	} else if (direction == '<' && shell_at(shell, "<")) {
		shell->at++;
		begin_here_doc(shell, command);
		return;
	} else if (direction == '<' && !shell_at(shell, "&") &&
		   !shell_at(shell, "(")) {
		command->input = shell_read_target(shell, command);
		return;
	} else {
		while (shell->at < shell->end && strchr(">&|", *shell->at))
			shell->at++;
	}
	const char *target = shell_read_target(shell, command);

	if (direction == '>' && *target && !strchr("-0123456789", *target))
		command->output = target;
	else
		command->used = used;
}
