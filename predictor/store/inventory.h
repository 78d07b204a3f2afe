/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inventory.h - what is in a database of ours, and what would have to stay
 *
 * For its removal: an object that no release of slurm-predict has made, or a
 * session of somebody else, is a reason to remove nothing.
 */
#pragma once

#include <stdio.h>

#include <libpq-fe.h>

#include "predictor/base/error.h"

/* Check that the database is one of ours alone: the user may drop it, it has
 * the schema, nothing in it is another's, and nobody else is connected. */
int inventory_check(PGconn *pg, const char *sql_dir, struct sp_error *err);

/* Print each table with its number of rows. */
int inventory_print(PGconn *pg, FILE *out, struct sp_error *err);

/* Return a row for each of our roles that exists: its name, quoted, and why
 * it must stay; an empty text: nothing but `database` needs it.  The caller
 * calls PQclear(). */
PGresult *inventory_roles(PGconn *pg, const char *sql_dir, const char *database,
			  struct sp_error *err);
