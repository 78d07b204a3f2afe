/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tickets.h - predictions of jobs that have not ended yet
 *
 * Many predictions are for jobs that never run, which nobody reports: after
 * TICKETS_WAIT_S these are not in flight any more, and beyond TICKETS_MAX the
 * oldest are forgotten.  Memory is touched only as it fills; nothing is
 * allocated later but what is kept of users, and indexes, which double now and
 * then.
 */
#pragma once

#include "predictor/models/model.h"

#define TICKETS_MAX    65536
#define TICKETS_WAIT_S (14 * 86400.0)

#define TICKET_NONE UINT32_MAX

struct ticket {
	bool needy; /* its limit seemed to be too low */
	bool extrapolated, started;
	bool counted;       /* among those of its user */
	uint32_t new_trait; /* see struct outside */
	float median_s;     /* of the row that was believed, without drift;
			       NAN: none from history was */
	uint64_t id;
	float medians_s[MODELS_MAX]; /* of each row of models[]; NAN: none */
	uint32_t spreads;      /* bit i: row i gave no spread of its own */
	uint32_t older, newer; /* in the order of arrival */
	uint32_t in_flight;    /* as in struct query */
	uint32_t user;         /* in the order of first tickets; INDEX_NONE:
				  unknown */
	double submitted_at_s;
};

struct tickets;

struct tickets *tickets_create(void);    /* NULL: out of memory */
void tickets_destroy(struct tickets *t); /* NULL is allowed */

/* Return the place of that ticket, below TICKETS_MAX; TICKET_NONE:
 * not there. */
uint32_t tickets_find(const struct tickets *t, uint64_t id);
struct ticket *tickets_at(struct tickets *t, uint32_t at);

/* Add a place for a new one: the same as before for the oldest if all are
 * taken, *ret_forgot is set then.  TICKET_NONE: out of memory. */
uint32_t tickets_add(struct tickets *t, uint64_t id, uint64_t user,
		     double submitted_at_s, bool *ret_forgot);

/* Return the number of the user's jobs in flight, 0 of an unknown user. */
uint32_t tickets_of_user(const struct tickets *t, uint64_t user);

/* The job has started; it counts, however long it waited. */
void tickets_start(struct tickets *t, uint32_t at);
/* Nobody knows how it ended: it counts no more, unless it starts again. */
void tickets_lose(struct tickets *t, uint32_t at);
/* Go on to now_s, when a job is submitted: some have waited for too long.  It
 * is no time of a report, as one wrong clock would forget the jobs of all. */
void tickets_advance(struct tickets *t, double now_s);
void tickets_remove(struct tickets *t, uint32_t at);
