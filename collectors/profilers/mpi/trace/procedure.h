/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure.h - work of one procedure of the program
 *
 * PREDICT_TRACE_PROCEDURE names it.  The compiler's hooks measure it, if the
 * file that it is in was compiled with -finstrument-functions.  Only the thread
 * that is measured counts.
 */
#pragma once

#include <stdbool.h>

#include "predictor/trace/procedure_measure.h"

/* Looks for it.  Without one nothing is measured. */
void procedure_begin(void);

/* Return the procedure's work since the last call of this function, when the
 * thread's work is work_s; at most what was done since then. */
double procedure_take(double work_s);

/* One was named, and what it does is not known: it cannot be measured, or is
 * called too often, which makes what was taken too slow. */
bool procedure_is_unknown(void);

/* No more is measured.  How it was; *ret has no name if none was named. */
void procedure_end(struct procedure_measure *ret);
