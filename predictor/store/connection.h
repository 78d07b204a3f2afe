/* connection.h - a connection to PostgreSQL that never holds us up
 *
 * libpq is used without blocking: each wait has an end, whatever the server
 * does (nothing at all, when it is stopped), and ends early when the store is
 * told to stop.  A connection on which an answer is overdue is closed, because
 * nobody knows what it would say next.
 *
 * One exception: libpq looks host names up itself, and waits for that.  Give
 * an address, a Unix socket, or a name in /etc/hosts.
 */
#ifndef PREDICTOR_STORE_CONNECTION_H
#define PREDICTOR_STORE_CONNECTION_H

#include <stdbool.h>

#include <libpq-fe.h>

#include "predictor/base/error.h"
#include "predictor/store/rows.h"
#include "predictor/store/statements.h"

/* Tells the store's thread from outside to come to an end. */
struct stop {
	int fd;              /* an eventfd, readable once it is asked */
	_Atomic double by_s; /* of clock_monotonic_s(); HUGE_VAL: not asked */
};

/* What a connection is for; both end with NULL. */
struct connection_use {
	const char *const *settings; /* run once the schema is known */
	const struct statement *const *statements; /* to be prepared */
};

struct connection {
	PGconn *pg; /* NULL: closed */
	const struct stop *stop;
	const struct connection_use *use;
	char sqlstate[6]; /* of the last statement that failed; may be "" */
};

void connection_init(struct connection *connection, const struct stop *stop,
		     const struct connection_use *use);

/* Connect, check that the schema is ours, and prepare the statements. */
int connection_open(struct connection *connection, const char *conninfo,
		    struct sp_error *err);

void connection_close(struct connection *connection); /* also when closed */

/* The socket, to be watched while idle: input there means it broke. */
int connection_fd(const struct connection *connection);

/* Read what came while nothing was asked.  -1: the connection is gone. */
int connection_idle(struct connection *connection, struct sp_error *err);

/* Run a text without values, as BEGIN.  `ret` may be NULL; the caller clears
 * *ret.  Results are in binary form. */
int connection_query(struct connection *connection, const char *sql,
		     PGresult **ret, struct sp_error *err);

/* Run a prepared statement; its parameters are the columns of `rows` (may be
 * NULL), then `number` unless that is NULL. */
int connection_run(struct connection *connection,
		   const struct statement *statement, struct rows *rows,
		   const int64_t *number, PGresult **ret, struct sp_error *err);

/* The same with the fields of one object as parameters, each as it is. */
int connection_ask(struct connection *connection,
		   const struct statement *statement,
		   const struct row_field fields[], const void *object,
		   PGresult **ret, struct sp_error *err);

/* Whether the last failure was the fault of the data: that the same will fail
 * again, and something else would not. */
bool connection_data_refused(const struct connection *connection);

/* --- For copy.c ------------------------------------------------------------- */

/* Wait for `events` of poll() on the socket.  -1: not until `until_s`, or not
 * until we must stop. */
int connection_wait(struct connection *connection, short events, double until_s,
		    struct sp_error *err);

/* After something was sent (or could not be, `sent` 0): take its last result,
 * which stands for success.  Closes the connection if it is of no use. */
int connection_finish(struct connection *connection, int sent, PGresult **ret,
		      struct sp_error *err);

/* The server has answered with an error: take that and what follows, and
 * return -1. */
int connection_refused(struct connection *connection, PGresult *result,
		       struct sp_error *err);

/* libpq says that the connection is lost: close it, and return -1. */
int connection_lost(struct connection *connection, struct sp_error *err);

#endif
