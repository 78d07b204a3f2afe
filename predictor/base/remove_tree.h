/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove_tree.h - remove a folder that belonged to a user, whatever is in it
 *
 * The user may still run, and may have made links, deep nests of folders, or
 * folders without any permission.  Links are removed and not followed, what is
 * mounted is left alone, and each folder is taken from its owner before it is
 * read, so that nothing comes after.  Needs root's rights for that; without
 * them it removes what the modes allow.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"

/* Open the file or folder `name` of `parent_fd` to read it, which is neither a
 * link nor another file system's: that may be one of a user's own processes,
 * which never answers.  Does not wait for the other end of a pipe.  Gives its
 * descriptor, or -1 with errno. */
int tree_open(int parent_fd, const char *name, int flags);

/* Open the folder `name` of `parent_fd`, which is neither a link nor another
 * file system's, and take it from its owner: root's, mode 0700.  Gives its
 * descriptor, or -1 with errno. */
int remove_tree_open(int parent_fd, const char *name);

/* Remove the file, link or folder `name` of `parent_fd`, with all in it, but at
 * most `max` entries.  It is no error if there is none.  1: there are more. */
int remove_tree(int parent_fd, const char *name, unsigned max,
		struct sp_error *err);

#define TREE_DEPTH_MAX 8

struct tree_size {
	size_t bytes; /* of all blocks on the disk */
	unsigned entries;
	double changed_s; /* its owner, mode or entries; of a file, all of it */
	bool beyond; /* too many, too deep, or not readable: this is a part */
};

/* Measure the file or folder `name` with all in it, up to `max` entries; all 0
 * if there is none.  Follows no link. */
void tree_measure(int parent_fd, const char *name, unsigned max,
		  struct tree_size *ret);
