/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listener.c - packets, listened to as far as that is cheap */
#include <math.h>
#include <time.h>

#include "collectors/profilers/listener.h"
#include "predictor/base/clock.h"

#define TAKE_S   0.2   /* what the kernel gathers meanwhile fits its buffer */
#define LISTEN_S 0.008 /* after a pause */
/* Short, as what is sent in the last one is lost: a small part of the time so
 * far, and for a connection not to send more than stream.h can follow: 2^30
 * bytes, at 70 Gbit/s. */
#define PAUSE_SHARE 0.02
#define PAUSE_S     0.1

/* We may cost as much of the program's CPU time, once we have begun. */
#define COST_SHARE   0.0015
#define COST_BEGIN_S 0.005

/* To copy the packet's head for us, measured by sampling the kernel. */
#define KERNEL_S 0.7e-6

static double own_cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_packet(void *context, const struct packet *packet)
{
	struct listener *listener = context;

	listener->packets++;
	streams_take(listener->streams, packet);
}

static void set_pause(struct listener *l, bool pause)
{
	capture_pause(l->capture, pause);
	l->paused = pause;

	double now_s = clock_monotonic_s();
	double pause_s = fmin(PAUSE_SHARE * (now_s - l->begun_at_s), PAUSE_S);

	l->at_s = now_s + (pause ? pause_s : LISTEN_S);
}

static void act(struct listener *l, double now_s, double used_s)
{
	if (l->paused) {
		set_pause(l, false);
		return;
	}
	capture_take(l->capture, on_packet, l);
	if (l->begun_at_s == 0 && l->packets > 0)
		l->begun_at_s = now_s;
	l->at_s = now_s + TAKE_S;
	if (l->own_s + l->packets * KERNEL_S >
	    COST_BEGIN_S + COST_SHARE * used_s)
		set_pause(l, true);
}

void listener_act(struct listener *l, double now_s, double used_s)
{
	double begin_s;

	if (now_s < l->at_s)
		return;
	begin_s = own_cpu_s();
	act(l, now_s, used_s);
	l->own_s += own_cpu_s() - begin_s;
}

void listener_finish(struct listener *l)
{
	double begin_s = own_cpu_s();

	capture_take(l->capture, on_packet, l);
	l->own_s += own_cpu_s() - begin_s;
}
