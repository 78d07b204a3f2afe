/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof.h - what a request proves its user by */
#ifndef PREDICTOR_HTTP_PROOF_H
#define PREDICTOR_HTTP_PROOF_H

#include "predictor/http/request.h"

enum proof_place {
	PROOF_CREDENTIAL, /* request->check has the proof and its credential */
	PROOF_PEER,       /* none was sent: the other end of the Unix socket */
	PROOF_MISSING     /* none that is understood */
};

/* In this order: the name that a trusted proxy sends, the Authorization header
 * (MUNGE or Bearer), Slurm's X-SLURM-USER-TOKEN, the Unix socket. */
enum proof_place proof_find(struct request *request, bool is_unix);

#endif
