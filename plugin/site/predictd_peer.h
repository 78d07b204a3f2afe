/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_peer.h - which predictd a plugin sends its requests to */
#pragma once

#include "predictor/client/client.h"

#define PEER_SOCKET_SIZE 108 /* of a Unix socket's path */

struct predictd_peer {
	char url[CLIENT_URL_SIZE];           /* as in client.h */
	char munge_socket[PEER_SOCKET_SIZE]; /* empty: MUNGE's default */
};

/* predictd at `url`, and the MUNGE socket of slurm.conf's AuthInfo
 * (socket=/PATH,...; may be NULL).  Sets all bytes, so that two peers can be
 * compared with memcmp(). */
void predictd_peer_set(struct predictd_peer *ret, const char *url,
		       const char *auth_info);
