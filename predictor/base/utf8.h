/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - texts that JSON and PostgreSQL take
 *
 * Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Return bytes of the character that `text` begins with; 0: there is none. */
size_t utf8_character(const char *text, size_t size);

bool utf8_is_valid(const char *text, size_t size);

/* Make it valid: each byte that is not part of a character becomes '?'. */
void utf8_repair(char *text, size_t size);
