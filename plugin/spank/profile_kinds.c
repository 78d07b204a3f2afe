/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_kinds.c - what --predict-profile may be, and what tasks need
 * for it */
#include <string.h>

#include "plugin/spank/profile_kinds.h"

const struct profile_kind profile_kinds[] = {
	{ .name = "packets" },
	{ "mpi", .library = true },
	{ "trace", .library = true, .trace = true },
	{ "lbf", .library = true, .trace = true, .online = true },
	{ .name = "no" },
	{ .name = NULL },
};

const struct profile_kind *profile_kind_find(const char *name)
{
	const struct profile_kind *kind = profile_kinds;

	while (name && kind->name && strcmp(kind->name, name) != 0)
		kind++;
	return name && kind->name ? kind : NULL;
}
