/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_unknown.h - pieces of a word whose value is not known
 *
 * They stay as they are written: $NAME, ${...}, $(...) and `...`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SHELL_UNKNOWN_MAX \
	256 /* bytes of a piece; bounds the search for its end */

/* Return the length of the piece at `text`, 0: there is none. */
size_t shell_unknown_length(const char *text, size_t size);

/* Copy the last part of a path, without a '/' behind it.  False: it is not
 * known, or says nothing ("..", "/"), or does not fit. */
bool shell_known_part(const char *path, char *ret, size_t size);

/* Return whether the word is one such piece. */
bool shell_is_unknown(const char *word);

/* Return whether there is such a piece in the word. */
bool shell_has_unknown(const char *word);
