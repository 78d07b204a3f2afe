/* SPDX-License-Identifier: GPL-2.0-or-later */
/* copy.c - many rows at once, into PostgreSQL and out of it
 *
 * Out: rows are sent in pieces; what the server sends meanwhile is read, so
 * that neither side waits for the other.  In: each message of COPY is one or
 * more rows, the first with a head.  Waits have the connection's deadlines.
 */
#include <math.h>
#include <poll.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/store/copy.h"

/* Timeout for the next piece; before the first the server may have to sort all
 * rows. */
#define PIECE_S 120.0
#define PIECE   65536 /* bytes that are sent at once */

/* Signature, flags, length of an extension: the same for all. */
#define SIGNATURE_SIZE 11
#define HEAD_SIZE      19
static const char head[HEAD_SIZE] = "PGCOPY\n\377\r\n";
static const char end[2] = { '\377',
			     '\377' }; /* instead of a number of fields */

/* Start a COPY; the server's result must be `expected`. */
static int begin(struct connection *connection, const char *sql,
		 ExecStatusType expected, struct sp_error *err)
{
	double until_s = clock_monotonic_s() + PIECE_S;
	int unsent;

	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");
	if (!PQsendQuery(connection->pg, sql))
		return connection_lost(connection, err);
	while ((unsent = PQflush(connection->pg)) == 1 ||
	       PQisBusy(connection->pg)) {
		if (connection_wait(connection,
				    POLLIN | (unsent == 1 ? POLLOUT : 0),
				    until_s, err) < 0) {
			connection_close(connection);
			return -1;
		}
		if (!PQconsumeInput(connection->pg))
			return connection_lost(connection, err);
	}

	PGresult *result = PQgetResult(connection->pg);
	ExecStatusType status = PQresultStatus(result);

	if (status == expected) {
		PQclear(result);
		return 0;
	}
	/* Fail as a statement does. */
	return connection_refused(connection, result, err);
}

static int flush(struct connection *connection, struct sp_error *err)
{
	double until_s = clock_monotonic_s() + PIECE_S;
	int unsent;

	while ((unsent = PQflush(connection->pg)) == 1) {
		/* What the server sends meanwhile must be read, or both would
		 * wait for each other. */
		if (connection_wait(connection, POLLIN | POLLOUT, until_s,
				    err) < 0) {
			connection_close(connection);
			return -1;
		}
		if (!PQconsumeInput(connection->pg))
			return connection_lost(connection, err);
	}
	return unsent < 0 ? connection_lost(connection, err) : 0;
}

static int send_bytes(struct connection *connection, const char *bytes,
		      size_t size, struct sp_error *err)
{
	while (size > 0) {
		size_t piece = size < PIECE ? size : PIECE;
		int rc = PQputCopyData(connection->pg, bytes, (int)piece);

		if (rc < 0)
			return connection_lost(connection, err);
		if (flush(connection, err) < 0)
			return -1;
		if (rc == 0)
			continue; /* there was no room: again */
		bytes += piece;
		size -= piece;
	}
	return 0;
}

int copy_in(struct connection *connection, const char *sql,
	    struct tuples *tuples, struct sp_error *err)
{
	size_t size;
	int rc;

	if (column_finish(&tuples->bytes, err) < 0 ||
	    begin(connection, sql, PGRES_COPY_IN, err) < 0)
		return -1;
	const char *bytes = column_content(&tuples->bytes, &size);

	if (send_bytes(connection, head, HEAD_SIZE, err) < 0 ||
	    send_bytes(connection, bytes, size, err) < 0 ||
	    send_bytes(connection, end, sizeof(end), err) < 0)
		return -1;
	while ((rc = PQputCopyEnd(connection->pg, NULL)) == 0)
		if (flush(connection, err) < 0)
			return -1;
	return connection_finish(connection, rc > 0, NULL, err);
}

/* Visit the rows of one message, which may begin with the head.  -1: they are
 * no rows. */
static int give_rows(const char *bytes, int size, bool *headed,
		     void (*visit)(void *context, const struct values *values),
		     void *context)
{
	struct values values;
	int at = 0, row;

	if (!*headed) {
		if (size < HEAD_SIZE ||
		    memcmp(bytes, head, SIGNATURE_SIZE) != 0)
			return -1;
		at = HEAD_SIZE;
		*headed = true;
	}
	while (at < size) {
		row = values_of_copy(bytes + at, size - at, &values);
		if (row <= 0)
			return row;
		visit(context, &values);
		at += row;
	}
	return 0;
}

/* Find the next message: its size, 0 at the end, or -1. */
static int next_message(struct connection *connection, char **ret,
			struct sp_error *err)
{
	double until_s = clock_monotonic_s() + PIECE_S;
	int size;

	while ((size = PQgetCopyData(connection->pg, ret, 1)) == 0) {
		if (connection_wait(connection, POLLIN, until_s, err) < 0) {
			connection_close(connection);
			return -1;
		}
		if (!PQconsumeInput(connection->pg))
			return connection_lost(connection, err);
	}
	if (size == -2)
		return connection_lost(connection, err);
	return size < 0 ? 0 : size;
}

int copy_out(struct connection *connection, const char *sql,
	     void (*visit)(void *context, const struct values *values),
	     void *context, struct sp_error *err)
{
	bool headed = false;
	int size, rc = 0;

	if (begin(connection, sql, PGRES_COPY_OUT, err) < 0)
		return -1;
	do {
		char *bytes = NULL;

		size = next_message(connection, &bytes, err);
		if (size < 0)
			return -1;
		if (size > 0 && give_rows(bytes, size, &headed, visit, context))
			rc = sp_error_set(err, "PostgreSQL: COPY gave no rows");
		PQfreemem(bytes);
		if (!isinf(connection->stop->by_s))
			rc = sp_error_set(err, "stopped while reading");
	} while (size > 0 && rc == 0);
	if (rc == 0)
		return connection_finish(connection, 1, NULL, err);
	connection_close(connection);
	return -1;
}
