/* table.h - aligned columns for people
 *
 * Cells are added from left to right, row after row.  Nothing in a cell can
 * upset a terminal: control characters are shown as '?'.
 */
#ifndef PREDICTOR_CLI_TABLE_H
#define PREDICTOR_CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "predictor/base/error.h"

#define TABLE_COLUMNS_MAX 40

struct table_column {
	const char *header; /* "": a table of facts, without a header line */
	bool right;         /* numbers are aligned at their ends */
};

struct table;

/* `columns` ends with a NULL header and must outlive the table.  NULL: memory
 * ran out. */
struct table *table_create(const struct table_column columns[]);
void table_destroy(struct table *table); /* NULL is allowed */

/* The next cell.  An empty one is shown as "-".  When memory ran out,
 * table_print() says so; a NULL table counts as that too. */
void table_cell(struct table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A cell with a number, or "-" if it is NAN. */
void table_number(struct table *table, const char *format, double number)
	__attribute__((format(printf, 2, 0)));

int table_print(const struct table *table, FILE *file, struct sp_error *err);

#endif
