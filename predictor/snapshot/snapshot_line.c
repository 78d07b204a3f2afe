/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_line.c - parse the lines of a snapshot's text, one at a time
 *
 * Every word is checked for length and range, and every line for leftovers;
 * columns are those of the tables in snapshot_text.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/snapshot/snapshot_line.h"

/* --- Words of a line ------------------------------------------------------ */

int snapshot_line_bad(const struct snapshot_reader *r, const char *what)
{
	return sp_error_set(r->err, "snapshot, line %" PRIu64 ": %s", r->line,
			    what);
}

bool snapshot_line_next(struct snapshot_reader *r)
{
	const char *end =
		r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at))
			       : NULL;

	if (!end)
		return false;
	r->word = r->at;
	r->line_end = end;
	r->at = end + 1;
	r->line++;
	return true;
}

int snapshot_line_word(struct snapshot_reader *r, char *ret, size_t size)
{
	size_t length = 0;

	while (r->word + length < r->line_end && r->word[length] != ' ')
		length++;
	if (length == 0 || !piece_copy(ret, size, r->word, length))
		return snapshot_line_bad(r, "a word is missing or too long");
	r->word += length;
	r->word += r->word < r->line_end; /* the blank */
	return 0;
}

int snapshot_line_number(struct snapshot_reader *r, int base, uint64_t max,
			 uint64_t *ret)
{
	char word[24];
	char *end;

	if (snapshot_line_word(r, word, sizeof(word)))
		return -1;
	errno = 0;
	*ret = strtoull(word, &end, base);
	if (*end || errno || *ret > max || !strchr("0123456789abcdef", word[0]))
		return snapshot_line_bad(r, "bad number");
	return 0;
}

static int read_u32(struct snapshot_reader *r, uint32_t max, uint32_t *ret)
{
	uint64_t number;

	if (snapshot_line_number(r, 10, max, &number))
		return -1;
	*ret = (uint32_t)number;
	return 0;
}

/* Without strtoull(), since this is most of the text. */
static int read_column(struct snapshot_reader *r,
		       const struct snapshot_column *column, char *into)
{
	const char *p = r->word;
	double units = 0;
	float value;

	if (p < r->line_end && *p == '-') {
		p++;
		units = NAN;
	} else {
		for (; p < r->line_end && *p >= '0' && *p <= '9'; p++)
			units = units * 10 + (*p - '0');
	}
	if (p == r->word || (p < r->line_end && *p != ' ') ||
	    units > column->max || (isnan(units) && column->required))
		return snapshot_line_bad(r, "bad number");
	value = (float)(units / column->units_per_one);
	memcpy(into + column->offset, &value, sizeof(value));
	r->word = p + (p < r->line_end);
	return 0;
}

static int read_columns(struct snapshot_reader *r,
			const struct snapshot_column *columns, void *into)
{
	for (; columns->units_per_one > 0; columns++)
		if (read_column(r, columns, into))
			return -1;
	return 0;
}

static int end_line(const struct snapshot_reader *r)
{
	return r->word == r->line_end ? 0
				      : snapshot_line_bad(r, "line too long");
}

/* --- Lines ---------------------------------------------------------------- */

static int read_leaf(struct snapshot_reader *r, uint32_t *ret)
{
	if (r->word < r->line_end && *r->word == '-') {
		char word[2];

		*ret = SNAPSHOT_NONE;
		return snapshot_line_word(r, word, sizeof(word));
	}
	return read_u32(r, SNAPSHOT_LEAVES_MAX - 1, ret);
}

int snapshot_line_node(struct snapshot_reader *r, struct snapshot_node *ret)
{
	return snapshot_line_word(r, ret->name, sizeof(ret->name)) ||
			       read_leaf(r, &ret->leaf) ||
			       read_columns(r, snapshot_node_columns, ret) ||
			       end_line(r)
		       ? -1
		       : 0;
}

int snapshot_line_pair(struct snapshot_reader *r, struct snapshot_pair *ret)
{
	if (read_u32(r, SNAPSHOT_LEAVES_MAX - 1, &ret->a) ||
	    read_u32(r, SNAPSHOT_LEAVES_MAX - 1, &ret->b) ||
	    read_columns(r, snapshot_pair_columns, ret) || end_line(r))
		return -1;
	return ret->a < ret->b
		       ? 0
		       : snapshot_line_bad(r, "leaves are not in order");
}

/* Which may be missing, as they are in an older format. */
static int read_weights(struct snapshot_reader *r, struct placement_model *ret)
{
	char letters[PLACEMENT_WEIGHTS_SIZE];

	ret->weights = (struct placement_weights){ .count = 0 };
	if (r->word == r->line_end || r->format <= SNAPSHOT_FORMAT_OLDEST)
		return end_line(r);
	if (snapshot_line_word(r, letters, sizeof(letters)))
		return -1;
	if (placement_weights_parse(letters, ret->nodes, &ret->weights))
		return snapshot_line_bad(r, "bad weights");
	return end_line(r);
}

int snapshot_line_model(struct snapshot_reader *r, struct placement_model *ret)
{
	uint32_t basis;

	if (read_u32(r, PLACEMENT_BASES - 1, &basis) ||
	    read_u32(r, UINT32_MAX, &ret->nodes) ||
	    read_u32(r, UINT32_MAX, &ret->tasks) ||
	    read_u32(r, UINT32_MAX, &ret->curve.from) ||
	    read_u32(r, UINT32_MAX, &ret->curve.reach))
		return -1;
	ret->basis = (enum placement_basis)basis;
	return read_columns(r, snapshot_job_columns, ret) ||
			       read_weights(r, ret)
		       ? -1
		       : 0;
}

int snapshot_line_job(struct snapshot_reader *r, struct snapshot_job *ret)
{
	return snapshot_line_number(r, 16, UINT64_MAX, &ret->id)
		       ? -1
		       : snapshot_line_model(r, &ret->model);
}

int snapshot_line_head(struct snapshot_reader *r, struct snapshot *ret,
		       uint64_t *ret_before)
{
	uint64_t format, time_ms;
	char word[16];

	if (!snapshot_line_next(r))
		return snapshot_line_bad(r, "empty");
	if (snapshot_line_word(r, word, sizeof(word)) ||
	    strcmp(word, "snapshot") != 0 ||
	    snapshot_line_number(r, 10, SNAPSHOT_FORMAT, &format) ||
	    format < SNAPSHOT_FORMAT_OLDEST)
		return snapshot_line_bad(r, "not a snapshot");
	r->format = (int)format;
	if (snapshot_line_number(r, 16, UINT64_MAX, &ret->epoch) ||
	    snapshot_line_number(r, 10, UINT64_MAX, &ret->version) ||
	    snapshot_line_number(r, 10, UINT64_MAX, ret_before) ||
	    snapshot_line_number(r, 10, UINT64_MAX, &time_ms) ||
	    snapshot_line_word(r, ret->cluster, sizeof(ret->cluster)))
		return -1;
	ret->made_at_s = (double)time_ms / 1e3;
	return 0;
}
