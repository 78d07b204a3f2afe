/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write.h - storing queued items in batches, each in one transaction
 *
 * A batch takes one transaction, so that one flush of the server's disk serves
 * many items.  If the server refuses the data of a batch, its halves are
 * tried, and so on, until only the bad item is left out.
 *
 * The functions return 0 when every item is stored or refused, or -1 and why
 * when the server fails; the connection is then closed.
 */
#pragma once

#include "predictor/store/connection.h"
#include "predictor/store/queue.h"

/* Sets rc and why of each report; after -1, reports that are not known to be
 * stored have STORE_AGAIN. */
int write_reports(struct connection *connection, struct report_item *list,
		  struct sp_error *err);

/* After -1 nothing is known to be stored; writing all again is harmless. */
int write_predictions(struct connection *connection, int64_t origin,
		      struct prediction_item *list, size_t *ret_dropped,
		      struct sp_error *err);
int write_measurements(struct connection *connection, int keep_days,
		       struct measurements_item *list, size_t *ret_dropped,
		       struct sp_error *err);

/* For write_import.c: send runs to the session's staging table and store the
 * names in them, as part of a transaction. */
int stage_runs(struct connection *connection, struct tuples *runs,
	       struct sp_error *err);
