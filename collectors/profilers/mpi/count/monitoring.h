/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitoring.h - messages of one process, as MPI itself counts them
 *
 * Open MPI's monitoring component knows of those of collective operations, too.
 * It is switched on before main(), where PREDICT_MPI_DIR is set.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The variable that names the folder of the component's files and ours. */
#define MONITORING_FOLDER     "PREDICT_MPI_DIR"
#define MONITORING_LONG_BYTES 65536 /* a power of two; see profile_pair */

/* Sent to one other process. */
struct monitoring_counts {
	uint64_t messages, bytes, long_messages;
	/* Those that were sent directly, not by collective operations. */
	uint64_t direct_messages, direct_bytes;
};

/* After MPI has ended: what this rank of `size` sent to each, without the names
 * of nodes; removes the component's file in the folder.  False: MPI did not
 * count, and nothing has changed. */
bool monitoring_read(const char *folder, int rank, int size,
		     struct monitoring_counts ret[]);
