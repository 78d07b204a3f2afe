/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_stage.c - commands that prepare, follow or serve the job's
 * main one */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/command/command_line.h"
#include "predictor/features/script/command/command_stage.h"
#include "predictor/features/script/command/command_tables.h"

bool command_named_stage(const char *path)
{
	const char *name = command_basename(path);
	char word[16];
	size_t length = 0;

	for (; isalpha((unsigned char)name[length]); length++) {
		if (length == sizeof(word) - 1)
			return false;
		if (length && isupper((unsigned char)name[length]) &&
		    islower((unsigned char)name[length - 1]))
			break;
		word[length] = (char)tolower((unsigned char)name[length]);
	}
	word[length] = '\0';
	/* A name that is only such a word is ambiguous: "make", "test". */
	return name[length] && command_tables_list(stage_names, word);
}

bool command_is_server(const struct shell_command *command)
{
	static const char options[] = " --port -port --listen --http-port"
				      " --http_port --daemon --daemonize ";

	for (int i = 1; command->background && i < command->count; i++) {
		char option[16];
		const char *word = command->words[i];

		if (piece_copy(option, sizeof(option), word,
			       strcspn(word, "=")) &&
		    command_tables_list(options, option))
			return true;
	}
	return false;
}
