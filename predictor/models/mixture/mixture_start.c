/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_start.c - what the mixture learned elsewhere, to begin with
 *
 * Plan: the families that hold for any cluster are copied out of its tables
 * (mixture_start_of), merged over clusters, and written into the tables of a
 * new one, with a small part of their sums of squares: the smaller these are,
 * the faster the new cluster learns what differs there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/mixture/mixture_start.h"

#define HEADER "slurm-predict start tables 1" /* MIXTURE_START_BY_HAND */

/* The values set by hand count as if learned with this root of squares. */
#define HAND_WEIGHT 0.3

/* The part of the mean sum of squares that a new cluster begins with.  On ten
 * job logs, each begun with what the other nine had learned, the mean error as
 * a share of that of the last two runs was .7103 with .02, .7129 with .1, .7134
 * with 1. */
#define SQUARES_KEPT 0.02

#define THETA_MAX 100.0

const struct mixture_start_family mixture_start_families[] = {
	{ "match", ENTRY_MATCH, MIXTURE_MATCHES },
	{ "rank", ENTRY_RANK, MIXTURE_KINDS *MIXTURE_RANKS },
	{ "age", ENTRY_AGE, 2 * MIXTURE_AGES },
	{ "limit", ENTRY_LIMIT, MIXTURE_RATIOS },
	{ "end", ENTRY_END, 2 * OUTCOME_ENDS },
	{ "submitted", ENTRY_SUBMITTED, 2 * MIXTURE_SUBMITTED },
	{ "size", ENTRY_SIZE, MIXTURE_RATIOS },
	{ "value", ENTRY_VALUE, MIXTURE_VALUES },
	{ "gap", ENTRY_GAP, MIXTURE_LIKENESSES },
	{ "in_flight", ENTRY_IN_FLIGHT, MIXTURE_LIKENESSES },
	{ "last", ENTRY_LAST, MIXTURE_LIKENESSES },
	{ "surprise", ENTRY_SURPRISE, MIXTURE_KINDS *MIXTURE_SURPRISES },
	{ NULL, 0, 0 },
};

/* --- Between tables ------------------------------------------------------- */

void mixture_start_of(const struct mixture_tables *tables,
		      struct mixture_start *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (const struct mixture_start_family *f = mixture_start_families;
	     f->name; f++) {
		size_t size = (size_t)f->count * sizeof(ret->theta[0]);

		memcpy(&ret->theta[f->first], &tables->theta[f->first], size);
		memcpy(&ret->squares[f->first], &tables->S[f->first], size);
	}
}

static void start_by_hand(struct mixture_start *ret)
{
	mixture_tables_by_hand(ret->theta);
	memset(ret->squares, 0, sizeof(ret->squares));
}

static void entry_merge(const struct mixture_start *const starts[], int count,
			int entry, struct mixture_start *ret)
{
	double weights = HAND_WEIGHT;
	double theta = HAND_WEIGHT * (double)ret->theta[entry];
	double squares = 0;

	for (int i = 0; i < count; i++) {
		double s = (double)starts[i]->squares[entry];

		weights += sqrt(s);
		theta += sqrt(s) * (double)starts[i]->theta[entry];
		squares += s;
	}
	ret->theta[entry] = (float)(theta / weights);
	ret->squares[entry] = (float)(squares / count);
}

void mixture_start_merge(const struct mixture_start *const starts[], int count,
			 struct mixture_start *ret)
{
	start_by_hand(ret);
	for (const struct mixture_start_family *f = mixture_start_families;
	     f->name && count > 0; f++)
		for (int i = 0; i < f->count; i++)
			entry_merge(starts, count, f->first + i, ret);
}

void mixture_start_apply(const struct mixture_start *start,
			 struct mixture_tables *tables)
{
	for (const struct mixture_start_family *f = mixture_start_families;
	     f->name; f++)
		for (int i = f->first; i < f->first + f->count; i++) {
			tables->theta[i] = start->theta[i];
			tables->S[i] = (float)SQUARES_KEPT * start->squares[i];
		}
}

/* --- As text -------------------------------------------------------------- */

char *mixture_start_print(const struct mixture_start *start, size_t *ret_size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_size);

	float hand[MIXTURE_ENTRIES];

	if (!out)
		return NULL;
	mixture_tables_by_hand(hand);
	fputs(HEADER "\n", out);
	for (const struct mixture_start_family *f = mixture_start_families;
	     f->name; f++)
		for (int e = f->first; e < f->first + f->count; e++)
			if (start->squares[e] > 0 || start->theta[e] != hand[e])
				fprintf(out, "%s %d %.4g %.3g\n", f->name,
					e - f->first, (double)start->theta[e],
					(double)start->squares[e]);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static const struct mixture_start_family *family_find(const char *name,
						      size_t length)
{
	for (const struct mixture_start_family *f = mixture_start_families;
	     f->name; f++)
		if (strlen(f->name) == length && !memcmp(f->name, name, length))
			return f;
	return NULL;
}

/* " NUMBER" at *at, which goes on behind it. */
static int number_read(const char **at, double low, double high, double *ret)
{
	char *end;

	if (**at != ' ' || (*at)[1] == ' ')
		return -1;
	*ret = strtod(*at + 1, &end);
	if (end == *at + 1 || !(*ret >= low && *ret <= high))
		return -1;
	*at = end;
	return 0;
}

static int line_read(const char *line, struct mixture_start *ret)
{
	size_t length = strcspn(line, " ");
	const struct mixture_start_family *f = family_find(line, length);
	const char *at = line + length;
	double position, theta, squares;

	if (!f || number_read(&at, 0, f->count - 1, &position) ||
	    position != floor(position) ||
	    number_read(&at, -THETA_MAX, THETA_MAX, &theta) ||
	    number_read(&at, 0, 1e30, &squares) || *at)
		return -1;
	ret->theta[f->first + (int)position] = (float)theta;
	ret->squares[f->first + (int)position] = (float)squares;
	return 0;
}

int mixture_start_parse(const char *text, size_t size,
			struct mixture_start *ret, struct sp_error *err)
{
	char *copy =
		size <= MIXTURE_START_BYTES_MAX ? strndup(text, size) : NULL;
	char *rest = copy;
	int rc = 0;

	if (!copy)
		return sp_error_set(err, "%zu bytes are no start tables", size);
	start_by_hand(ret);
	for (int number = 1; !rc && rest && *rest; number++) {
		char *line = strsep(&rest, "\n");

		if (number == 1 ? strcmp(line, HEADER) != 0
				: *line && *line != '#' && line_read(line, ret))
			rc = sp_error_set(err, "line %d: no %s", number,
					  number == 1 ? "\"" HEADER "\""
						      : "entry of a table");
	}
	if (!rc && !*copy)
		rc = sp_error_set(err, "no start tables: it is empty");
	free(copy);
	return rc;
}
