/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prober.h - the thread that probes links and serves probes of other nodes
 *
 * A thread of its own, since a probe has to begin on time and measures times.
 * It does one probe at a time.
 */
#pragma once

#include "collectors/probes/schedule.h"
#include "predictor/base/error.h"
#include "predictor/features/link.h"

struct prober_config {
	const char *node;         /* copied, all of them */
	const char *munge_socket; /* empty: MUNGE's default */
	const char *listen;       /* numeric address; empty: any IPv4 address */
	int port;                 /* the same on all nodes */
	double interval_s;        /* length of a slot; the same on all nodes */
};

struct prober;

/* Listens; probes only once there is a schedule. */
struct prober *prober_create(const struct prober_config *config,
			     struct sp_error *err);
void prober_destroy(struct prober *prober);

/* Use the schedule (NULL: none) from the next slot on; owned by the prober. */
void prober_set_schedule(struct prober *prober, struct schedule *schedule);

/* Readable when there are measurements. */
int prober_fd(const struct prober *prober);

/* Remove up to `max` measurements. */
size_t prober_take(struct prober *prober, struct link_measurement *ret,
		   size_t max);
