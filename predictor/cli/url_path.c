/* SPDX-License-Identifier: GPL-2.0-or-later */
/* url_path.c - the path of a request, with a query string */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "predictor/cli/url_path.h"

int url_path_add(char path[URL_PATH_SIZE], const char *name, const char *value,
		 struct sp_error *err)
{
	char added[URL_PATH_SIZE];
	size_t used;

	if (!value)
		return 0;
	used = (size_t)snprintf(added, sizeof(added),
				"%c%s=", strchr(path, '?') ? '&' : '?', name);
	for (; *value && used < sizeof(added) - 4; value++) {
		unsigned char c = (unsigned char)*value;
		bool unreserved = isalnum(c) || strchr("-._~", c);

		used += (size_t)snprintf(added + used, sizeof(added) - used,
					 unreserved ? "%c" : "%%%02X", c);
	}
	if (*value || strlen(path) + used >= URL_PATH_SIZE)
		return sp_error_set(err, "%s: too long", name);
	strcat(path, added);
	return 0;
}

int url_path_add_number(char path[URL_PATH_SIZE], const char *name,
			double value, struct sp_error *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%.17g", value);
	return url_path_add(path, name, isfinite(value) ? text : NULL, err);
}
