/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.h - what Slurm or another plugin finds in a plugin by name
 *
 * All else is hidden (-fvisibility=hidden).
 */
#pragma once

#define EXPORT __attribute__((visibility("default")))
