/* SPDX-License-Identifier: GPL-2.0-or-later */
/* written.h - scripts that a script writes itself, and then executes
 *
 *	cat > run.sh <<EOF ... EOF; bash run.sh
 *	echo "./app 5" >> list; parallel < list
 *	echo "./app 5" | parallel
 *
 * Private to script.c.
 */
#pragma once

#include "predictor/features/script/command/command_line.h"

#define WRITTEN_MAX       4
#define WRITTEN_NAME      64
#define WRITTEN_ECHO_SIZE 512

struct written_script {
	char name[WRITTEN_NAME]; /* without its folder */
	const char *text;        /* in the script, or `echo` */
	size_t size;
	char echo[WRITTEN_ECHO_SIZE];
};

struct written_scripts {
	int count;
	struct written_script of[WRITTEN_MAX];
	struct written_script piped; /* size 0: nothing */
};

/* Remember what a command of that rank writes. */
void written_note(struct written_scripts *written, const struct shell *shell,
		  const struct shell_command *command, enum command_rank rank);

/* Find the code of a shell without a script, from a here-document, a pipe or a
 * file, or of a script that was written before; *ret is lent.  False: none of
 * these. */
bool written_find_code(const struct written_scripts *written,
		       const struct shell *shell,
		       const struct shell_command *command,
		       const struct command_line *line, const char **ret,
		       size_t *ret_size);
