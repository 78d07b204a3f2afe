/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refusals.c - log whose requests are refused, without flooding the log */
#include "predictor/http/gate/refusals.h"

void refusals_init(struct refusals *refusals)
{
	ordered_lock_init(&refusals->lock, LOCK_REFUSALS);
}

void refusals_destroy(struct refusals *refusals)
{
	ordered_lock_destroy(&refusals->lock);
}

/* Return the place of a user, or else the one to be used for it. */
static struct refusals_user *place_find(struct refusals *refusals, uid_t uid)
{
	struct refusals_user *oldest = &refusals->users[0];

	for (size_t i = 0; i < REFUSALS_USERS_MAX; i++) {
		struct refusals_user *user = &refusals->users[i];

		if (user->used && user->uid == uid)
			return user;
		if (oldest->used &&
		    (!user->used || user->logged_s < oldest->logged_s))
			oldest = user;
	}
	return oldest;
}

bool refusals_note(struct refusals *refusals, uid_t uid, double now_s,
		   uint64_t *ret_more)
{
	bool due = true;

	ORDERED_LOCK_HOLD(&refusals->lock);

	struct refusals_user *user = place_find(refusals, uid);

	if (!user->used || user->uid != uid)
		*user = (struct refusals_user){ .uid = uid, .used = true };
	else
		due = now_s - user->logged_s >= REFUSALS_PERIOD_S;
	*ret_more = user->unlogged;
	if (due) {
		user->logged_s = now_s;
		user->unlogged = 0;
	} else {
		user->unlogged++;
	}
	return due;
}
