/* SPDX-License-Identifier: GPL-2.0-or-later */
/* track_record.h - whether quantiles held, by user and application
 *
 * Of each user with each application the last TRACK_LENGTH predictions that were
 * judged.  The memory is bounded: a pair may take the place of another one,
 * which is then as if it had never been judged.
 */
#ifndef PREDICTOR_ENGINE_TRACK_RECORD_H
#define PREDICTOR_ENGINE_TRACK_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/features/prediction.h"

#define TRACK_LENGTH 32

struct track_record;

struct track_record *track_record_create(void);    /* NULL: out of memory */
void track_record_destroy(struct track_record *t); /* NULL is allowed */

/* The job of that prediction has ended, within its quantile or not. */
void track_record_note(struct track_record *t, const struct prediction *p,
		       bool held);

/* For the user and application of `p`. */
void track_record_read(const struct track_record *t, const struct prediction *p,
		       uint32_t *ret_judged, uint32_t *ret_held);

#endif
