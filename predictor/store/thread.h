/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.h - state of the store, and its thread
 *
 * Private to postgres.c and thread.c.
 */
#pragma once

#include "predictor/store/connection.h"
#include "predictor/store/load.h"
#include "predictor/store/postgres.h"
#include "predictor/store/queue.h"
#include "predictor/store/reader.h"

#define BACKOFF_MIN_S 0.2

struct postgres {
	char *conninfo;
	int keep_days, history_days;
	int64_t trace_quota_bytes;
	struct store_sink sink;
	struct queue queue;
	struct store_stop stop;
	struct reader *reader;
	struct reader *traces; /* stores and reads them */
	pthread_t thread;

	/* The thread's own. */
	struct connection connection;
	int64_t origin;                /* marks our predictions */
	struct load_position position; /* what was passed to the sink */
	bool loaded;                   /* all of the history */
	bool begun;                    /* a part of it at least */
	bool measured;                 /* predictions and measurements */
	double backoff_s;
	double next_poll_s, next_upkeep_s, next_thin_s;
	struct sp_error last_logged; /* an outage is logged once */
};

/* For pthread_create(). */
void *postgres_thread(void *postgres);
