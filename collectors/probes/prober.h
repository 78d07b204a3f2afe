/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prober.h - probes when it is this node's turn, and answers when it is another's
 *
 * A thread of its own, since a probe has to begin on time and measures times.
 * It does one thing at a time: a node is in one probe at most.
 */
#ifndef COLLECTORS_PROBES_PROBER_H
#define COLLECTORS_PROBES_PROBER_H

#include <stddef.h>

#include "collectors/probes/schedule.h"
#include "predictor/base/error.h"
#include "predictor/features/link.h"

#define PROBER_ADDRESS_SIZE 64

struct prober_config {
	const char *node;         /* copied, all of them */
	const char *munge_socket; /* empty: MUNGE's default */
	const char *listen;       /* numeric address; empty: any IPv4 address */
	int port;                 /* the same on all nodes */
	double interval_s;        /* length of a slot; the same on all nodes */
};

struct prober;

/* Begins to listen; probes only once there is a schedule. */
struct prober *prober_create(const struct prober_config *config,
			     struct sp_error *err);
void prober_destroy(struct prober *prober);

/* Takes the schedule (NULL: none), from the next slot on. */
void prober_set_schedule(struct prober *prober, struct schedule *schedule);

/* Readable when there are measurements. */
int prober_fd(const struct prober *prober);

/* Takes up to `max` measurements. */
size_t prober_take(struct prober *prober, struct link_measurement *ret,
		   size_t max);

#endif
