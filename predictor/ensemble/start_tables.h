/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_tables.h - a file of what models have learned elsewhere
 *
 * For ensemble_set_start(); written by `spredict backtest --save-tables`, read
 * by its --start-tables and by predictd (StartTables of predict.conf).
 */
#pragma once

#include "predictor/base/error.h"

/* Read the text of the file, which the caller frees.  NULL: it cannot be read,
 * or is no such file; the error names it, and the line. */
char *start_tables_read(const char *path, struct sp_error *err);

/* Make it anew. */
int start_tables_write(const char *path, const char *text,
		       struct sp_error *err);
