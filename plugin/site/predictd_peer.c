/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_peer.c - which predictd a plugin sends its requests to */
#include <string.h>

#include "plugin/site/predictd_peer.h"

static void find_munge_socket(const char *auth_info,
			      char ret_path[PEER_SOCKET_SIZE])
{
	static const char key[] = "socket=";
	const char *at = auth_info ? strstr(auth_info, key) : NULL;
	size_t length = at ? strcspn(at + strlen(key), ",") : 0;

	if (length < PEER_SOCKET_SIZE && length)
		memcpy(ret_path, at + strlen(key), length);
}

void predictd_peer_set(struct predictd_peer *ret, const char *url,
		       const char *auth_info)
{
	memset(ret, 0, sizeof(*ret));
	strncpy(ret->url, url, sizeof(ret->url) - 1);
	find_munge_socket(auth_info, ret->munge_socket);
}
