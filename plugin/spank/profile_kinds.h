/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_kinds.h - what --predict-profile may be, and what tasks need
 * for it */
#pragma once

#include <stdbool.h>

struct profile_kind {
	const char *name; /* the option's argument */
	bool library;     /* that stands before MPI */
	bool trace;       /* which it writes */
	bool online; /* the load balancing factor, while the program runs */
};

/* Ends with a name of NULL. */
extern const struct profile_kind profile_kinds[];

/* Return NULL if there is no such kind, or no name. */
const struct profile_kind *profile_kind_find(const char *name);
