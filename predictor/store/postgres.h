/* SPDX-License-Identifier: GPL-2.0-or-later */
/* postgres.h - the history store in PostgreSQL */
#pragma once

#include "predictor/engine/store.h"

struct postgres_config {
	const char *conninfo;       /* libpq's connection string */
	int measurements_keep_days; /* 1 to 3650; older ones are dropped */
	int history_days; /* older runs are not read at the start; 0: all */
	int64_t trace_quota_bytes; /* of all traces, as stored; 0: none */
};

struct postgres;

extern const struct store_ops postgres_ops; /* its `store` is the below */

/* Start the store's thread; it connects, and again whenever it must.  Copies
 * config and sink.  Host names in conninfo are resolved without a timeout, so
 * addresses or sockets are better; see connection.h. */
struct postgres *postgres_create(const struct postgres_config *config,
				 const struct store_sink *sink,
				 struct sp_error *err);

/* Write what is queued, for at most `timeout_s` even if PostgreSQL hangs, and
 * end the thread.  Reports that were not committed get STORE_AGAIN.  Nothing
 * may be put any more while this is under way. */
void postgres_destroy(struct postgres *postgres, double timeout_s);

/* Apply the numbered steps in `sql_dir` that the database lacks, each in a
 * transaction, in order; a new database gets schema.sql for the first of them.
 * One line per step is logged.  Safe to call at any time, from several hosts
 * at once. */
int postgres_migrate(const char *conninfo, const char *sql_dir,
		     struct sp_error *err);

/* How the removal of a database is confirmed. */
struct postgres_removal {
	const char
		*yes; /* its name; NULL: it is read from the standard input */
	const char *dump; /* file to be written by pg_dump before; NULL: none */
};

/* Print what is in the database, and once its name is given drop it, and those
 * of our roles that nothing else needs.  Nothing happens if another program is
 * connected or an object in it is not ours. */
int postgres_remove(const char *conninfo, const char *sql_dir,
		    const struct postgres_removal *removal,
		    struct sp_error *err);

/* Mask the secrets (features/secret.h) in a database whose name is `yes`, and
 * print how many of which form were in which table; NULL: only print.  May be
 * interrupted, and run again. */
int postgres_mask_secrets(const char *conninfo, const char *yes,
			  struct sp_error *err);

/* Find the form of a secret in the newest rows of the database, CHECKED_ROWS of
 * each table; NULL: there is none. */
int postgres_find_secret(const char *conninfo, const char **ret_form,
			 struct sp_error *err);

/* Whether the database can be reached, has the schema of this program, and may
 * be written by this user.  May wait for a server that does not answer. */
int postgres_check(const char *conninfo, struct sp_error *err);
