/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_use.h - what jobs used, and what to request next time, in words */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/cli/table.h"
#include "predictor/wire/wire.h"

/* Format MiB as in "350M" or "1.5G"; NAN is "-".  Returns `ret_text`. */
const char *memory_format(double mb, char ret_text[32]);

/* Add members about its GPUs to the member `use` of a reply, where sacct has
 * them; its text is changed (gpu_use.h). */
void use_add_gpus(struct json_object *use, char *sacct_text);

/* Add rows for the members `use` and `advice` of a reply, if it has them. */
void show_use(struct table *facts, struct json_object *reply);

/* Print the #SBATCH lines of the member `advice`, behind a comment that names
 * its grounds.  Fails, with the exit status CLI_NO_ADVICE, if nothing
 * is advised. */
int print_suggestion(struct cli *cli, const char *application,
		     struct json_object *reply, struct sp_error *err);
