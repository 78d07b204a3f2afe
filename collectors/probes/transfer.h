/* SPDX-License-Identifier: GPL-2.0-or-later */
/* transfer.h - the rate of a TCP stream, from a short transfer
 *
 * The sender measures what has been delivered, from acknowledgements (selective
 * ones too), sampled every few milliseconds.  The beginning does not count: the
 * stream is still growing there, and a token bucket on the path lets a burst
 * pass at any speed.  The rate is that of the tail.  The transfer ends as soon
 * as the rate is steady, and at its limits of bytes and time at the latest; so
 * its size fits the link.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collectors/probes/line.h"
#include "predictor/base/error.h"

#define TRANSFER_BYTES_MIN (112 << 10) /* less does not show a rate */
#define TRANSFER_BYTES_MAX (64 << 20)  /* that a caller may request */
#define TRANSFER_TIME_MAX  4.0

struct transfer_limits {
	uint64_t bytes;
	double time_s;
};

struct transfer {
	uint64_t bytes;
	double time_s;
	double rate_bps; /* of the tail; NAN: there was too little of it */
};

/* Send within `limits`, but TRANSFER_BYTES_MIN at least; the other side
 * calls transfer_receive(). */
int transfer_send(int fd, const struct transfer_limits *limits,
		  double deadline_s, struct transfer *ret,
		  struct sp_error *err);

/* Read until the sender's end, and no more than TRANSFER_BYTES_MAX. */
int transfer_receive(struct line_reader *reader, uint64_t *ret_bytes,
		     struct sp_error *err);

/* For transfer.c and its test: samples of what was delivered. */
#define SAMPLES_MAX 512

struct samples {
	size_t count;
	struct sample {
		double time_s, bytes;
	} of[SAMPLES_MAX];
};

/* Every other one is left out when there are too many. */
void samples_add(struct samples *samples, double time_s, double bytes);

/* Rate of the tail in bits per second; NAN: it is too short.  *ret_steady:
 * whether its two halves agree. */
double samples_rate(const struct samples *samples, bool *ret_steady);
