/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof.h - what a request proves its user by, and whose it is
 *
 * Each function returns 0, or the status of a refusal.
 */
#pragma once

#include "predictor/http/request.h"

/* Find the uid of the client.  A credential takes time: the stage is
 * STAGE_IDENTITY then, the connection suspended until it has been checked. */
int proof_check(struct request *request, const char *method, bool is_unix);

/* Return whether a request over TCP has what it may be known by. */
bool proof_is_sent(struct request *request);

/* Take the verdict on the credential.  A bad one is charged to the address. */
int proof_checked(struct request *request);

/* Find the uid at the other end of a Unix socket. */
int proof_of_peer(struct request *request);
