/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statements.h - the SQL statements of the store
 *
 * Every statement with values in it is prepared once for each connection.
 * Those that write take a batch: each parameter is an array with a column of
 * all rows, in the order of the tables of rows.h.  They are written as SQL, in
 * the folder statements/, and the build turns them into C (statements.awk).
 */
#pragma once

struct statement {
	const char *name, *sql;
};

extern const struct statement statement_schema_step;
extern const struct statement statement_create_days, statement_drop_days;
extern const struct statement statement_thin; /* returns whether to go on */

/* Writing.  Every transaction goes through these in this order: the lock, the
 * names of clusters, applications and nodes, so that two predictds cannot
 * deadlock. */
extern const struct statement statement_lock_changes;
extern const struct statement statement_clusters; /* cluster */
extern const struct statement statement_nodes;    /* cluster, node */
extern const struct statement statement_run_shares;
extern const struct statement statement_profile_clusters;
extern const struct statement statement_profile_nodes;
extern const struct statement statement_profiles;
extern const struct statement statement_measurements; /* ..., days kept */
extern const struct statement statement_links;        /* ..., days kept */

/* Runs and predictions, which hold arrays, come by COPY into temporary tables
 * of the session, emptied by each commit; what follows takes them
 * from there. */
extern const char copy_runs[], copy_predictions[], copy_profiles[];
extern const struct statement statement_run_clusters;
extern const struct statement statement_run_applications;
extern const struct statement statement_runs;
extern const struct statement statement_runs_done;   /* empties the table */
extern const struct statement statement_import;      /* staged runs; returns how
						   many were new */
extern const struct statement statement_import_last; /* takes the lock */
extern const struct statement statement_prediction_clusters;
extern const struct statement statement_prediction_applications;
extern const struct statement statement_predictions; /* origin */
extern const struct statement statement_predictions_renew;

/* Profiles that are new, or whose run is: after a change, the newest runs, the
 * rows of one run follow each other, and each begins with the change. */
#define PROFILED_RUNS 4096 /* limit */
extern const struct statement statement_profiles_since;

/* Reading what is new: runs after a change; predictions by their ids, unless
 * they are of an origin; the last import after a change (0: none). */
#define RUNS_PAGE 1000 /* limit */
extern const struct statement statement_runs_since;
extern const struct statement statement_predictions_of_others;
extern const struct statement statement_import_since;

extern const struct statement statement_used_runs; /* of a point */

/* Reading all of it, once: see load.c. */
extern const struct statement statement_last_change;
extern const struct statement statement_history_days; /* days; 0: all */
extern const char copy_all_predictions[], copy_all_measurements[];
extern const char copy_all_speeds[], copy_all_links[];
extern const char copy_brief_runs[]; /* all but the newest */
extern const char copy_first_runs[];
extern const char copy_whole_runs[]; /* the newest, and those running */

/* Queries: see reader.c. */
extern const struct statement statement_prediction;
extern const struct statement statement_run_of_prediction;
extern const struct statement statement_runs_page;
extern const struct statement statement_accuracy, statement_use;

/* Traces: see traces.c. */
extern const struct statement statement_trace_put, statement_traces;
extern const struct statement statement_trace_nodes, statement_trace_links;
extern const struct statement statement_trace_parts;

/* What the owner of a database runs: see migrate.c, inventory.c and
 * mask_secrets.c. */
#define MASKED_ROWS  1000  /* in a transaction */
#define CHECKED_ROWS 10000 /* of each table, by --check */
extern const char query_lock_migration[], query_has_schema[];
extern const char query_record_step[], query_edited_step[];
extern const char query_sessions[], query_foundation[], query_tables[];
extern const char query_unmasked_runs[], query_mask_run[];
extern const char query_unmasked_predictions[], query_mask_prediction[];
extern const char query_unmasked_outside[], query_mask_outside[];
extern const char query_unmasked_applications[], query_mask_application[];
extern const char query_lock_predictions[];
extern const char query_newest_runs[], query_newest_predictions[];
extern const char query_newest_outside[], query_newest_applications[];

/* What each connection runs first. */
extern const char *const session_settings[];

/* What a connection of each kind runs first, and prepares; end with NULL. */
extern const char *const writer_settings[], *const reader_settings[];
extern const char *const trace_settings[];
extern const struct statement *const writer_statements[];
extern const struct statement *const reader_statements[];
extern const struct statement *const trace_statements[];
