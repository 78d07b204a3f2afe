/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_import.h - batches of runs from job logs */
#pragma once

#include "predictor/store/connection.h"
#include "predictor/store/queue.h"

/* Store a batch in one transaction, the runs that are not there yet; sets rc,
 * why and result of `item`.  If the server refuses the data, the batch is
 * halved, and so on, until only the bad run is left out.  -1 and why (and
 * STORE_AGAIN) when the server fails; the connection is then closed. */
int import_write(struct connection *connection, struct import_item *item,
		 struct sp_error *err);
