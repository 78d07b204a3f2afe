/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.h - what Slurm or another plugin finds in a plugin by name
 *
 * All else is hidden (-fvisibility=hidden).
 */
#ifndef PLUGIN_SITE_EXPORT_H
#define PLUGIN_SITE_EXPORT_H

#define EXPORT __attribute__((visibility("default")))

#endif
