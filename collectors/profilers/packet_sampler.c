/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet_sampler.c - captured packets, read all or a sample of the time */
#include <math.h>
#include <time.h>

#include "collectors/profilers/packet_sampler.h"
#include "predictor/base/clock.h"

#define READ_S   0.2   /* the kernel buffers that much */
#define LISTEN_S 0.008 /* after a pause */
/* A pause is short, because data sent in the last one is lost: a small part of
 * the time so far, and too short for a connection to send more than stream.h
 * can follow (2^30 bytes, at 70 Gbit/s). */
#define PAUSE_SHARE 0.02
#define PAUSE_S     0.1

/* Limit of our cost: a share of the program's CPU time, and a constant. */
#define COST_SHARE   0.0015
#define COST_BEGIN_S 0.005

/* CPU time of the kernel to copy a header, measured by profiling it. */
#define KERNEL_S 0.7e-6

static void packet_add(void *context, const struct packet *packet)
{
	struct packet_sampler *sampler = context;

	sampler->packets++;
	streams_add(sampler->streams, packet);
}

static void sampler_pause(struct packet_sampler *sampler, bool pause)
{
	capture_pause(sampler->capture, pause);
	sampler->paused = pause;

	double now_s = clock_monotonic_s();
	double pause_s =
		fmin(PAUSE_SHARE * (now_s - sampler->begun_at_s), PAUSE_S);

	sampler->at_s = now_s + (pause ? pause_s : LISTEN_S);
}

static void sampler_step(struct packet_sampler *sampler, double now_s,
			 double used_s)
{
	if (sampler->paused) {
		sampler_pause(sampler, false);
		return;
	}
	capture_read(sampler->capture, packet_add, sampler);
	if (sampler->begun_at_s == 0 && sampler->packets > 0)
		sampler->begun_at_s = now_s;
	sampler->at_s = now_s + READ_S;
	if (sampler->own_s + sampler->packets * KERNEL_S >
	    COST_BEGIN_S + COST_SHARE * used_s)
		sampler_pause(sampler, true);
}

void packet_sampler_run(struct packet_sampler *sampler, double now_s,
			double used_s)
{
	double begin_s;

	if (now_s < sampler->at_s)
		return;
	begin_s = clock_read_s(CLOCK_PROCESS_CPUTIME_ID);
	sampler_step(sampler, now_s, used_s);
	sampler->own_s += clock_read_s(CLOCK_PROCESS_CPUTIME_ID) - begin_s;
}

void packet_sampler_finish(struct packet_sampler *sampler)
{
	double begin_s = clock_read_s(CLOCK_PROCESS_CPUTIME_ID);

	capture_read(sampler->capture, packet_add, sampler);
	sampler->own_s += clock_read_s(CLOCK_PROCESS_CPUTIME_ID) - begin_s;
}
