/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_pattern.h - patterns of the shell: `*`, `?`, `[a-z]`
 *
 * Time is linear in the text, whatever the pattern: fnmatch() takes its square
 * for each of the parts that ${NAME%pattern} tries.
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SHELL_PATTERN_MAX  63 /* characters, sets and stars */
#define SHELL_PATTERN_NONE ((size_t)-1)

/* What of the text is matched. */
enum shell_pattern_part {
	SHELL_PATTERN_WHOLE,
	SHELL_PATTERN_HEAD, /* a beginning of it */
	SHELL_PATTERN_TAIL, /* an end of it */
};

/* Match the first `size` bytes of the pattern.  *ret_length gets the length of
 * the shortest or longest part that matches, or SHELL_PATTERN_NONE.  False: the
 * pattern is too long or takes too long, or has a class as [[:digit:]]. */
bool shell_pattern_match(const char *pattern, size_t size, const char *text,
			 size_t length, enum shell_pattern_part part,
			 bool longest, size_t *ret_length);
