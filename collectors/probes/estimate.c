/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate.c - bandwidth of a new stream, from a probe and from counters */
#include <math.h>
#include <string.h>

#include "collectors/probes/estimate.h"

#define PAYLOAD (1448. / 1514) /* of bytes on an Ethernet */
#define IDLE    0.05 /* share of the capacity; ignore others that use less */
#define DECAY   0.9  /* of a capacity that was not reached again */
#define CHANGED 0.5  /* of the capacity */

static double positive_or_0(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* Return the highest rate at this end, of payload. */
static double end_rate_bps(const struct estimate_end *end)
{
	return PAYLOAD * fmax(positive_or_0(end->before_bps),
			      positive_or_0(end->during_bps));
}

/* Transfers of 50 MB beside one other of the same node, through one queue of
 * 20 ms, at 10 to 500 Mbit/s (Linux 6.18): BBR got 0.80 to 1.20 of an equal
 * part, 1.00 in the middle; CUBIC 0.50 to 1.15, 0.72 in the middle, since a
 * stream that starts later finds the queue full. */
double estimate_newcomer(const char *congestion)
{
	return strcmp(congestion, "bbr") == 0 ? 1 : 0.72;
}

static double end_share_bps(const struct estimate_end *end, double capacity_bps,
			    double newcomer)
{
	double others_bps = PAYLOAD * positive_or_0(end->before_bps);
	double streams = fmax(1, positive_or_0(end->streams));

	if (others_bps <= IDLE * capacity_bps)
		return capacity_bps;
	return fmax(capacity_bps - others_bps,
		    newcomer * capacity_bps / (streams + 1));
}

/* During a probe the link is full, if the probe reached its speed in that short
 * time.  So what was measured is the capacity, or a little less; if it is far
 * less than before, the link has changed. */
static double capacity_update(double seen_bps, double before_bps)
{
	return seen_bps > CHANGED * before_bps
		       ? fmax(seen_bps, DECAY * before_bps)
		       : seen_bps;
}

struct estimate estimate_bandwidth(const struct estimate_input *in)
{
	double probe_bps = positive_or_0(in->probe_bps);
	double seen_bps = fmax(end_rate_bps(&in->from), end_rate_bps(&in->to));
	double capacity_bps = capacity_update(fmax(seen_bps, probe_bps),
					      positive_or_0(in->capacity_bps));
	double others_bps = PAYLOAD * fmax(positive_or_0(in->from.before_bps),
					   positive_or_0(in->to.before_bps));

	if (others_bps <= IDLE * capacity_bps)
		return (struct estimate){
			.bandwidth_bps = probe_bps > 0 ? probe_bps : NAN,
			.capacity_bps = probe_bps > 0 ? probe_bps : NAN,
		};
	return (struct estimate){
		.bandwidth_bps = fmin(
			end_share_bps(&in->from, capacity_bps, in->newcomer),
			end_share_bps(&in->to, capacity_bps, in->newcomer)),
		.capacity_bps = capacity_bps,
	};
}
