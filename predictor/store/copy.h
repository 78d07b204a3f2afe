/* SPDX-License-Identifier: GPL-2.0-or-later */
/* copy.h - many rows at once, into PostgreSQL and out of it
 *
 * By COPY in its binary form: a head, rows of fields with their lengths (see
 * values_of_copy()), an end.  Much cheaper than statements and results, since
 * no row is handled on its own.  The statements have no parameters.
 */
#pragma once

#include "predictor/store/connection.h"

/* Send `tuples` by "COPY ... FROM STDIN (FORMAT binary)". */
int copy_in(struct connection *connection, const char *sql,
	    struct tuples *tuples, struct sp_error *err);

/* Call `visit` for each row of "COPY (...) TO STDOUT (FORMAT binary)"; the
 * values are lent.  Ends early, with the connection closed, when the
 * store is to stop. */
int copy_out(struct connection *connection, const char *sql,
	     void (*visit)(void *context, const struct values *values),
	     void *context, struct sp_error *err);
