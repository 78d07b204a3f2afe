/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.c - which uid may do what */
#include "predictor/http/gate/access.h"

static bool list_contains(const struct access_list *list, uid_t uid)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->uids[i] == uid)
			return true;
	return false;
}

int access_list_add(struct access_list *list, uid_t uid, struct sp_error *err)
{
	if (list_contains(list, uid))
		return 0;
	if (list->count == ACCESS_UIDS_MAX)
		return sp_error_set(err, "more than %d users", ACCESS_UIDS_MAX);
	list->uids[list->count++] = uid;
	return 0;
}

bool access_allows(const struct access_lists *access, uid_t uid, enum role role)
{
	switch (role) {
	case ROLE_ANYBODY:
	case ROLE_USER:
		return true;
	case ROLE_OPERATOR:
		return uid == 0 || list_contains(&access->operators, uid);
	case ROLE_COLLECTOR:
		return uid == 0 || list_contains(&access->collectors, uid);
	}
	return false;
}

/* A proxy that is deceived must not give away all users' jobs. */
bool access_may_be_proxied(const struct access_lists *access, uid_t uid)
{
	return uid != 0 && !list_contains(&access->never_proxied, uid);
}

bool access_is_trusted(const struct access_lists *access, uid_t uid)
{
	return access_allows(access, uid, ROLE_OPERATOR) ||
	       access_allows(access, uid, ROLE_COLLECTOR);
}
