/* import_state.h - how far imports of a cluster have come
 *
 * A file in the user's own state folder (XDG_STATE_HOME, else ~/.local/state):
 * all jobs that ended between two moments have been imported.  Losing it costs
 * time, nothing else.
 */
#ifndef PREDICTOR_CLI_IMPORT_STATE_H
#define PREDICTOR_CLI_IMPORT_STATE_H

#include "predictor/base/error.h"

struct import_state {
	double since_s, done_s; /* both 0: nothing is known */
};

/* What cannot be read is not known. */
void import_state_read(const char *cluster, struct import_state *ret);

int import_state_write(const char *cluster, const struct import_state *state,
		       struct sp_error *err);

#endif
