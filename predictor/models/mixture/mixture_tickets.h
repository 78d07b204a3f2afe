/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_tickets.h - predictions of jobs that have not ended
 *
 * Kept so that the tables can learn from these at the end.  Their number is
 * bounded, and the oldest is dropped for a new one: the end of some jobs is
 * never reported.
 */
#pragma once

#include "predictor/models/mixture/mixture_tables.h"

#define MIXTURE_TICKETS_MAX 16384

struct mixture_tickets;

/* A ticket, without its packed atoms. */
struct mixture_ticket {
	uint64_t id;
	uint32_t user;                /* as a trait */
	float ln_median;              /* NAN: it was of no run */
	struct mixture_before before; /* at the submission */
	uint8_t count;                /* atoms */
};

struct mixture_tickets *mixture_tickets_create(void); /* NULL: no memory */
void mixture_tickets_destroy(struct mixture_tickets *tickets);

/* NULL: not found.  Valid until the next call. */
const struct mixture_ticket *
mixture_tickets_find(const struct mixture_tickets *tickets, uint64_t id);

/* Add a new ticket, with at least one atom.  True: *ret_dropped was dropped for
 * it, or is the ticket itself if out of memory. */
bool mixture_tickets_keep(struct mixture_tickets *tickets,
			  const struct mixture_ticket *ticket,
			  const struct mixture_atoms *atoms,
			  const struct mixture_prediction *prediction,
			  struct mixture_ticket *ret_dropped);

/* Return what was kept, entries by position as in struct mixture_atoms, and
 * remove the ticket.  False: not found. */
bool mixture_tickets_take(
	struct mixture_tickets *tickets, uint64_t id,
	struct mixture_ticket *ret, struct mixture_prediction *ret_prediction,
	uint16_t ret_entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX]);
