/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure.h - work of one procedure of the program, by its compiler's hooks
 *
 * PREDICT_TRACE_PROCEDURE names it.  The program is compiled with
 * -finstrument-functions, at least where the procedure is, and linked with
 * -rdynamic.  Only the thread that is measured counts.
 */
#ifndef COLLECTORS_PROFILERS_MPI_PROCEDURE_H
#define COLLECTORS_PROFILERS_MPI_PROCEDURE_H

#include <stdbool.h>

/* Looks for it.  Without one nothing is measured. */
void procedure_begin(void);

/* Its work since the last call of this function, when the thread's work is
 * work_s; at most what was done since then. */
double procedure_take(double work_s);

/* It is called too often to be measured: what was taken is too slow. */
bool procedure_is_refused(void);

#endif
