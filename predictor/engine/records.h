/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.h - the newest of many structs, found by a key
 *
 * A ring of bytes of fixed size: adding drops the oldest when there is no room.
 * Structs are kept packed, without their runs of zero bytes, of which those
 * with texts have many: a prediction takes a fifth of its size.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct records;

/* For structs of `size` bytes (under 64 KiB) without pointers; at most
 * `count_max` of them, and `bytes_max` packed.  Memory is touched only as it
 * fills.  NULL: out of memory. */
struct records *records_create(size_t size, uint32_t count_max,
			       size_t bytes_max);
void records_destroy(struct records *r); /* NULL is allowed */

/* Keep a copy of `record` under `key`, instead of the one that was there.
 * `marked`: counted by records_marked(). -1: out of memory, nothing changed.
 */
int records_put(struct records *r, uint64_t key, const void *record,
		bool marked);

/* Replace the record of that key; it keeps its place and age if the new one
 * takes no more bytes.  Nothing happens if it is not there or memory runs
 * out. */
void records_update(struct records *r, uint64_t key, const void *record);

/* Copy the record of that key to `ret`; -1: there is none. */
int records_get(const struct records *r, uint64_t key, void *ret);

/* Copy one after the other, the oldest first, to `ret`; *cursor is 0 at first.
 * -1: there are no more, for now.  Those put meanwhile come, too, in order;
 * those dropped meanwhile do not. */
int records_next(const struct records *r, uint64_t *cursor, void *ret);

/* How many there are, and how many of these are marked. */
uint32_t records_count(const struct records *r);
uint32_t records_marked(const struct records *r);
