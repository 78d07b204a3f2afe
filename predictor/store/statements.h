/* statements.h - what we say to PostgreSQL
 *
 * Every statement with values in it is prepared once for each connection.
 * Those that write take a batch: each parameter is an array with a column of
 * all rows, in the order of the tables in rows.h.
 */
#ifndef PREDICTOR_STORE_STATEMENTS_H
#define PREDICTOR_STORE_STATEMENTS_H

struct statement {
	const char *name;
	const char *sql;
};

extern const struct statement statement_schema_step;
extern const struct statement statement_create_days, statement_drop_days;

/* Writing.  Every transaction goes through these in this order: the lock, the
 * names of clusters, applications and nodes, so that two predictds never wait
 * for each other in a ring. */
extern const struct statement statement_lock_changes;
extern const struct statement statement_clusters;     /* cluster */
extern const struct statement statement_applications; /* application */
extern const struct statement statement_nodes;        /* cluster, node */
extern const struct statement statement_runs; /* gives the first change */
extern const struct statement statement_run_parameters; /* ..., since change */
extern const struct statement statement_run_conditions; /* ..., since change */
extern const struct statement statement_run_shares;
extern const struct statement statement_predictions; /* ..., origin */
extern const struct statement statement_prediction_parameters;
extern const struct statement statement_prediction_candidates;
extern const struct statement statement_measurements; /* ..., days kept */

/* Reading what is new: runs after a change; predictions by their ids, unless
 * they are of an origin. */
#define RUNS_PAGE 1000 /* at most so many runs at once */
extern const struct statement statement_runs_since;
extern const struct statement statement_predictions_of_others;

/* Reading all of it, once, through cursors: see load.c. */
extern const struct statement statement_last_change;
extern const char cursor_predictions[], cursor_measurements[];
extern const char cursor_runs_ended[], cursor_runs_running[];

/* All that are to be prepared; ends with NULL. */
extern const struct statement *const statements[];

#endif
