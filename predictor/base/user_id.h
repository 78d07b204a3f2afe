/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_id.h - the uid of a user's name */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "predictor/base/error.h"

/* Ask the name service, which may take its time.  -1: it cannot say now; it may
 * know the name later.  *ret_uid is set if *ret_found. */
int user_id_find(const char *name, uid_t *ret_uid, bool *ret_found,
		 struct sp_error *err);
