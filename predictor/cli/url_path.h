/* SPDX-License-Identifier: GPL-2.0-or-later */
/* url_path.h - the path of a request, with a query string */
#pragma once

#include "predictor/base/error.h"

#define URL_PATH_SIZE 768

/* Append "?name=value" or "&name=value"; special characters become %XX.  A NULL
 * value adds nothing.  Fails if the path becomes too long. */
int url_path_add(char path[URL_PATH_SIZE], const char *name, const char *value,
		 struct sp_error *err);

/* The same with a number; one that is not finite adds nothing. */
int url_path_add_number(char path[URL_PATH_SIZE], const char *name,
			double value, struct sp_error *err);
