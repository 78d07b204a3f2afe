/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_batch.c - items in one transaction; halving it to find bad ones */
#include <string.h>

#include "predictor/store/write_batch.h"

static int write_transaction(struct connection *connection,
			     const struct batch_writer *writer,
			     void *const items[], size_t count, void *context,
			     struct sp_error *err)
{
	if (connection_query(connection, "BEGIN", NULL, err) < 0 ||
	    writer->write(connection, items, count, context, err) < 0 ||
	    connection_query(connection, "COMMIT", NULL, err) < 0)
		return -1;
	return 0;
}

int batch_write(struct connection *connection,
		const struct batch_writer *writer, void *const items[],
		size_t count, void *context, struct sp_error *err)
{
	if (count == 0)
		return 0;
	if (write_transaction(connection, writer, items, count, context, err) ==
	    0) {
		for (size_t i = 0; writer->stored && i < count; i++)
			writer->stored(items[i]);
		return 0;
	}
	if (!connection_data_refused(connection)) {
		connection_close(connection);
		return -1;
	}
	struct sp_error why = *err;
	size_t half = count / 2;

	if (connection_query(connection, "ROLLBACK", NULL, err) < 0) {
		connection_close(connection);
		return -1;
	}
	if (count == 1) {
		writer->refused(items[0], context, &why);
		return 0;
	}
	if (batch_write(connection, writer, items, half, context, err) < 0)
		return -1;
	return batch_write(connection, writer, items + half, count - half,
			   context, err);
}

int batch_run_rows(struct connection *connection,
		   const struct statement *statement, struct rows *rows,
		   const int64_t *number, struct sp_error *err)
{
	if (rows->columns[0].count == 0)
		return 0;
	return connection_run(connection, statement, rows, number, NULL, err);
}

int batch_run_columns(struct connection *connection,
		      const struct statement *statement,
		      const struct rows *rows, const char *const names[],
		      struct sp_error *err)
{
	struct rows part = { .table = rows->table };

	if (rows->columns[0].count == 0)
		return 0;
	for (int n = 0; names[n]; n++)
		for (int i = 0; i < rows->columns_count; i++)
			if (strcmp(rows->names[i], names[n]) == 0)
				part.columns[part.columns_count++] =
					rows->columns[i];
	return connection_run(connection, statement, &part, NULL, NULL, err);
}
