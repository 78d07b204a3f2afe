/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock.h - Slurm's own plugin behind ours
 *
 * Ours has the file name of Slurm's and stands in a directory before it in
 * PluginDir; Slurm's own does the work.  It is loaded from the first of the
 * other directories that has it.
 */
#pragma once

#include <stdint.h>

#include "predictor/base/error.h"

/* The symbol by which a plugin of ours, in whatever directory, is known not to
 * be Slurm's. */
#define STOCK_SHADOW_MARK "select_predict_shadow"

/* Load the first `file_name` that is not ours from the directories of
 * `plugin_dirs` (separated by colons), if it is of the same `type` and
 * `version`.  *ret is for dlsym() and dlclose(). */
int stock_load(const char *plugin_dirs, const char *file_name, const char *type,
	       uint32_t version, void **ret, struct sp_error *err);
