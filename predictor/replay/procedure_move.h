/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_move.h - the trace of the program with its procedure moved
 *
 * What the procedure did right before a send is done by the receiver, right
 * before its receive, as in figure 1 of [1] (procedure_path.h).  Replayed in
 * open order, it does not freeze the order in which a server was asked, and
 * ranks may share nodes.
 */
#pragma once

#include "predictor/trace/matched_trace.h"

/* Return a copy; NULL without memory. */
struct matched_trace *procedure_move(const struct matched_trace *trace);
