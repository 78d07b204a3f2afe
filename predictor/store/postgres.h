/* postgres.h - the history store in PostgreSQL */
#ifndef PREDICTOR_STORE_POSTGRES_H
#define PREDICTOR_STORE_POSTGRES_H

#include "predictor/engine/store.h"

struct postgres_config {
	const char *conninfo;       /* libpq's connection string */
	int measurements_keep_days; /* older partitions are dropped */
};

struct postgres;

extern const struct store_ops postgres_ops; /* its `store` is the below */

/* Start the store's thread; it connects, and again whenever it must.  Copies
 * config and sink. */
struct postgres *postgres_create(const struct postgres_config *config,
				 const struct store_sink *sink,
				 struct sp_error *err);

/* Write what waits, at most `patience_s` long, and end the thread.  Reports
 * that were not committed get their done(-1). */
void postgres_destroy(struct postgres *postgres, double patience_s);

/* Apply the numbered steps of `sql_dir` that the database lacks, each in a
 * transaction, in order; one line per step is logged.  Safe to call at any
 * time, from several hosts at once. */
int postgres_migrate(const char *conninfo, const char *sql_dir,
		     struct sp_error *err);

#endif
