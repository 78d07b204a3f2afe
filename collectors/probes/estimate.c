/* estimate.c - what a new stream would get, from a probe and from counters */
#include <math.h>

#include "collectors/probes/estimate.h"

#define PAYLOAD (1448. / 1514) /* of bytes on an Ethernet */
#define IDLE    0.05 /* share of the capacity that others may use unheeded */
#define DECAY   0.9  /* a capacity that was not seen again is believed less */
#define CHANGED 0.5  /* of the capacity */

/* Of its equal part, what a stream gets that comes later than the others: the
 * slower the link, the fewer packets wait for it, and the longer those of the
 * others keep it out.  Transfers of 50 MB beside one other of the same node got
 * 0.45 and 0.67 of it at 10 Mbit/s, 0.57 to 0.70 at 50, 0.62 to 0.89 at 100 and
 * 0.83 to 0.87 at 500 (BBR, one queue of 20 ms, Linux 6.18; CUBIC 0.34 to 0.99
 * without a rule). */
#define NEWCOMER_AT_10M     0.55
#define NEWCOMER_PER_DECADE 0.18
#define NEWCOMER_MIN        0.3

static double known(double value)
{
	return isfinite(value) && value > 0 ? value : 0;
}

/* The most that went through this end. */
static double carried(const struct estimate_end *end)
{
	return PAYLOAD * fmax(known(end->before_bps), known(end->during_bps));
}

static double newcomer(double capacity_bps)
{
	double part = NEWCOMER_AT_10M +
		      NEWCOMER_PER_DECADE * log10(capacity_bps / 10e6);

	return fmin(fmax(part, NEWCOMER_MIN), 1);
}

static double share(const struct estimate_end *end, double capacity_bps)
{
	double others_bps = PAYLOAD * known(end->before_bps);
	double streams = fmax(1, known(end->streams));

	if (others_bps <= IDLE * capacity_bps)
		return capacity_bps;
	return fmax(capacity_bps - others_bps,
		    newcomer(capacity_bps) * capacity_bps / (streams + 1));
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
		.bandwidth_bps = fmin(share(&in->from, capacity_bps),
				      share(&in->to, capacity_bps)),
		.capacity_bps = capacity_bps,
	};
}
