/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist.h - node names as Slurm writes them: n[1-4,7],login
 *
 * Bounded: a list of more than HOSTLIST_NAMES_MAX names is refused, so that
 * "n[0-999999999]" costs nothing.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

#define HOSTLIST_NAME_SIZE 64
#define HOSTLIST_NAMES_MAX 65536

struct hostlist {
	size_t count;
	char (*names)[HOSTLIST_NAME_SIZE]; /* in the order of the text */
};

/* Expand `text`; several bracketed ranges in a name are allowed, zero padding
 * is kept.  The caller frees with hostlist_clear(). */
int hostlist_expand(const char *text, struct hostlist *ret,
		    struct sp_error *err);

/* Return the position of a name; -1: it is not there. */
int hostlist_position(const struct hostlist *list, const char *name);

/* Find the inverse, as short as Slurm makes it for one numbered range per
 * prefix: names are sorted, neighbours joined.  `ret_text` is cut (and ends in
 * "...") where `size` is too small. */
void hostlist_compress(const struct hostlist *list, char *ret_text,
		       size_t size);

void hostlist_clear(struct hostlist *list); /* may be called twice */
