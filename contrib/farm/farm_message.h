/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_message.h - chunks and their results, as bytes
 *
 * Both are a header and a record for each task: its number, the bytes that
 * follow, and these.  A master and its workers are one program, so numbers are
 * those of the machine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message_head {
	uint32_t iteration;
	uint32_t tasks;
	/* In a result: time of the tasks, and the sum of its squares. */
	double sum_s, squares_s;
};

struct message_record {
	uint32_t task;
	uint32_t bytes;
};

/* A text that grows.  All zero: empty. */
struct message {
	unsigned char *of;
	size_t size, capacity;
	size_t record; /* where the last one begins */
	bool failed;   /* out of memory, or too large for MPI */
};

void message_clear(struct message *message); /* frees */

void message_begin(struct message *message, uint32_t iteration);
struct message_head *message_head_of(struct message *message);

/* Room for that many bytes at the end; NULL: none. */
unsigned char *message_reserve(struct message *message, size_t bytes);

/* Begin a record, whose bytes are then appended, and end it.  When something
 * did not fit, the first two fail, as does the end: the record is as if it had
 * never begun. */
int message_record_begin(struct message *message, uint32_t task);
int message_append(struct message *message, const void *bytes, size_t count);
int message_record_end(struct message *message);

/* Find the next record at *at, which begins with 0.  False: there is none. */
bool message_next(const struct message *message, size_t *at,
		  struct message_record *ret, const unsigned char **ret_bytes);
