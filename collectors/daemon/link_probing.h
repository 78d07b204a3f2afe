/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link_probing.h - probing of links in collectord
 *
 * Gets the roster of nodes from predictd, which adds this node to it,
 * configures the prober, and passes its measurements to the sender.
 */
#pragma once

#include "collectors/daemon/collectord_config.h"
#include "collectors/daemon/sender.h"
#include "predictor/base/error.h"

struct link_probing;

/* NULL: *err says why; also if they are turned off. */
struct link_probing *links_create(const struct collectord_config *config,
				  struct sender *sender, struct sp_error *err);
void links_destroy(struct link_probing *links);

/* Readable when something was measured. */
int links_fd(const struct link_probing *links);

/* When to get the roster next (monotonic clock). */
double links_at_s(const struct link_probing *links);

/* Do what is due.  `cluster` is empty while it is not known. */
void links_run(struct link_probing *links, const char *cluster, double now_s);
