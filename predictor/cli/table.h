/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - aligned columns for people
 *
 * Cells are added from left to right, row after row.  Control characters, which
 * could change the state of a terminal, are shown as '?'.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "predictor/base/error.h"

#define TABLE_COLUMNS_MAX 40

struct table_column {
	const char *header; /* all "": no header line */
	bool right;         /* align right, for numbers */
	bool folded;        /* the last column: in several lines if too long */
	unsigned min;       /* cut to no fewer characters where the table is too
			       wide, with a '+' as sacct does; 0: not cut */
};

struct table;

/* How all tables are printed: without headers, and with a '|' between cells,
 * neither aligned nor cut. */
extern struct table_style {
	bool no_header, parsable;
} table_style;

/* `columns` ends with a NULL header and must outlive the table.  NULL: out of
 * memory. */
struct table *table_create(const struct table_column columns[]);
/* The same with headers as in "NODE, >CPUS, ~NOTE": '>' aligns the column
 * right, '~' folds the last one. */
struct table *table_create_heads(const char *heads);
void table_destroy(struct table *table); /* NULL is allowed */

/* Add a cell.  An empty one is shown as "-".  table_print() fails if memory ran
 * out before, or if the table is NULL. */
void table_cell(struct table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a cell with a number, a span of time, a moment or a quantity, or "-" if
 * it is NAN. */
void table_number(struct table *table, const char *format, double number)
	__attribute__((format(printf, 2, 0)));
void table_span(struct table *table, double seconds);
void table_time(struct table *table, double time_s);
void table_quantity(struct table *table, double value, const char *unit);

/* Add a name and its value: two cells. */
void table_fact(struct table *table, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Fold and cut what is beyond `width` columns; else nothing is. */
void table_fit(struct table *table, size_t width);

/* A table with headers and no row also says so on the standard error. */
int table_print(const struct table *table, FILE *file, struct sp_error *err);
/* The same to the standard output; the table is destroyed. */
int table_finish(struct table *table, struct sp_error *err);
