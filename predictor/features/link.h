/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link.h - a measurement of the link from one node to another
 *
 * A link is one direction between two nodes; the other direction is another
 * link.  NAN stands for "not measured" throughout.
 */
#pragma once

#include "predictor/base/hostlist.h"

struct link_measurement {
	char from[HOSTLIST_NAME_SIZE]; /* the node that sends */
	char to[HOSTLIST_NAME_SIZE];   /* another one */
	double time_s;                 /* since the epoch */
	double bandwidth_bps; /* bits of payload per second that a new TCP
				 stream gets */
	double latency_s;     /* there and back, the least of several */
	double utilisation;   /* 0 to 1: of the sender's interface, by traffic
				 other than probes, since the measurement
				 before */
};

void link_measurement_init(struct link_measurement *ret); /* nothing known */
