/* snapshot_line.h - the lines of a snapshot's text, one at a time
 *
 * What they hold is told in snapshot_text.c.  All but line_next() give 0, or -1
 * with the reader's `err` set, which names the line.
 */
#ifndef PREDICTOR_PLACEMENT_SNAPSHOT_LINE_H
#define PREDICTOR_PLACEMENT_SNAPSHOT_LINE_H

#include "predictor/placement/snapshot_state.h"

struct line_reader {
	const char *at, *end; /* of the text */
	const char *word;     /* the next one of the line */
	const char *line_end;
	uint64_t line;
	struct sp_error *err;
};

/* Set `err`: -1. */
int line_bad(const struct line_reader *r, const char *what);

/* Go to the next line.  False: there is no more whole one. */
bool line_next(struct line_reader *r);

/* The next word, of less than `size` bytes. */
int line_word(struct line_reader *r, char *ret, size_t size);

/* Digits only; `base` 10 or 16. */
int line_number(struct line_reader *r, int base, uint64_t max, uint64_t *ret);

/* The rest of a line that tells of one of these. */
int line_node(struct line_reader *r, struct snapshot_node *ret);
int line_pair(struct line_reader *r, struct snapshot_pair *ret);
int line_job(struct line_reader *r, struct snapshot_job *ret);
int line_model(struct line_reader *r, struct placement_model *ret);

/* The first line; `*ret_before` is the version on which the text follows. */
int line_head(struct line_reader *r, struct snapshot *ret,
	      uint64_t *ret_before);

#endif
