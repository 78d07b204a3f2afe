/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connection.c - a connection to PostgreSQL with a deadline for each wait
 *
 * A statement is sent without blocking, then its result is awaited by poll() on
 * the socket and on the stop's eventfd, for at most the statement's deadline.
 * What fails sets *err and the SQLSTATE; a lost or overdue connection is
 * closed, and its owner opens it again.  One thread uses a connection; no lock.
 */
#include <endian.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/store/connection.h"
#include "predictor/store/schema.h"

#define CONNECT_S 5.0
/* Longer than the statement_timeout below, so that a slow server reports the
 * timeout itself; this one is for a server that hangs. */
#define ANSWER_S 25.0

#define INTEGERS_MAX         1
#define PARAMETERS_COUNT_MAX (ROW_FIELDS_MAX + INTEGERS_MAX)

void connection_init(struct connection *connection,
		     const struct store_stop *stop,
		     const struct connection_use *use)
{
	*connection = (struct connection){ .stop = stop, .use = use };
}

/* shutdown() first, as PQfinish() must not wait for a server that hangs. */
void connection_close(struct connection *connection)
{
	if (!connection->pg)
		return;
	int fd = PQsocket(connection->pg);

	if (fd >= 0 && PQtransactionStatus(connection->pg) != PQTRANS_IDLE)
		shutdown(fd, SHUT_RDWR);
	PQfinish(connection->pg);
	connection->pg = NULL;
}

int connection_fd(const struct connection *connection)
{
	return connection->pg ? PQsocket(connection->pg) : -1;
}

/* libpq's messages have several lines; ours are sentences. */
static int set_error(struct sp_error *err, const char *message)
{
	char text[192];

	snprintf(text, sizeof(text), "%s", message ? message : "");
	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\t')
			*c = ' ';
	for (size_t end = strlen(text); end > 0 && text[end - 1] == ' ';)
		text[--end] = '\0';
	return sp_error_set(err, "PostgreSQL: %s",
			    text[0] ? text : "the connection was lost");
}

static int pg_error(struct connection *connection, struct sp_error *err)
{
	return set_error(err, PQerrorMessage(connection->pg));
}

int connection_lost(struct connection *connection, struct sp_error *err)
{
	pg_error(connection, err);
	connection_close(connection);
	return -1;
}

int connection_wait(struct connection *connection, short events, double until_s,
		    struct sp_error *err)
{
	for (;;) {
		double stop_s = connection->stop->by_s;
		double left_s = fmin(until_s, stop_s) - clock_monotonic_s();
		struct pollfd fds[] = {
			{ .fd = PQsocket(connection->pg), .events = events },
			/* Once the store is to stop, its deadline counts. */
			{ .fd = isinf(stop_s) ? connection->stop->fd : -1,
			  .events = POLLIN },
		};

		if (left_s <= 0)
			return sp_error_set(
				err,
				stop_s < until_s
					? "PostgreSQL: no reply before the end"
					: "PostgreSQL: no reply in time");
		if (poll(fds, 2, (int)ceil(left_s * 1e3)) > 0 && fds[0].revents)
			return 0;
	}
}

/* Send what is to be sent and take the result; the last one, if several. */
static int take_result(struct connection *connection, PGresult **ret,
		       struct sp_error *err)
{
	double until_s = clock_monotonic_s() + ANSWER_S;
	PGresult *last = NULL, *next;
	int unsent;

	do {
		while ((unsent = PQflush(connection->pg)) == 1 ||
		       PQisBusy(connection->pg)) {
			short events = POLLIN | (unsent == 1 ? POLLOUT : 0);

			if (connection_wait(connection, events, until_s, err) <
			    0)
				goto lost;
			if (!PQconsumeInput(connection->pg)) {
				pg_error(connection, err);
				goto lost;
			}
		}
		next = PQgetResult(connection->pg);
		if (next) {
			PQclear(last);
			last = next;
		}
	} while (next);
	*ret = last;
	return 0;
lost:
	PQclear(last);
	connection_close(connection);
	return -1;
}

int connection_refused(struct connection *connection, PGresult *result,
		       struct sp_error *err)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	/* Without the details, which hold users' data. */
	const char *message =
		PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	PGresult *rest;

	snprintf(connection->sqlstate, sizeof(connection->sqlstate), "%s",
		 state ? state : "");
	set_error(err, message ? message : PQresultErrorMessage(result));
	PQclear(result);
	if (take_result(connection, &rest, NULL) < 0)
		return -1;
	PQclear(rest);
	if (PQstatus(connection->pg) != CONNECTION_OK)
		connection_close(connection);
	return -1;
}

int connection_finish(struct connection *connection, int sent, PGresult **ret,
		      struct sp_error *err)
{
	PGresult *result = NULL;

	connection->sqlstate[0] = '\0';
	if (!sent)
		return connection_lost(connection, err);
	if (take_result(connection, &result, err) < 0)
		return -1;

	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		return connection_refused(connection, result, err);
	if (ret)
		*ret = result;
	else
		PQclear(result);
	return 0;
}

int connection_query(struct connection *connection, const char *sql,
		     PGresult **ret, struct sp_error *err)
{
	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");
	int sent = PQsendQueryParams(connection->pg, sql, 0, NULL, NULL, NULL,
				     NULL, 1);

	return connection_finish(connection, sent, ret, err);
}

int connection_run(struct connection *connection,
		   const struct statement *statement, struct rows *rows,
		   const int64_t *number, PGresult **ret, struct sp_error *err)
{
	const char *values[PARAMETERS_COUNT_MAX];
	int lengths[PARAMETERS_COUNT_MAX], formats[PARAMETERS_COUNT_MAX];
	uint64_t wire;
	int n = 0;

	connection->sqlstate[0] = '\0';
	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");
	for (int i = 0; rows && i < rows->columns_count; i++, n++) {
		if (column_finish(&rows->columns[i], err) < 0)
			return -1;
		values[n] = (const char *)rows->columns[i].bytes;
		lengths[n] = (int)rows->columns[i].size;
		formats[n] = 1;
	}
	if (number) {
		wire = htobe64((uint64_t)*number);
		values[n] = (const char *)&wire;
		lengths[n] = sizeof(wire);
		formats[n++] = 1;
	}
	int sent = PQsendQueryPrepared(connection->pg, statement->name, n,
				       values, lengths, formats, 1);

	return connection_finish(connection, sent, ret, err);
}

static int run_object(struct connection *connection,
		      const struct row_query *query, const void *object,
		      PGresult **ret, struct sp_error *err)
{
	const char *values[ROW_FIELDS_MAX];
	int lengths[ROW_FIELDS_MAX], formats[ROW_FIELDS_MAX];
	struct rows row;
	int rc = 0, sent;

	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");
	rows_init(&row, query->object);
	rows_add(&row, object);
	for (int i = 0; i < row.columns_count && rc == 0; i++) {
		rc = column_finish(&row.columns[i], err);
		if (rc == 0)
			values[i] = column_only(&row.columns[i], &lengths[i]);
		formats[i] = 1;
	}
	if (rc == 0) {
		sent = PQsendQueryPrepared(
			connection->pg, query->statement->name,
			row.columns_count, values, lengths, formats, 1);
		rc = connection_finish(connection, sent, ret, err);
	}
	rows_clear(&row);
	return rc;
}

void *connection_rows(struct connection *connection,
		      const struct row_query *query, const void *object,
		      size_t *ret_count, struct sp_error *err)
{
	PGresult *result;
	char *rows;

	if (run_object(connection, query, object, &result, err))
		return NULL;
	rows = rows_of_result(query->row, result, query->first, query->row_size,
			      ret_count, err);
	for (size_t i = 0; rows && query->finish && i < *ret_count; i++)
		query->finish(rows + i * query->row_size,
			      PQgetvalue(result, (int)i, 0));
	PQclear(result);
	return rows;
}

int connection_run_texts(struct connection *connection,
			 const struct statement *statement, int count,
			 const char *const values[], PGresult **ret,
			 struct sp_error *err)
{
	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");

	int sent = PQsendQueryPrepared(connection->pg, statement->name, count,
				       values, NULL, NULL, 1);

	return connection_finish(connection, sent, ret, err);
}

/* SQLSTATE classes 22 (data exception) and 23 (integrity constraint). */
bool connection_data_refused(const struct connection *connection)
{
	return strncmp(connection->sqlstate, "22", 2) == 0 ||
	       strncmp(connection->sqlstate, "23", 2) == 0;
}

int connection_idle(struct connection *connection, struct sp_error *err)
{
	if (!connection->pg)
		return sp_error_set(err, "PostgreSQL: not connected");
	if (!PQconsumeInput(connection->pg) ||
	    PQstatus(connection->pg) != CONNECTION_OK) {
		pg_error(connection, err);
		connection_close(connection);
		return -1;
	}
	return 0;
}

static void log_notice(void *context, const char *message)
{
	(void)context;
	log_debug("PostgreSQL: %.*s", (int)strcspn(message, "\n"), message);
}

static int connect_start(struct connection *connection, const char *conninfo,
			 struct sp_error *err)
{
	/* What stands before dbname is a default, what stands behind it
	 * overrules the connection string. */
	static const char *const keys[] = {
		"fallback_application_name", "keepalives_idle",
		"keepalives_interval",       "keepalives_count",
		"tcp_user_timeout",          "dbname",
		"client_encoding",           NULL
	};
	const char *const values[] = { "predictd", "30",     "5",    "3",
				       "15000",    conninfo, "UTF8", NULL };

	connection->pg = PQconnectStartParams(keys, values, 1);
	if (!connection->pg)
		return sp_error_set(err, "out of memory for a connection");
	if (PQstatus(connection->pg) == CONNECTION_BAD)
		return pg_error(connection, err);
	PQsetNoticeProcessor(connection->pg, log_notice, NULL);

	double until_s = clock_monotonic_s() + CONNECT_S;
	PostgresPollingStatusType want = PGRES_POLLING_WRITING;

	while (want != PGRES_POLLING_OK) {
		if (want == PGRES_POLLING_FAILED)
			return pg_error(connection, err);
		if (connection_wait(connection,
				    want == PGRES_POLLING_READING ? POLLIN
								  : POLLOUT,
				    until_s, err) < 0)
			return -1;
		want = PQconnectPoll(connection->pg);
	}
	if (PQsetnonblocking(connection->pg, 1) != 0)
		return pg_error(connection, err);
	return 0;
}

/* For each mismatch of the schema the error says what an admin can do. */
static int check_schema(struct connection *connection, struct sp_error *err)
{
	PGresult *result = NULL;

	if (connection_query(connection, statement_schema_step.sql, &result,
			     err) < 0) {
		if (strcmp(connection->sqlstate, "42501") == 0)
			return sp_error_set(
				err,
				"PostgreSQL: user %s lacks the rights: GRANT "
				"predict_daemon TO it",
				PQuser(connection->pg));
		if (strcmp(connection->sqlstate, "42P01") == 0 ||
		    strcmp(connection->sqlstate, "3F000") == 0)
			return sp_error_set(
				err,
				"PostgreSQL: database %s lacks the schema: "
				"run predictd --migrate",
				PQdb(connection->pg));
		return -1;
	}
	int step = column_read_int4(PQgetvalue(result, 0, 0));

	PQclear(result);
	if (step < SCHEMA_STEP)
		return sp_error_set(err,
				    "PostgreSQL: the schema is at step %d, not "
				    "%d: run predictd --migrate",
				    step, SCHEMA_STEP);
	if (step > SCHEMA_STEP)
		return sp_error_set(err,
				    "PostgreSQL: the schema is at step %d, "
				    "this program knows %d: install its newer "
				    "version",
				    step, SCHEMA_STEP);
	return 0;
}

static int set_session(struct connection *connection, struct sp_error *err)
{
	const struct connection_use *use = connection->use;

	for (int i = 0; session_settings[i]; i++)
		if (connection_query(connection, session_settings[i], NULL,
				     err) < 0)
			return -1;
	if (check_schema(connection, err) < 0)
		return -1;
	for (int i = 0; use->settings[i]; i++)
		if (connection_query(connection, use->settings[i], NULL, err) <
		    0)
			return -1;
	for (int i = 0; use->statements[i]; i++) {
		int sent =
			PQsendPrepare(connection->pg, use->statements[i]->name,
				      use->statements[i]->sql, 0, NULL);

		if (connection_finish(connection, sent, NULL, err) < 0)
			return -1;
	}
	return 0;
}

int connection_open(struct connection *connection, const char *conninfo,
		    struct sp_error *err)
{
	connection_close(connection);
	connection->sqlstate[0] = '\0';
	if (connect_start(connection, conninfo, err) < 0 ||
	    set_session(connection, err) < 0) {
		connection_close(connection);
		return -1;
	}
	return 0;
}
