/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traces.c - storing and reading traces, in a reader of their own
 *
 * A block is one statement, so one transaction.  The traces of a job are
 * read one after the other: the run, its nodes, links, and blocks, which are
 * lent from the result.  The same lock of the database as in put_trace_block
 * of sql/.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/store/traces.h"

const struct connection_use traces_use = { trace_settings, trace_statements };

/* --- Storing -------------------------------------------------------------- */

struct block_task {
	struct reader_task task;
	store_trace_kept_fn *done;
	void *context;
	struct trace_block block;
	int64_t quota_bytes;
	char data[]; /* of the block */
};

#define NUMBER_SIZE 24
#define PUT_COUNT   13

static int run_block(struct connection *connection, struct reader_task *task,
		     struct sp_error *err)
{
	const struct block_task *t = (const void *)task;
	const struct trace_block *b = &t->block;
	char numbers[PUT_COUNT][NUMBER_SIZE];
	const int64_t values[PUT_COUNT] = {
		0,        b->job_id,    b->user_id,  b->ranks,       b->rank,
		b->block, b->raw_bytes, b->checksum, t->quota_bytes,
	};

	for (int i = 1; i < 9; i++)
		snprintf(numbers[i], NUMBER_SIZE, "%" PRId64, values[i]);

	const char *const parameters[PUT_COUNT] = {
		b->cluster,          numbers[1], b->mpi_run, numbers[2],
		numbers[3],          numbers[4], b->node,    numbers[5],
		b->last ? "t" : "f", numbers[6], numbers[7], t->data,
		numbers[8],
	};
	PGresult *result;

	if (connection_run_texts(connection, &statement_trace_put, PUT_COUNT,
				 parameters, &result, err))
		return -1;

	bool kept = column_read_int4(PQgetvalue(result, 0, 0)) != 0;

	PQclear(result);
	t->done(t->context, STORE_STORED, kept, NULL);
	return 0;
}

static void fail_block(struct reader_task *task, bool refused,
		       const struct sp_error *why)
{
	const struct block_task *t = (const void *)task;

	t->done(t->context, refused ? STORE_REFUSED : STORE_AGAIN, false, why);
}

int traces_put(struct reader *reader, const struct trace_block *block,
	       int64_t quota_bytes, store_trace_kept_fn *done, void *context,
	       struct sp_error *err)
{
	size_t size = strlen(block->data) + 1;
	struct block_task *t = malloc(sizeof(*t) + size);

	if (!t)
		return sp_error_set(err, "out of memory for a trace");
	*t = (struct block_task){
		.task = { .run = run_block, .fail = fail_block },
		.done = done,
		.context = context,
		.block = *block,
		.quota_bytes = quota_bytes,
	};
	memcpy(t->data, block->data, size);
	t->block.data = t->data;
	if (reader_put(reader, &t->task, err) == 0)
		return 0;
	free(t);
	return -1;
}

/* --- Reading -------------------------------------------------------------- */

struct traces_task {
	struct reader_task task;
	store_traces_fn *done;
	void *context;
	struct store_trace_query query;
};

/* Statements about one trace. */
static int run_for(struct connection *connection,
		   const struct statement *statement, int64_t id,
		   PGresult **ret, struct sp_error *err)
{
	char number[NUMBER_SIZE];
	const char *const parameters[] = { number };

	snprintf(number, sizeof(number), "%" PRId64, id);
	return connection_run_texts(connection, statement, 1, parameters, ret,
				    err);
}

/* Read all rows about a trace as structs of `size` bytes; NULL: it failed. */
static void *read_rows(struct connection *connection,
		       const struct statement *statement, int64_t id,
		       const struct row_table *table, size_t size,
		       int *ret_count, struct sp_error *err)
{
	PGresult *result;
	size_t count = 0;

	if (run_for(connection, statement, id, &result, err))
		return NULL;

	void *rows = rows_of_result(table, result, 0, size, &count, err);

	PQclear(result);
	*ret_count = (int)count;
	return rows;
}

static int read_nodes(struct connection *connection, struct store_trace *trace,
		      struct sp_error *err)
{
	struct run_trace *run = &trace->run;

	run->nodes = read_rows(connection, &statement_trace_nodes, trace->id,
			       &trace_node_columns, sizeof(*run->nodes),
			       &run->nodes_count, err);
	if (!run->nodes)
		return -1;
	run->measured = read_rows(connection, &statement_trace_links, trace->id,
				  &trace_link_columns, sizeof(*run->measured),
				  &run->measured_count, err);
	return run->measured ? 0 : -1;
}

/* In the order of statement_trace_parts; names end with a 0. */
enum { PART_RANK, PART_BLOCK, PART_NODE, PART_RAW, PART_DATA };

/* The blocks are lent from *ret_result. */
static int read_parts(struct connection *connection, struct store_trace *trace,
		      PGresult **ret_result, struct sp_error *err)
{
	PGresult *r;

	if (run_for(connection, &statement_trace_parts, trace->id, &r, err))
		return -1;

	size_t count = (size_t)PQntuples(r);

	*ret_result = r;
	trace->parts = calloc(count + 1, sizeof(*trace->parts));
	if (!trace->parts)
		return sp_error_set(err, "out of memory for a trace");
	for (size_t n = 0; n < count; n++) {
		struct store_trace_part *part = &trace->parts[n];
		int row = (int)n;
		const void *data = PQgetvalue(r, row, PART_DATA);

		part->rank = column_read_int4(PQgetvalue(r, row, PART_RANK));
		part->block = column_read_int4(PQgetvalue(r, row, PART_BLOCK));
		part->raw_bytes = (uint32_t)column_read_int4(
			PQgetvalue(r, row, PART_RAW));
		part->node = run_trace_find_node(&trace->run,
						 PQgetvalue(r, row, PART_NODE));
		part->size = (size_t)PQgetlength(r, row, PART_DATA);
		part->data = data;
	}
	trace->parts_count = count;
	return 0;
}

static int run_traces(struct connection *connection, struct reader_task *task,
		      struct sp_error *err)
{
	static const struct row_query query = { &statement_traces,
						&trace_query_columns,
						&trace_columns,
						sizeof(struct store_trace),
						0,
						NULL };
	const struct traces_task *t = (const void *)task;
	PGresult *blocks[STORE_TRACES_MAX] = { NULL };
	size_t count = 0;
	struct store_trace *traces =
		connection_rows(connection, &query, &t->query, &count, err);
	int rc = 0;

	if (!traces)
		return -1;

	if (count > STORE_TRACES_MAX)
		count = STORE_TRACES_MAX;
	for (size_t i = 0; !rc && i < count; i++)
		if (read_nodes(connection, &traces[i], err) ||
		    read_parts(connection, &traces[i], &blocks[i], err))
			rc = -1;
	if (!rc)
		t->done(t->context, STORE_STORED, traces, count, NULL);
	for (size_t i = 0; i < count; i++) {
		free(traces[i].run.nodes);
		free(traces[i].run.measured);
		free(traces[i].parts);
		PQclear(blocks[i]);
	}
	free(traces);
	return rc;
}

static void fail_traces(struct reader_task *task, bool refused UNUSED,
			const struct sp_error *why)
{
	const struct traces_task *t = (const void *)task;

	t->done(t->context, STORE_AGAIN, NULL, 0, why);
}

int traces_get(struct reader *reader, const struct store_trace_query *query,
	       store_traces_fn *done, void *context, struct sp_error *err)
{
	const struct traces_task t = {
		.task = { .run = run_traces, .fail = fail_traces },
		.done = done,
		.context = context,
		.query = *query,
	};

	return reader_put_copy(reader, &t, sizeof(t), err);
}
