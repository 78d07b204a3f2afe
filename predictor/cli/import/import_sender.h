/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_sender.h - send runs to the history in large messages
 *
 * Threads send messages while the next one is filled, so that the client,
 * predictd and PostgreSQL work at the same time.  A message that predictd
 * cannot accept now is sent again for a while.
 */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/features/run.h"

struct import_sender;

struct import_counts {
	size_t sent; /* runs sent, which are counted below once stored */
	size_t stored;
	size_t doubles; /* the history had them already */
	size_t refused; /* by the store */
	struct sp_error refusal;
};

struct import_sender *import_sender_create(struct cli *cli,
					   struct sp_error *err);

/* Waits for messages being sent; NULL is allowed. */
void import_sender_destroy(struct import_sender *s);

enum import_sender_rc {
	IMPORT_SENDER_FAILED = -1, /* the import failed */
	IMPORT_SENDER_ADDED,
	IMPORT_SENDER_REFUSED /* the run cannot be stored, see *err */
};

enum import_sender_rc import_sender_add(struct import_sender *s,
					const struct run *run,
					struct sp_error *err);

/* Send the message being filled, and wait until all are stored. */
int import_sender_flush(struct import_sender *s, struct sp_error *err);

/* Make predictd load the history again; to be called after
 * import_sender_flush(). */
int import_sender_finish(struct import_sender *sender, struct sp_error *err);

void import_sender_count(struct import_sender *sender,
			 struct import_counts *ret);
