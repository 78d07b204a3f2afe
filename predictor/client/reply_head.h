/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_head.h - the head of an HTTP reply, and where its body ends
 *
 * HTTP/1.1 [1] as predictd and proxies before it speak it: a body has a length,
 * or lasts until the connection ends.  Bodies in chunks are refused.
 *
 * [1] R. Fielding, M. Nottingham, J. Reschke: HTTP/1.1, RFC 9112, 2022.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPLY_TO_END UINT64_MAX /* a length that is not given */

struct reply_head {
	size_t size; /* bytes, with the empty line */
	int status;
	uint64_t length; /* of the body; REPLY_TO_END: none is given */
	bool last;       /* the server closes the connection after it */
};

/* Read the head that a terminated text begins with; the text is changed
 * meanwhile.  1: it is whole; 0: more must be read; -1: this is no reply of
 * HTTP/1 that is understood. */
int reply_head_read(char *text, struct reply_head *ret);
