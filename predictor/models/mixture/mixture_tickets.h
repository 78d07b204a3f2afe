/* mixture_tickets.h - what was said of jobs that have not ended yet
 *
 * Kept so that the tables can learn from it at the end.  A bounded number of
 * tickets, the oldest is dropped for a new one: some jobs never end here.
 */
#ifndef PREDICTOR_MODELS_MIXTURE_MIXTURE_TICKETS_H
#define PREDICTOR_MODELS_MIXTURE_MIXTURE_TICKETS_H

#include "predictor/models/mixture/mixture_tables.h"

#define MIXTURE_TICKETS_MAX 16384

struct mixture_tickets;

/* What every ticket keeps; the atoms are packed. */
struct mixture_ticket {
	uint64_t id;
	uint32_t user;                /* as a trait */
	float ln_median;              /* NAN: it rests on no run */
	struct mixture_before before; /* at the submission */
	uint8_t count;                /* atoms */
};

struct mixture_tickets *mixture_tickets_create(void); /* NULL: no memory */
void mixture_tickets_destroy(struct mixture_tickets *tickets);

/* NULL: there is none of that id.  Valid until the next call. */
const struct mixture_ticket *
mixture_tickets_find(const struct mixture_tickets *tickets, uint64_t id);

/* Keep a ticket that is not kept yet, with its atoms, of which there is one at
 * least.  If that needs another's place, that one is *ret_dropped and true is
 * returned; so is the ticket itself when there is no memory for it. */
bool mixture_tickets_keep(struct mixture_tickets *tickets,
			  const struct mixture_ticket *ticket,
			  const struct mixture_atoms *atoms,
			  const struct mixture_said *said,
			  struct mixture_ticket *ret_dropped);

/* Give back what was kept, entries by position as in struct mixture_atoms, and
 * forget the ticket; false: there is none. */
bool mixture_tickets_take(
	struct mixture_tickets *tickets, uint64_t id,
	struct mixture_ticket *ret, struct mixture_said *ret_said,
	uint16_t ret_entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX]);

#endif
