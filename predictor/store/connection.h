/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connection.h - a connection to PostgreSQL with a deadline for each wait
 *
 * libpq is used without blocking: each wait has a deadline, even if the
 * server is stopped, and ends early when the store is to stop.  A connection
 * whose result is overdue is closed: the result may still arrive, and would be
 * taken for that of the next statement.
 *
 * One exception: libpq resolves host names itself, without a deadline.  Use an
 * address, a Unix socket, or a name in /etc/hosts.
 */
#pragma once

#include <libpq-fe.h>

#include "predictor/base/error.h"
#include "predictor/store/rows.h"
#include "predictor/store/statements.h"

/* Asks the store's thread to end. */
struct store_stop {
	int fd; /* an eventfd, readable once requested */
	_Atomic double
		by_s; /* of clock_monotonic_s(); HUGE_VAL: not requested */
};

/* What a connection is for; both end with NULL. */
struct connection_use {
	const char *const *settings; /* run once the schema is known */
	const struct statement *const *statements; /* to be prepared */
};

struct connection {
	PGconn *pg; /* NULL: closed */
	const struct store_stop *stop;
	const struct connection_use *use;
	char sqlstate[6]; /* of the last statement that failed; may be "" */
};

void connection_init(struct connection *connection,
		     const struct store_stop *stop,
		     const struct connection_use *use);

/* Connect, check that the schema is ours, and prepare the statements. */
int connection_open(struct connection *connection, const char *conninfo,
		    struct sp_error *err);

void connection_close(struct connection *connection); /* also when closed */

/* The socket, to be watched while idle: input there means it broke. */
int connection_fd(const struct connection *connection);

/* Read what arrived without a statement.  -1: the connection is lost. */
int connection_idle(struct connection *connection, struct sp_error *err);

/* Run a statement without parameters, such as BEGIN.  `ret` may be NULL; the
 * caller clears *ret.  Results are in binary form. */
int connection_query(struct connection *connection, const char *sql,
		     PGresult **ret, struct sp_error *err);

/* Run a prepared statement; its parameters are the columns of `rows` (may be
 * NULL), then `number` unless that is NULL. */
int connection_run(struct connection *connection,
		   const struct statement *statement, struct rows *rows,
		   const int64_t *number, PGresult **ret, struct sp_error *err);

/* A prepared statement whose parameters are the fields of one object, each as
 * it is, and whose result are rows. */
struct row_query {
	const struct statement *statement;
	const struct row_table *object, *row;
	size_t row_size;
	int first; /* column of the row */
	/* Called for each row, with the value of the first column of all;
	 * or NULL. */
	void (*finish)(void *row, const char *value);
};

/* Run it, and read its rows as structs, which the caller frees; NULL:
 * it failed. */
void *connection_rows(struct connection *connection,
		      const struct row_query *query, const void *object,
		      size_t *ret_count, struct sp_error *err);

/* As connection_run() with `count` parameters as text. */
int connection_run_texts(struct connection *connection,
			 const struct statement *statement, int count,
			 const char *const values[], PGresult **ret,
			 struct sp_error *err);

/* Return whether the last failure was the fault of the data: the same data
 * would fail again, other data would not. */
bool connection_data_refused(const struct connection *connection);

/* --- For copy.c ----------------------------------------------------------- */

/* Wait for `events` of poll() on the socket.  -1: `until_s`
 * passed, or the store is to stop. */
int connection_wait(struct connection *connection, short events, double until_s,
		    struct sp_error *err);

/* After something was sent (or could not be, `sent` 0): take its last result,
 * which stands for success.  Closes the connection if it is lost. */
int connection_finish(struct connection *connection, int sent, PGresult **ret,
		      struct sp_error *err);

/* The server reported an error: take that and what follows, and return -1. */
int connection_refused(struct connection *connection, PGresult *result,
		       struct sp_error *err);

/* libpq reports that the connection is lost: close it, and return -1. */
int connection_lost(struct connection *connection, struct sp_error *err);
