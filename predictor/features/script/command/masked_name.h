/* SPDX-License-Identifier: GPL-2.0-or-later */
/* masked_name.h - names without what changes from run to run
 *
 *	run_1234.b5       run_#.b#        numbers
 *	v1.2.7, 2024-1-5  v#, #           versions and dates
 *	12Jan2024         #
 *	a3f9c2e1b7        #               hashes, UUIDs
 *	tmp.Xa81bcQz9P    tmp.#           temporary names
 *	x.$SLURM_JOB_ID   x.#             variables of the run
 *	cg.B.x            cg.#.x          classes, as NPB has them
 *	heat3d, cp2k      heat3d, cp2k    numbers that are part of a word stay
 */
#pragma once

#include <stddef.h>

/* Append `text` to a name of at most `size` bytes; bytes that are not allowed
 * in a name become '_'. */
void masked_name_append(char *name, size_t size, const char *text);
