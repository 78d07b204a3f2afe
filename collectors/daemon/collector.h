/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collector.h - collectord's event loop, and the data flow between its parts
 *
 * One thread.  Measurements of the sensors go to the sender; events of the
 * SPANK plugin and output of scontrol go to the job table, which writes records
 * to the spool, from where the sender reads them.
 */
#pragma once

#include "collectors/daemon/collectord_config.h"
#include "predictor/base/error.h"

struct collector;

/* NULL: *err says why. */
struct collector *collector_create(const struct collectord_config *config,
				   struct sp_error *err);
void collector_destroy(struct collector *collector);

/* Apply the keys that need no restart. */
int collector_configure(struct collector *collector,
			const struct collectord_config *config,
			struct sp_error *err);

/* Run until a signal arrives at `signal_fd`; returns its number.  The signals
 * must be blocked. */
int collector_run(struct collector *collector, int signal_fd);
