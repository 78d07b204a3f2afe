/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_stage.h - commands that prepare, follow or serve the job's main one
 *
 * Those of known programs are in command_tables.h.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* By the first word of the name: "plot_results.py", "PreProcess". */
bool command_named_stage(const char *path);

/* `./coordinator --port 5555 &`: what it serves is the job. */
bool command_is_server(const struct shell_command *command);
