/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet_sampler.h - captured packets, read all or a sample of the time
 *
 * A captured packet costs a microsecond, most of it in the kernel and on the
 * program's own time: several percent for a program that sends many small
 * messages. Then the capture is paused most of the time, so that it costs no
 * more than a given share of the program's CPU time.  Sequence numbers still
 * show how much was sent (stream.h).
 */
#pragma once

#include "collectors/profilers/capture.h"
#include "collectors/profilers/streams.h"

struct packet_sampler {
	struct capture *capture; /* lent, as the next */
	struct streams *streams;
	double at_s; /* the next step is due */
	bool paused;
	double begun_at_s; /* first packet; 0: none yet */
	double packets;
	double own_s; /* CPU time of reading packets and of pauses */
};

/* All times are of the monotonic clock.  `used_s`: CPU time of the program. */
void packet_sampler_run(struct packet_sampler *packet_sampler, double now_s,
			double used_s);

/* Read the last packets.  Data that a connection sent last, in a pause, is not
 * counted. */
void packet_sampler_finish(struct packet_sampler *packet_sampler);
