/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_order.c - what a submit line says of when a job may start */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/shell/shell_words.h"
#include "predictor/features/submission.h"
#include "predictor/logs/submit_order.h"

static void dependency_copy(const char *text, char ret[RUN_DEPENDENCY_SIZE])
{
	size_t length = strlen(text);

	if (length >= RUN_DEPENDENCY_SIZE) {
		length = RUN_DEPENDENCY_SIZE - 1;
		while (length > 0 && !strchr(",?:", text[length]))
			length--;
	}
	memcpy(ret, text, length);
	ret[length] = '\0';
}

void submit_order_read(const char *text, struct run *run)
{
	const char *wrap = text ? submit_line_wrap(text) : NULL;
	size_t size = wrap ? (size_t)(wrap - text) : SUBMISSION_TEXT_MAX;
	struct submit_line line;
	struct shell_command command;
	struct shell shell;

	run->think_s = NAN;
	if (!text)
		return;
	shell_open(&shell, text, strnlen(text, size), NULL, 0);
	if (!shell_read(&shell, &command) ||
	    !submit_line_read(command.words, command.count, &line))
		return;
	if (line.dependency)
		dependency_copy(line.dependency, run->dependency);

	const char *most = line.array ? strchr(line.array, '%') : NULL;
	unsigned long count = most ? strtoul(most + 1, NULL, 10) : 0;

	run->array_most = count < UINT32_MAX ? (uint32_t)count : 0;
}
