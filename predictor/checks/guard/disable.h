/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disable.h - take our part of slurm.conf out where it would be fatal */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"

/* Called with a sentence for each thing that is taken out. */
typedef void disable_report(const char *text);

/* Take `predict` out of JobSubmitPlugins if slurmctld could not load it, and
 * directories below `libdir` out of PluginDir if they are missing; `removed`:
 * both as if all files of slurm-predict were missing.  Old lines remain as
 * comments.  Gives how many lines have changed, or -1: the file at `path`
 * cannot be read, or not be written though something is fatal. */
int disable_what_is_fatal(const char *path, const char *libdir, bool removed,
			  disable_report *report, struct sp_error *err);
