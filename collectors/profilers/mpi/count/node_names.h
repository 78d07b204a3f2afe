/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_names.h - which rank is on which node
 *
 * Each rank sends the name of its node to each other one in a message; many
 * ranks use a collective operation instead.
 */
#pragma once

#define NODE_NAME_SIZE    256
#define NODE_NAMES_BY_ONE 128 /* ranks that send messages, at most */

/* Return the names of all ranks' nodes, each in NODE_NAME_SIZE bytes; the
 * caller frees them.  NULL: out of memory, or some rank did not answer within
 * wait_s: it may run on a node without this library, and would keep the
 * others forever. */
char *node_names_exchange(int rank, int size, double wait_s);
