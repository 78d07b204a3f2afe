/* SPDX-License-Identifier: GPL-2.0-or-later */
/* send_batch.h - body of a message from records of the spool */
#pragma once

#include "collectors/runs/spool.h"
#include "predictor/base/error.h"
#include "predictor/features/link.h"
#include "predictor/features/measurement.h"

#define BATCH_RECORDS_MAX 256
#define BATCH_BYTES_MAX   (512 << 10)

struct batch {
	size_t count; /* records of the spool, from the oldest on */
	char *body;   /* NULL if count is 0 */
	size_t size;
};

/* At most `max` records.  One that cannot be decoded (disk error, or not ours)
 * is moved to the folder of refused records.  The caller clears. */
int batch_make(struct spool *spool, size_t max, struct batch *ret,
	       struct sp_error *err);

/* Return the body of a report of measurements; the caller frees. */
char *batch_measurements(const char *cluster, const struct measurement *m,
			 size_t count, const struct link_measurement *links,
			 size_t links_count, size_t *ret_size);

void batch_clear(struct batch *batch);
