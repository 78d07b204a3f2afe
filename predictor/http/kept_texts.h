/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_texts.h - big replies, kept for a second
 *
 * A list of a thousand nodes takes 20 ms to print.  What may be in it depends
 * on who asks: `scope` is the same for all who see the same.  Thread-safe.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/ordered_lock.h"

#define KEPT_TEXTS_MAX 32
#define KEPT_ALL_MAX   (16 << 20) /* bytes */
#define KEPT_LEAST     (16 << 10) /* bytes; shorter ones are not kept */
#define KEPT_S         1.0

struct kept_text {
	atomic_uint users; /* freed with the last one */
	double made_s;     /* of the monotonic clock */
	uint64_t scope;
	const char *target; /* path and query; behind the text */
	size_t size;
	char text[];
};

struct kept_texts {
	struct ordered_lock lock;
	size_t bytes;
	struct kept_text *rows[KEPT_TEXTS_MAX]; /* NULL: free */
};

void kept_texts_init(struct kept_texts *texts); /* all bytes are zero */
void kept_texts_clear(struct kept_texts *texts);

/* Return the text, for kept_text_release(), or NULL. */
struct kept_text *kept_texts_find(struct kept_texts *texts, const char *target,
				  uint64_t scope, double now_s);

/* Make a copy of a text that was made now, and keep it where there is room.
 * Return it, for kept_text_release(), or NULL if it is too short or memory ran
 * out. */
struct kept_text *kept_texts_put(struct kept_texts *texts, const char *target,
				 uint64_t scope, double now_s, const char *text,
				 size_t size);

void kept_text_release(struct kept_text *text); /* NULL is allowed */
