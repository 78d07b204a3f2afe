/* SPDX-License-Identifier: GPL-2.0-or-later */
/* piece.h - copies of a piece of a longer text */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Copy the first `length` bytes of `text`, and terminate them.  Return false,
 * with `ret` as it was, if they do not fit into `size` bytes. */
static inline bool piece_copy(char *ret, size_t size, const char *text,
			      size_t length)
{
	if (length >= size)
		return false;
	memcpy(ret, text, length);
	ret[length] = '\0';
	return true;
}
