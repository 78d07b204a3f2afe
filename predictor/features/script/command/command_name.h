/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_name.h - the name of an application by its command */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/script/command/command_line.h"

/* Executable, script and subcommand, masked, with ':' between them; `function`
 * (may be NULL) stands in for the script.  Empty: not known. */
void command_line_name(const struct command_line *line, const char *function,
		       char name[APPLICATION_NAME_SIZE]);

/* Add the trait "name", the executable or its script without a folder, if a
 * part of it is masked in the name: cg.B.x, run_512. */
void command_line_variant(const struct command_line *line,
			  char traits[TRAITS_SIZE]);

/* Return whether digits of a subcommand that is a file are masked in the
 * name. */
bool command_line_masked(const struct command_line *line);

/* Return whether a list "a+b" has `name`. */
bool command_name_listed(const char *list, const char *name);
