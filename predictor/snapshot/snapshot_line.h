/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_line.h - the lines of a snapshot's text, one at a time
 *
 * snapshot_text.c has the format.  All but snapshot_line_next() return 0, or -1
 * with the reader's `err` set, which names the line.
 */
#pragma once

#include "predictor/snapshot/snapshot_state.h"

struct snapshot_reader {
	const char *at, *end; /* rest of the text */
	const char *word;     /* next word of the line */
	const char *line_end;
	uint64_t line;
	int format; /* of the text */
	struct sp_error *err;
};

/* Sets `err`; -1. */
int snapshot_line_bad(const struct snapshot_reader *r, const char *what);

/* Go to the next line.  False: no complete line is left. */
bool snapshot_line_next(struct snapshot_reader *r);

/* Find the next word, of less than `size` bytes. */
int snapshot_line_word(struct snapshot_reader *r, char *ret, size_t size);

/* Digits only; `base` 10 or 16. */
int snapshot_line_number(struct snapshot_reader *r, int base, uint64_t max,
			 uint64_t *ret);

/* Find the rest of a line about one of these. */
int snapshot_line_node(struct snapshot_reader *r, struct snapshot_node *ret);
int snapshot_line_pair(struct snapshot_reader *r, struct snapshot_pair *ret);
int snapshot_line_job(struct snapshot_reader *r, struct snapshot_job *ret);
int snapshot_line_model(struct snapshot_reader *r, struct placement_model *ret);

/* Find the first line; `*ret_before` is the version that the text is a
 * delta to. */
int snapshot_line_head(struct snapshot_reader *r, struct snapshot *ret,
		       uint64_t *ret_before);
