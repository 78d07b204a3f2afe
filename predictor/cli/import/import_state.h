/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_state.h - which jobs of a cluster have been imported
 *
 * A file in the user's state folder (XDG_STATE_HOME, else ~/.local/state) has
 * the range of time in which all jobs that ended have been imported.  If it is
 * lost, the next import only takes longer.
 */
#pragma once

#include "predictor/base/error.h"

struct import_state {
	double since_s, done_s; /* both 0: none */
};

/* A file that cannot be read counts as none. */
void import_state_read(const char *cluster, struct import_state *ret);

int import_state_write(const char *cluster, const struct import_state *state,
		       struct sp_error *err);
