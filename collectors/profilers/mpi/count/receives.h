/* SPDX-License-Identifier: GPL-2.0-or-later */
/* receives.h - messages that are asked for, and received by a later call
 *
 * Which process a message came from, and whether it was the first one of
 * several that were waited for, is known when its request completes.  Only of
 * the thread that is measured.  A status is not needed, but where any process
 * may send.
 */
#pragma once

#include <stdbool.h>

#include <mpi.h>

/* Return whether some are under way; else no call that completes
 * requests matters. */
bool receives_are_pending(void);

/* Within a call: as the functions of trace.h with such names. */
void receives_asked(int from, MPI_Comm comm, MPI_Request request,
		    bool persistent);
void receives_started(int count, const MPI_Request requests[]);
void receives_freed(MPI_Request request);

/* Before a call that may complete some of these, and changes their handles. */
void receives_waits(int count, const MPI_Request requests[]);

/* Note, after a call, that `count` of these requests are complete, the first
 * ones if indices is NULL; these begin with `base`.  source: of the first one's
 * status; MPI_ANY_SOURCE: not known. */
void receives_completed(int count, const int indices[], int base, int source);

/* At the end. */
void receives_clear(void);
