/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - aligned columns for people */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/table.h"

#define CELL_MAX 4096 /* bytes; a hostlist of many nodes is cut */

struct table {
	const struct table_column *columns;
	size_t width; /* columns */
	size_t count, size;
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

void table_destroy(struct table *table)
{
	if (!table)
		return;
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
	if (table->count == table->size) {
		size_t size = table->size ? 2 * table->size : 64;
		char **cells = reallocarray(table->cells, size, sizeof(*cells));

		if (!cells)
			return -1;
		table->cells = cells;
		table->size = size;
	}

	char *copy = strdup(text);

	if (!copy)
		return -1;
	table->cells[table->count++] = copy;
	return 0;
}

void table_cell(struct table *table, const char *format, ...)
{
	char text[CELL_MAX];
	va_list arguments;

	if (!table)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	remove_controls(text);
	if (add_cell(table, text[0] ? text : "-"))
		table->out_of_memory = true;
}

void table_number(struct table *table, const char *format, double number)
{
	char text[64];

	snprintf(text, sizeof(text), format, number);
	table_cell(table, "%s", isnan(number) ? "-" : text);
}

/* Characters of UTF-8, all taken as one column wide. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void print_cell(FILE *file, const char *text, size_t width, bool right,
		       bool last)
{
	int pad = (int)(width - text_width(text));

	if (right)
		fprintf(file, "%*s%s%s", pad, "", text, last ? "\n" : "  ");
	else if (last)
		fprintf(file, "%s\n", text);
	else
		fprintf(file, "%s%*s", text, pad + 2, "");
}

int table_print(const struct table *table, FILE *file, struct sp_error *err)
{
	size_t widths[TABLE_COLUMNS_MAX] = { 0 };
	bool headed = false;

	if (!table || table->out_of_memory || !table->width)
		return sp_error_set(err, "out of memory");

	size_t n = table->width;

	for (size_t i = 0; i < n; i++) {
		widths[i] = text_width(table->columns[i].header);
		headed |= widths[i] > 0;
	}
	for (size_t i = 0; i < table->count; i++) {
		size_t width = text_width(table->cells[i]);

		if (width > widths[i % n])
			widths[i % n] = width;
	}
	for (size_t i = 0; headed && i < n; i++)
		print_cell(file, table->columns[i].header, widths[i],
			   table->columns[i].right, i == n - 1);
	for (size_t i = 0; i < table->count; i++)
		print_cell(file, table->cells[i], widths[i % n],
			   table->columns[i % n].right, i % n == n - 1);
	return 0;
}
