/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue_record.c - jobs as squeue prints them in columns of fixed width */
#include <stdio.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/slurm/squeue_record.h"

/* Printed behind each column by squeue: a column that another release of Slurm
 * does not have, or prints wider, shows. */
#define COLUMN_END '|'

void squeue_format_make(const struct squeue_column columns[],
			char ret[SQUEUE_FORMAT_SIZE])
{
	size_t length = 0;

	for (const struct squeue_column *c = columns;
	     c->name && length < SQUEUE_FORMAT_SIZE; c++)
		length += (size_t)snprintf(ret + length,
					   SQUEUE_FORMAT_SIZE - length,
					   c->width ? "%s:%d%c," : "%s",
					   c->name, c->width, COLUMN_END);
}

void squeue_args_make(const char *squeue, const char *job, const char *cluster,
		      const struct squeue_column columns[],
		      struct squeue_args *ret)
{
	const char *const common[] = { squeue,         "--noheader", "--all",
				       "--states=all", "--jobs",     job,
				       "--Format",     ret->format };
	size_t count = sizeof(common) / sizeof(*common);

	squeue_format_make(columns, ret->format);
	memcpy(ret->argv, common, sizeof(common));
	if (cluster) {
		ret->argv[count++] = "--clusters";
		ret->argv[count++] = cluster;
	}
	ret->argv[count] = NULL;
}

/* Return the bytes of the column at `text`; -1: they are not all there. */
static long column_length(const struct squeue_column *column, const char *text,
			  const char *end)
{
	if (column->width == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		return newline ? newline - text : -1;
	}
	if (end - text <= column->width || text[column->width] != COLUMN_END)
		return -1;
	return column->width;
}

static int value_set(const struct squeue_column *column, const char *text,
		     size_t length, void *into)
{
	char value[SQUEUE_VALUE_SIZE];

	while (length && text[length - 1] == ' ')
		length--;
	/* Only a list of nodes is as long; a part of it would be wrong. */
	if (!piece_copy(value, sizeof(value), text, length))
		*value = '\0';
	return column->set ? column->set(into, value)
			   : slurm_member_read(&column->member, value, into);
}

int squeue_record_read(const struct squeue_column columns[],
		       const char **record, const char *end, void *into,
		       struct sp_error *err)
{
	const struct squeue_column *wrong = NULL;
	const char *text = *record;

	for (const struct squeue_column *c = columns; c->name; c++) {
		long length = column_length(c, text, end);

		if (length < 0)
			return sp_error_set(err,
					    "squeue printed no column %s of "
					    "%d bytes where it should be",
					    c->name, c->width);
		if (!wrong && value_set(c, text, (size_t)length, into))
			wrong = c;
		text += length + 1;
	}
	*record = text;
	if (!wrong)
		return 0;
	sp_error_set(err, "squeue: %s makes no sense", wrong->name);
	return 1;
}
