/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refusals.h - log whose requests are refused, without flooding the log
 *
 * The first refusal of a user is logged at once; those that follow are counted,
 * and a line a minute has their number.  Thread-safe.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/ordered_lock.h"

#define REFUSALS_USERS_MAX 64
#define REFUSALS_PERIOD_S  60.0

struct refusals {
	struct ordered_lock lock;
	struct refusals_user {
		uid_t uid;
		bool used;
		double logged_s;   /* of the monotonic clock */
		uint64_t unlogged; /* refusals since then */
	} users[REFUSALS_USERS_MAX];
};

void refusals_init(struct refusals *refusals); /* all bytes are zero */
void refusals_destroy(struct refusals *refusals);

/* Note a refusal of `uid` at `now_s`.  true: it is to be logged now, with
 * *ret_more others that were not.  With more users than places the one that has
 * been logged longest ago is forgotten. */
bool refusals_note(struct refusals *refusals, uid_t uid, double now_s,
		   uint64_t *ret_more);
