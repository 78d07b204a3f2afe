/* import_sender.h - runs on their way into the history, by the thousand
 *
 * Runs are gathered into messages, which threads send while more are gathered:
 * so the client, predictd and PostgreSQL work at the same time.  What predictd
 * cannot take at the moment is sent again for a while.
 */
#ifndef PREDICTOR_CLI_IMPORT_SENDER_H
#define PREDICTOR_CLI_IMPORT_SENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/cli/cli.h"
#include "predictor/features/run.h"

struct sender;

struct sender_counts {
	size_t sent; /* to be stored; the rest says what came of them */
	size_t stored;
	size_t doubles; /* there already */
	size_t refused; /* by the store */
	struct sp_error refusal;
};

struct sender *sender_create(struct cli *cli, struct sp_error *err);

/* Waits for what is on its way; NULL is allowed. */
void sender_destroy(struct sender *sender);

enum sender_rc {
	SENDER_FAILED = -1, /* nothing more can be sent */
	SENDER_TAKEN,
	SENDER_NO_RUN /* such a run cannot be stored: *err says why */
};

enum sender_rc sender_add(struct sender *sender, const struct run *run,
			  struct sp_error *err);

/* Wait until everything has been stored. */
int sender_flush(struct sender *sender, struct sp_error *err);

/* Let predictd learn from it all, after sender_flush(). */
int sender_finish(struct sender *sender, struct sp_error *err);

void sender_count(struct sender *sender, struct sender_counts *ret);

#endif
