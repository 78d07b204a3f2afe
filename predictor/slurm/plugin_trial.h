/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plugin_trial.h - whether slurmctld could load a plugin, without slurmctld
 *
 * In a child process Slurm's library and one of Slurm's own plugins are loaded,
 * then ours, as slurmctld does: that shows a missing or unreadable file, a
 * missing library or symbol, and another release of Slurm.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

/* The symbol of a plugin that loads in all releases of Slurm, a uint32_t: the
 * one that it works in. */
#define PLUGIN_BUILT_FOR "predict_built_for"

enum plugin_trial {
	PLUGIN_WORKS,
	PLUGIN_FAILS,     /* *err says why */
	PLUGIN_IDLE,      /* loaded, but does nothing in this release: *err */
	PLUGIN_NOT_TRIED, /* Slurm's own plugins are not there to compare */
};

/* Load the plugin at `path`, which must have `functions` (ends with NULL),
 * beside Slurm's own plugins in one of `plugin_dirs`, separated by colons. */
enum plugin_trial plugin_try(const char *path, const char *plugin_dirs,
			     const char *const functions[],
			     struct sp_error *err);

/* Find the first of `plugin_dirs` that has that file; *ret is its path.
 * -1: none. */
int plugin_find(const char *plugin_dirs, const char *file_name, char *ret,
		size_t size);
