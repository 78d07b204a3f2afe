/* write.h - what waits, stored in batches, each in one transaction
 *
 * All that waits goes into one transaction, so that one flush of the server's
 * disk serves many.  If the server refuses the data of a batch, its halves are
 * tried, and so on, until only the bad item is left out.
 *
 * The functions return 0 when every item has met its fate, or -1 and why when
 * the server is of no use now; the connection is then closed.
 */
#ifndef PREDICTOR_STORE_WRITE_H
#define PREDICTOR_STORE_WRITE_H

#include "predictor/store/connection.h"
#include "predictor/store/queue.h"

/* Sets rc and why of each report; after -1, reports that are not known to be
 * stored have STORE_AGAIN. */
int write_reports(struct connection *connection, struct report_item *list,
		  struct sp_error *err);

/* After -1 nothing is known to be stored; writing all again does no harm. */
int write_predictions(struct connection *connection, int64_t origin,
		      struct prediction_item *list, size_t *ret_dropped,
		      struct sp_error *err);
int write_measurements(struct connection *connection, int keep_days,
		       struct measurements_item *list, size_t *ret_dropped,
		       struct sp_error *err);

/* For import.c: send runs to the session's table of runs on their way, and
 * store the names in them, as part of a transaction. */
int stage_runs(struct connection *connection, struct tuples *runs,
	       struct sp_error *err);

#endif
