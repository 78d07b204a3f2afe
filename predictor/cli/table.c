/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - aligned columns for people */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/base/index.h"
#include "predictor/cli/fold.h"
#include "predictor/cli/quantity.h"
#include "predictor/cli/table.h"
#include "predictor/cli/timestamp.h"

#define CELL_MAX 4096 /* bytes; a hostlist of many nodes is cut */

struct table_style table_style;

struct table {
	const struct table_column *columns;
	struct table_column parsed[TABLE_COLUMNS_MAX + 1];
	char *heads;  /* of these; NULL: there are none */
	size_t width; /* columns */
	size_t fit;   /* columns of the terminal; 0: any */
	uint32_t count, size;
	char **cells;
	bool out_of_memory;
};

struct table *table_create(const struct table_column columns[])
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->columns = columns;
	while (table->width < TABLE_COLUMNS_MAX && columns[table->width].header)
		table->width++;
	return table;
}

struct table *table_create_heads(const char *heads)
{
	char *copy = strdup(heads), *rest = copy;
	struct table_column parsed[TABLE_COLUMNS_MAX + 1] = { 0 };

	for (size_t n = 0; rest && n < TABLE_COLUMNS_MAX; n++) {
		char *head = strsep(&rest, ",");

		head += *head == ' ';
		parsed[n].right = *head == '>';
		parsed[n].folded = *head == '~';
		parsed[n].header = head + (parsed[n].right || parsed[n].folded);
	}

	struct table *table = copy ? table_create(parsed) : NULL;

	if (!table) {
		free(copy);
		return NULL;
	}
	memcpy(table->parsed, parsed, sizeof(parsed));
	table->columns = table->parsed;
	table->heads = copy;
	return table;
}

void table_destroy(struct table *table)
{
	if (!table)
		return;
	free(table->heads);
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	free(table);
}

/* Control characters, also the one-byte and the UTF-8 form of those above
 * 127, could move the cursor or change colours. */
static void remove_controls(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++) {
		if (*c < 0x20 || *c == 0x7f)
			*c = '?';
		else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
			c[0] = c[1] = '?';
	}
}

static int add_cell(struct table *table, const char *text)
{
	if (index_grow(&table->cells, &table->size, table->count,
		       sizeof(*table->cells)))
		return -1;

	char *copy = strdup(text);

	if (!copy)
		return -1;
	table->cells[table->count++] = copy;
	return 0;
}

__attribute__((format(printf, 2, 0))) static void
print_into(struct table *table, const char *format, va_list arguments)
{
	char text[CELL_MAX];

	if (!table)
		return;
	vsnprintf(text, sizeof(text), format, arguments);
	remove_controls(text);
	if (add_cell(table, text[0] ? text : "-"))
		table->out_of_memory = true;
}

void table_cell(struct table *table, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_into(table, format, arguments);
	va_end(arguments);
}

void table_fact(struct table *table, const char *name, const char *format, ...)
{
	va_list arguments;

	table_cell(table, "%s", name);
	va_start(arguments, format);
	print_into(table, format, arguments);
	va_end(arguments);
}

void table_number(struct table *table, const char *format, double number)
{
	char text[64];

	snprintf(text, sizeof(text), format, number);
	table_cell(table, "%s", isnan(number) ? "-" : text);
}

void table_span(struct table *table, double seconds)
{
	table_cell(table, "%s", DURATION_BRIEF(seconds));
}

void table_time(struct table *table, double time_s)
{
	table_cell(table, "%s", TIMESTAMP(time_s));
}

void table_quantity(struct table *table, double value, const char *unit)
{
	table_cell(table, "%s", QUANTITY(value, unit));
}

void table_fit(struct table *table, size_t width)
{
	if (table)
		table->fit = width;
}

/* The bytes of the first `columns` characters. */
static int head_bytes(const char *text, size_t columns)
{
	size_t i = 0;

	for (; text[i]; i++)
		if ((text[i] & 0xc0) != 0x80 && columns-- == 0)
			break;
	return (int)i;
}

static void print_cell(FILE *file, const char *text, size_t width, bool right,
		       bool last)
{
	size_t needed = fold_columns(text);
	int pad = needed < width ? (int)(width - needed) : 0;

	if (needed > width)
		fprintf(file, "%.*s+", head_bytes(text, width - 1), text);
	else
		fprintf(file, "%*s%s", right ? pad : 0, "", text);
	if (last)
		fputc('\n', file);
	else
		fprintf(file, "%*s", right ? 2 : pad + 2, "");
}

/* Take from the widest column that may be cut, until the table fits. */
static void cut_columns(const struct table *table,
			size_t widths[TABLE_COLUMNS_MAX])
{
	size_t whole = 2 * (table->width - 1);

	for (size_t i = 0; i < table->width; i++)
		whole += widths[i];
	for (; table->fit && whole > table->fit; whole--) {
		size_t *widest = NULL;

		for (size_t i = 0; i < table->width; i++)
			if (table->columns[i].min &&
			    widths[i] > table->columns[i].min &&
			    (!widest || widths[i] > *widest))
				widest = &widths[i];
		if (!widest)
			return;
		--*widest;
	}
}

static void print_parsable(const char *cell, bool last, FILE *file)
{
	for (; *cell; cell++)
		fputc(*cell == '|' ? '?' : *cell, file);
	fputc(last ? '\n' : '|', file);
}

static void print_row(const struct table *table, FILE *file,
		      char *const cells[], const size_t widths[])
{
	size_t last = table->width - 1;
	size_t indent = 2 * last;

	for (size_t i = 0; table_style.parsable && i <= last; i++)
		print_parsable(cells[i], i == last, file);
	if (table_style.parsable)
		return;
	for (size_t i = 0; i < last; i++) {
		print_cell(file, cells[i], widths[i], table->columns[i].right,
			   false);
		indent += widths[i];
	}
	if (table->columns[last].folded && table->fit)
		fold_print(file, cells[last], indent, table->fit);
	else
		print_cell(file, cells[last], widths[last],
			   table->columns[last].right, true);
}

int table_print(const struct table *table, FILE *file, struct sp_error *err)
{
	size_t widths[TABLE_COLUMNS_MAX] = { 0 };
	char *heads[TABLE_COLUMNS_MAX];
	bool headed = false;

	if (!table || table->out_of_memory || !table->width)
		return sp_error_set(err, "out of memory");

	size_t n = table->width;

	for (size_t i = 0; i < n; i++) {
		heads[i] = (char *)table->columns[i].header;
		widths[i] = fold_columns(heads[i]);
		headed |= widths[i] > 0 && !table_style.no_header;
	}
	for (size_t i = 0; i < table->count; i++) {
		size_t width = fold_columns(table->cells[i]);

		if (width > widths[i % n])
			widths[i % n] = width;
	}
	cut_columns(table, widths);
	if (headed)
		print_row(table, file, heads, widths);
	if (headed && !table->count)
		fputs("spredict: nothing matches, or nothing is known yet\n",
		      stderr);
	for (size_t i = 0; i + n <= table->count; i += n)
		print_row(table, file, &table->cells[i], widths);
	return 0;
}

int table_finish(struct table *table, struct sp_error *err)
{
	int rc = table_print(table, stdout, err);

	table_destroy(table);
	return rc;
}
