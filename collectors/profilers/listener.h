/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listener.h - packets, listened to as far as that is cheap
 *
 * A packet costs a microsecond, most of it in the kernel and on the program's
 * own time.  A program that sends many small messages pays several percent for
 * that; then we listen for a moment now and then, as much as a given share of its
 * CPU time allows.  Sequence numbers still tell all that was sent (stream.h).
 */
#ifndef COLLECTORS_PROFILERS_LISTENER_H
#define COLLECTORS_PROFILERS_LISTENER_H

#include <stdbool.h>

#include "collectors/profilers/capture.h"
#include "collectors/profilers/streams.h"

struct listener {
	struct capture *capture; /* lent, as the next */
	struct streams *streams;
	double at_s; /* there is something to do then */
	bool paused;
	double begun_at_s; /* the first packets; 0: none yet */
	double packets;
	double own_s; /* CPU time of taking them, and of pauses */
};

/* All times are of the monotonic clock.  `used_s`: CPU time of the program. */
void listener_act(struct listener *listener, double now_s, double used_s);

/* Take what there is, in the end.  What was sent in a pause after which a
 * connection sent nothing more is not known of. */
void listener_finish(struct listener *listener);

#endif
