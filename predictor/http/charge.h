/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.h - who pays for a request
 *
 * Ordinary users pay from the budgets of budget.h, on TCP the address of the
 * client pays until a good credential is shown.
 */
#ifndef PREDICTOR_HTTP_CHARGE_H
#define PREDICTOR_HTTP_CHARGE_H

#include "predictor/http/request.h"

struct http;

/* By http->limits.  -1: out of memory; to be destroyed in any case. */
int charges_create(struct http *http);
void charges_destroy(struct http *http);

/* Charge an ordinary user whose body is to come.  Returns 0, or the status of a
 * refusal. */
int charge_user(struct request *r);

/* On TCP a request without a good credential is paid by the client's address; a
 * good one gives back what was taken.  Returns 0, or the status of
 * a refusal. */
int charge_address(struct request *r);

#endif
