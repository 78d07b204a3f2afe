/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_batch.h - items in one transaction; halving it to find bad ones
 *
 * If the server refuses the data of a batch, its halves are tried, and so on,
 * until only the bad item is left out.
 */
#pragma once

#include "predictor/store/connection.h"

/* How items of a kind are written. */
struct batch_writer {
	/* Everything between BEGIN and COMMIT. */
	int (*write)(struct connection *connection, void *const items[],
		     size_t count, void *context, struct sp_error *err);
	void (*stored)(void *item); /* NULL: nothing is left to do */
	void (*refused)(void *item, void *context, const struct sp_error *why);
};

/* Write `count` items; `context` is passed on.  0: each is stored or refused,
 * and the writer's stored() or refused() was called.  -1: the server fails, and
 * the connection is closed. */
int batch_write(struct connection *connection,
		const struct batch_writer *writer, void *const items[],
		size_t count, void *context, struct sp_error *err);

/* For writers: run a statement on all columns of `rows`, unless it has no rows;
 * then `number` unless that is NULL. */
int batch_run_rows(struct connection *connection,
		   const struct statement *statement, struct rows *rows,
		   const int64_t *number, struct sp_error *err);

/* The same on those columns that are named; `names` ends with NULL. */
int batch_run_columns(struct connection *connection,
		      const struct statement *statement,
		      const struct rows *rows, const char *const names[],
		      struct sp_error *err);
