/* SPDX-License-Identifier: GPL-2.0-or-later */
/* track_record.h - whether quantiles held, by user and application
 *
 * Of each user with each application the last TRACK_LENGTH predictions that
 * were judged.  The memory is bounded: a pair may take the place of another
 * one, which is then as if it had never been judged.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/features/subject.h"

#define TRACK_LENGTH 32

struct track_record;

struct track_record *track_record_create(void);    /* NULL: out of memory */
void track_record_destroy(struct track_record *t); /* NULL is allowed */

/* The job of that prediction has ended after `runtime_s`, on `nodes` nodes (0:
 * not known): note whether its quantile held.  A run that its limit ended would
 * have gone on; one that failed or was cancelled early says nothing, and
 * neither does one on another number of nodes.  Of `p` count the user, the
 * application's name, the nodes, the basis and the quantile. */
void track_record_judge(struct track_record *t, const struct prediction *p,
			enum outcome_end end, double runtime_s, uint32_t nodes);

/* Find the record for the user and application of `p`. */
void track_record_read(const struct track_record *t, const struct prediction *p,
		       uint32_t *ret_judged, uint32_t *ret_held);
