/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_file.h - a topology.conf that is read again when it changes
 *
 * Checking for a change reads only the file's modification time, not that of
 * files which it includes.  A file whose name ends in .yaml is a topology.yaml
 * (topology_yaml.h); its text is that of a topology.conf.
 */
#ifndef PREDICTOR_FEATURES_TOPOLOGY_FILE_H
#define PREDICTOR_FEATURES_TOPOLOGY_FILE_H

#include <stdbool.h>
#include <time.h>

#include "predictor/features/topology.h"

struct topology_file {
	const char *path;         /* lent */
	struct timespec modified; /* at the last check */
	bool was_checked;
};

/* Return whether it has changed since the last call; the first time: true. */
bool topology_file_changed(struct topology_file *file);

/* The file's text, which the caller frees, and in *ret (may be NULL) the
 * topology, which the caller clears.  NULL: it cannot be read, or is no
 * topology. */
char *topology_file_read(const char *path, struct topology *ret,
			 struct sp_error *err);

#endif
