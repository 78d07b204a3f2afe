/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_id.c - the uid of a user's name */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/user_id.h"

/* An entry of a directory service may have a long field. */
#define ENTRY_FIRST 4096
#define ENTRY_MAX   (1 << 20)

/* Modules of the name service return these from getpwnam_r(3) for a name that
 * they do not have, instead of success without an entry. */
static bool means_absent(int code)
{
	return code == ENOENT || code == ESRCH;
}

int user_id_find(const char *name, uid_t *ret_uid, bool *ret_found,
		 struct sp_error *err)
{
	struct passwd entry, *found = NULL;
	int code = ERANGE;

	for (size_t size = ENTRY_FIRST; code == ERANGE && size <= ENTRY_MAX;
	     size *= 4) {
		char *buffer = malloc(size);

		if (!buffer)
			return sp_error_set(err, "out of memory");
		code = getpwnam_r(name, &entry, buffer, size, &found);
		if (!code && found)
			*ret_uid = entry.pw_uid;
		free(buffer);
	}
	if (code && !means_absent(code))
		return sp_error_set(err, "user %.64s: %s", name,
				    strerror(code));
	*ret_found = !code && found;
	return 0;
}
