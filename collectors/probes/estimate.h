/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate.h - bandwidth of a new stream, from a probe and from counters
 *
 * A probe is far too short for streams that share a link to find their balance,
 * which takes them seconds to minutes.  So while others use the link, the probe
 * and the interfaces' counters give its capacity, and the new stream's share is
 * that of max-min fairness: what the others leave, or what a newcomer gets of
 * an equal part, whichever is more.  A link without other traffic at its ends
 * gives what the probe got.
 */
#pragma once

/* What one end of the link saw; NAN: not known. */
struct estimate_end {
	double before_bps; /* of others, in the link's direction, just before */
	double during_bps; /* of all, during the transfer */
	double streams;    /* of others, that were busy */
};

struct estimate_input {
	double probe_bps;             /* of payload */
	struct estimate_end from, to; /* bits on the wire */
	double capacity_bps;          /* as last estimated, of payload */
	double newcomer;              /* see estimate_newcomer() */
};

struct estimate {
	double bandwidth_bps; /* NAN: nothing is known */
	double capacity_bps;
};

/* Return the share of its equal part that a stream gets which starts after the
 * others. By their congestion control, named as TCP_CONGESTION has it: "bbr",
 * "cubic", ...; empty: not known. */
double estimate_newcomer(const char *congestion);

struct estimate estimate_bandwidth(const struct estimate_input *input);
