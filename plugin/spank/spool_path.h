/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool_path.h - where the node's spool is, from plugstack.conf */
#pragma once

#define SPOOL_PATH_SIZE 1024

/* Return the value of spool= among the plugin's arguments, in static memory;
 * "%n" in it, as in slurm.conf, is the node's name. */
const char *spool_path(int count, char *arguments[]);
