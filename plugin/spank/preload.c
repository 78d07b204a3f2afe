/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preload.c - LD_PRELOAD with our library before those of the user */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/preload.h"

char *preload_join(const char *library, const char *loaded)
{
	char *text;
	int length;

	if (strstr(loaded, library))
		return NULL;
	length = asprintf(&text, "%s%s%s", library, *loaded ? ":" : "", loaded);
	if (length < 0)
		return NULL;
	if ((size_t)length > PRELOAD_TEXT_MAX) {
		free(text);
		return NULL;
	}
	return text;
}
