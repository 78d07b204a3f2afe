/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.h - reports to the service manager: started, alive, ending
 *
 * The protocol of sd_notify(3), which its manual page gives for use without
 * libsystemd: a datagram to $NOTIFY_SOCKET.  libsystemd would bring several
 * compression and crypto libraries into a daemon that is to stay small.
 */
#pragma once

#include <stdbool.h>

#define NOTIFY_READY    "READY=1"
#define NOTIFY_STOPPING "STOPPING=1"

/* Report `state`; false: nobody listens, or it could not be sent, which is no
 * error of the daemon. */
bool notify_send(const char *state);

/* The service manager restarts a daemon that does not report in time. */
struct watchdog {
	double period_s; /* between two reports; HUGE_VAL: none are expected */
	double due_s;    /* the next one, by clock_monotonic_s() */
};

/* From the environment ($WATCHDOG_USEC); the first report is due at once. */
void watchdog_init(struct watchdog *ret);

/* Report at `now_s` that the daemon is alive. */
void watchdog_feed(struct watchdog *watchdog, double now_s);
