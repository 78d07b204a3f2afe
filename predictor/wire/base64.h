/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base64.h - bytes in a message (RFC 4648, section 4) */
#pragma once

#include <stddef.h>

/* Characters for `bytes` bytes, with a terminator. */
#define WIRE_BASE64_SIZE(bytes) (((bytes) + 2) / 3 * 4 + 1)

/* Returns the characters written, without the terminator. */
size_t wire_base64_encode(const unsigned char *bytes, size_t size, char *out);

/* Return bytes of base64 to `out`, which has room for 3/4 of them.  -1: it
 * is none. */
long wire_base64_decode(const char *text, size_t size, unsigned char *out);
