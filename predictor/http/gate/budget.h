/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget.h - what each user, or address, may use of the server
 *
 * A client is the uid of a user, or on TCP the address of a host that has not
 * proved who its user is.
 *
 * Requests and predictions are token buckets: a client may use BUDGET_BURST_S
 * seconds' worth at once, and then the rate.  So is the CPU time that requests
 * took, which is known afterwards.  Bodies are bytes of requests that
 * are being received or handled, with a bound for all users together, so that
 * room is left for operators and collectors, who have no budget.
 *
 * Thread-safe.  The memory is bounded by BUDGET_CLIENTS_MAX.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUDGET_CLIENTS_MAX 1024
#define BUDGET_BURST_S     5.0
#define BUDGET_ALL_BODIES  (16 << 20) /* bytes of all clients together */
/* CPU time: a tenth of one CPU, and a second at once. */
#define BUDGET_CPU_SHARE   .1
#define BUDGET_CPU_BURST_S 1.0

enum budget_verdict {
	BUDGET_GRANTED,
	BUDGET_REQUESTS,    /* too many requests */
	BUDGET_PREDICTIONS, /* too many predictions */
	BUDGET_BODIES,      /* too many bytes of bodies at once */
	BUDGET_ADDRESS,     /* too many requests without a proof */
	BUDGET_CPU,         /* too much work */
	BUDGET_VERDICTS
};

/* Limits of one client; each is at least 1. */
struct budget_limits {
	int requests_per_s, predictions_per_s, bodies_kib;
};

/* What a verdict is called in metrics, and what the client is sent. */
struct budget_reason {
	const char *name, *text;
};
extern const struct budget_reason budget_reasons[BUDGET_VERDICTS];

struct budget;

struct budget *budget_create(const struct budget_limits *limits); /* or NULL */
void budget_destroy(struct budget *budget);

/* A request of `client` begins at `now_s`, with a body of `body_bytes`, for
 * `predictions` predictions.  If it is granted, budget_return() must be called
 * with the same body_bytes. */
enum budget_verdict budget_take(struct budget *budget, uint64_t client,
				double now_s, int predictions,
				size_t body_bytes);
void budget_return(struct budget *budget, uint64_t client, size_t body_bytes);

/* A request of `client` took that much CPU time.  What takes long is paid
 * afterwards: later requests are refused until it is. */
void budget_charge(struct budget *budget, uint64_t client, double cpu_s);

/* Return whether a request would be refused now. */
bool budget_is_spent(struct budget *budget, uint64_t client, double now_s);

/* How many requests had that verdict so far. */
uint64_t budget_count(struct budget *budget, enum budget_verdict verdict);
