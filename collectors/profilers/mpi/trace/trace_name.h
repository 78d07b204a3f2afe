/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_name.h - the names of a program's trace files
 *
 * RUN.RANK in the folder that PREDICT_TRACE_DIR names.  All ranks of a program
 * know RUN without a message, and it differs from that of other programs of
 * the job.
 */
#pragma once

#include <stdbool.h>

#define TRACE_NAME_SIZE 1024
#define TRACE_PROGRAMS  16 /* of one step, one after the other */

/* Return whether traces are wanted. */
bool trace_name_is_set(void);

/* Print the path of this rank's file for the nth program (from 0 on) with
 * `ranks` ranks in its step.  -1: it is too long. */
int trace_name_make(int rank, int ranks, int nth, char ret[TRACE_NAME_SIZE]);
