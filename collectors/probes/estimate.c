/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate.c - what a new stream would get, from a probe and from counters */
#include <math.h>
#include <string.h>

#include "collectors/probes/estimate.h"

#define PAYLOAD (1448. / 1514) /* of bytes on an Ethernet */
#define IDLE    0.05 /* share of the capacity that others may use unheeded */
#define DECAY   0.9  /* a capacity that was not seen again is believed less */
#define CHANGED 0.5  /* of the capacity */

static double known(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* The most that went through this end. */
static double carried(const struct estimate_end *end)
{
	return PAYLOAD * fmax(known(end->before_bps), known(end->during_bps));
}

/* Transfers of 50 MB beside one other of the same node, through one queue of
 * 20 ms, at 10 to 500 Mbit/s (Linux 6.18): BBR got 0.80 to 1.20 of an equal part,
 * 1.00 in the middle; CUBIC 0.50 to 1.15, 0.72 in the middle, since whoever comes
 * later finds the queue full. */
double estimate_newcomer(const char *congestion)
{
	return strcmp(congestion, "bbr") == 0 ? 1 : 0.72;
}

static double share(const struct estimate_end *end, double capacity_bps,
		    double newcomer)
{
	double others_bps = PAYLOAD * known(end->before_bps);
	double streams = fmax(1, known(end->streams));

	if (others_bps <= IDLE * capacity_bps)
		return capacity_bps;
	return fmax(capacity_bps - others_bps,
		    newcomer * capacity_bps / (streams + 1));
}

/* During a probe the link is full, if the probe came to its speed in that short
 * time.  So what was seen is the capacity, or a little less; but if it is far
 * less than it was, the link has changed. */
static double remember(double seen_bps, double before_bps)
{
	return seen_bps > CHANGED * before_bps
		       ? fmax(seen_bps, DECAY * before_bps)
		       : seen_bps;
}

struct estimate estimate_bandwidth(const struct estimate_input *in)
{
	double probe_bps = known(in->probe_bps);
	double seen_bps = fmax(carried(&in->from), carried(&in->to));
	double capacity_bps =
		remember(fmax(seen_bps, probe_bps), known(in->capacity_bps));
	double others_bps = PAYLOAD * fmax(known(in->from.before_bps),
					   known(in->to.before_bps));

	if (others_bps <= IDLE * capacity_bps)
		return (struct estimate){
			.bandwidth_bps = probe_bps > 0 ? probe_bps : NAN,
			.capacity_bps = probe_bps > 0 ? probe_bps : NAN,
		};
	return (struct estimate){
		.bandwidth_bps =
			fmin(share(&in->from, capacity_bps, in->newcomer),
			     share(&in->to, capacity_bps, in->newcomer)),
		.capacity_bps = capacity_bps,
	};
}
