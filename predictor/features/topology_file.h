/* topology_file.h - a topology.conf that is read again when it changes
 *
 * Who looks every now and then takes a look at the file's time, no more.
 */
#ifndef PREDICTOR_FEATURES_TOPOLOGY_FILE_H
#define PREDICTOR_FEATURES_TOPOLOGY_FILE_H

#include <stdbool.h>
#include <time.h>

#include "predictor/features/topology.h"

struct topology_file {
	const char *path;   /* lent */
	struct timespec of; /* the file's time when it was last looked at */
	bool was_looked_at;
};

/* Whether it has changed since it was asked last; the first time it has. */
bool topology_file_changed(struct topology_file *file);

/* Its text, which the caller frees, and the tree in it (may be NULL), which the
 * caller clears.  NULL: it can't be read, or is no topology. */
char *topology_file_read(const char *path, struct topology *ret,
			 struct sp_error *err);

#endif
