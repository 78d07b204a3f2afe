/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - which uid may do what
 *
 * root may do everything.  Operators see the jobs of all users, collectors may
 * report runs and measurements; any other uid is a user, who sees own
 * jobs only.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "predictor/base/error.h"

#define ACCESS_UIDS_MAX 256

enum role {
	ROLE_ANYBODY, /* no identity needed */
	ROLE_USER,
	ROLE_OPERATOR,
	ROLE_COLLECTOR
};

struct access_list {
	size_t count;
	uid_t uids[ACCESS_UIDS_MAX];
};

struct access_lists {
	struct access_list operators, collectors, never_proxied;
};

/* Fails when the list is full.  A uid may be added twice. */
int access_list_add(struct access_list *list, uid_t uid, struct sp_error *err);

/* Return whether `uid` is an operator or a collector. */
bool access_is_trusted(const struct access_lists *access, uid_t uid);

/* Return whether the name that a proxy sends may be that of `uid`. */
bool access_may_be_proxied(const struct access_lists *access, uid_t uid);

/* Return whether `uid` has `role`. */
bool access_allows(const struct access_lists *access, uid_t uid,
		   enum role role);
