/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running_release.h - the release of Slurm that loads a plugin of ours
 *
 * Slurm refuses a plugin whose plugin_version is not exactly its own, micro
 * release included, and slurmctld does not start without its job_submit
 * plugin.  A security update would thus stop the controller.  So our plugins
 * set plugin_version when they are loaded, before Slurm reads it, and decide
 * themselves what they can do in this release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <slurm/slurm_version.h>

#define RELEASE_TEXT_SIZE 16 /* "22.05.8" */

/* Return the plugin_version of the plugins that Slurm has loaded into this
 * process already; 0: none is there. */
uint32_t running_release(void);

/* Return whether a plugin built for one release reads the structures of
 * slurm/slurm.h rightly in another: they are the same within a release such
 * as 22.05. */
bool release_fits(uint32_t built_for, uint32_t running);

/* The same for the structures inside slurmctld.  They do change between micro
 * releases, so this is true only for those that have been compared. */
bool release_fits_inside(uint32_t built_for, uint32_t running);

void release_format(uint32_t release, char ret[RELEASE_TEXT_SIZE]);
