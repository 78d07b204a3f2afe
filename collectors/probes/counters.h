/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.h - traffic of network interfaces, from the kernel's counters
 *
 * From /proc/net/dev, and for InfiniBand, whose data pass the kernel by, from
 * /sys/class/infiniband.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

#define COUNTERS_INTERFACES_MAX 32 /* more are ignored */
#define COUNTERS_NAME_SIZE      32

struct interface {
	char name[COUNTERS_NAME_SIZE]; /* "eth0"; InfiniBand's: "mlx5_0:1" */
	double received_bytes, sent_bytes;
	double speed_bps; /* in name; NAN: not known */
};

struct counters {
	double time_s; /* of the monotonic clock */
	size_t count;
	struct interface of[COUNTERS_INTERFACES_MAX];
};

/* All but the loopback.  `root` stands before /proc and /sys; "" but for
 * tests. */
int counters_read(const char *root, struct counters *ret, struct sp_error *err);

/* Return NULL if there is none of this name. */
const struct interface *counters_find(const struct counters *counters,
				      const char *name);

/* Find the interface on which a connected socket's packets leave. */
int counters_interface_of(int fd, char ret_name[COUNTERS_NAME_SIZE],
			  struct sp_error *err);

struct traffic {
	double received_bps, sent_bps; /* NAN: not known */
};

/* Return the traffic of the interface between two readings, the
 * older first. */
struct traffic counters_traffic(const struct counters *a,
				const struct counters *b, const char *name);

/* Return the share of its speed, 0 to 1, at which the busiest InfiniBand port
 * sent; NAN: there is none. */
double counters_infiniband(const struct counters *a, const struct counters *b);
