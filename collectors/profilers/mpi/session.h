/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.h - what is measured of a process between MPI_Init and MPI_Finalize
 *
 * Without PREDICT_MPI_DIR in the environment nothing is measured.
 */
#pragma once

/* After MPI_Init: this thread's time is measured from now on.  A second call
 * does nothing. */
void session_begin(void);

/* Before MPI_Finalize, while messages can be sent: the names of the ranks'
 * nodes, for session_report(); NULL: nothing was measured, or not of all. */
char *session_end(void);

/* After MPI_Finalize: writes the file and frees `nodes`. */
void session_report(char *nodes);
