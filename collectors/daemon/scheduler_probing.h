/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler_probing.h - when this node's scheduler is probed, and what is sent
 *
 * Probed once for each kernel and CPU quota: after half a minute in which the
 * node had no job and next to no other load.  Stopped at once when a job comes;
 * tried again later.  Until there is a result, the defaults of the kernel's
 * release are sent.  The result is kept in SPOOL/scheduler.
 */
#pragma once

#include <stdbool.h>

#include "predictor/features/measurement.h"

struct scheduler_probing;

/* `allowed`: else the defaults are sent, and what was kept.  NULL: out of
 * memory. */
struct scheduler_probing *scheduler_probing_create(const char *spool,
						   bool allowed);
void scheduler_probing_destroy(struct scheduler_probing *probing);

void scheduler_probing_allow(struct scheduler_probing *probing, bool allowed);

/* With each measurement: start a probe, or take its result.  `jobs` are on the
 * node.  Adds what is known to one measurement in five minutes, and to the
 * first with a new result; else both values of it are NAN. */
void scheduler_probing_measured(struct scheduler_probing *probing, size_t jobs,
				double now_s, struct measurement *m);

/* A job starts: stop a probe that runs. */
void scheduler_probing_stop(struct scheduler_probing *probing);
