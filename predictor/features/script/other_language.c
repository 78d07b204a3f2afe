/* SPDX-License-Identifier: GPL-2.0-or-later */
/* other_language.c - scripts that "#!" gives to another than a shell */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_name.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/other_language.h"

/* Return the interpreter that "#!" names, if it is known and no shell. */
static const struct interpreter *read_shebang(const char *script, size_t size)
{
	const char *newline = memchr(script, '\n', size);
	size_t length = newline ? (size_t)(newline - script) : size;
	struct shell_command command;
	struct shell shell;
	const void *row;
	int at = 0;

	if (length < 3 || memcmp(script, "#!", 2) || length > 256)
		return NULL;
	shell_open(&shell, script + 2, length - 2, NULL, 0);
	if (!shell_read(&shell, &command))
		return NULL;
	if (!strcmp(command_basename(command.words[0]), "env"))
		for (at = 1; at < command.count; at++)
			if (command.words[at][0] != '-')
				break;
	if (at >= command.count)
		return NULL;

	const char *name = command_basename(command.words[at]);
	size_t stem = strlen(name);

	while (stem && (isdigit((unsigned char)name[stem - 1]) ||
			name[stem - 1] == '.'))
		stem--;
	if (!command_tables_find(name, stem, KIND_INTERPRETER, &row))
		return NULL;

	const struct interpreter *interpreter = row;

	return interpreter->code_kind == COMMAND_CODE_SHELL ? NULL
							    : interpreter;
}

/* The script is the command, and its arguments are the command's. */
static void read_other_language(const struct submission *job,
				const struct interpreter *interpreter,
				struct script_result *ret,
				struct file_arguments *ret_files)
{
	const char *name = job->arguments_count ? job->arguments[0] : job->name;
	const struct arguments arguments = {
		.words = job->arguments + 1,
		.count = (int)job->arguments_count - 1,
		.except = -1,
		.files = ret_files,
		.traits = ret->command.traits,
	};
	const struct command_line line = {
		.executable = interpreter->called ? interpreter->called
						  : interpreter->name,
		.script = name && *name ? name : NULL,
		.suffix = interpreter->suffix,
	};

	ret->rank = COMMAND_PROGRAM;
	ret->uses = ~(shell_arguments)0;
	command_line_name(&line, NULL, ret->command.name);
	arguments_read(&arguments, &ret->command.parameters);
	command_line_variant(&line, ret->command.traits);
}

bool other_language_read(const struct submission *job, size_t size,
			 struct script_result *ret,
			 struct file_arguments *ret_files)
{
	const struct interpreter *interpreter = read_shebang(job->script, size);

	if (interpreter)
		read_other_language(job, interpreter, ret, ret_files);
	return interpreter != NULL;
}
