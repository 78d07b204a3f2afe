/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.h - who pays for a request
 *
 * Ordinary users pay from the budgets of budget.h.  On TCP the address of the
 * client pays for requests without a credential, and for bad ones.
 */
#pragma once

#include "predictor/http/request.h"

/* By http->limits.  -1: out of memory; to be destroyed in any case. */
int charges_create(struct http *http);
void charges_destroy(struct http *http);

/* Charge an ordinary user whose body is to come.  Returns 0, or the status of a
 * refusal. */
int charge_user(struct request *r);

/* Charge the client's address, on TCP, for a request without a good credential.
 * Returns 0, or the status of a refusal. */
int charge_address(struct request *r);

/* Return whether it can pay for no more: then its credentials are checked after
 * those of others. */
bool address_is_spent(struct request *r);
