/* SPDX-License-Identifier: GPL-2.0-or-later */
/* honesty_client.h - a site's submissions and reports, for bench_honesty_*
 *
 * Asks a real predictd as slurmctld does, and reports runs as collectors do.
 * All functions exit with a message when something fails.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

struct honesty_client;

struct honesty_client *honesty_client_create(const char *url);
void honesty_client_destroy(struct honesty_client *c);

/* Predict, for that user, a job of one task whose script runs `command`.
 * `kept`: it is submitted, and a run may be reported; else nothing is
 * remembered. */
void honesty_predict(struct honesty_client *c, uint32_t user_id,
		     const char *name, const char *command, bool kept,
		     struct prediction *ret);

/* The job of that prediction took runtime_s and ended just now.  It is sent
 * with the next call of honesty_report(), or earlier. */
void honesty_end(struct honesty_client *c, const struct prediction *p,
		 double runtime_s, enum run_state state);

/* Send what ended, and wait until predictd has learned from it. */
void honesty_report(struct honesty_client *c);
