/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_address.c - the host of a client on TCP, as a number */
#include <netinet/in.h>
#include <string.h>

#include "predictor/http/gate/peer_address.h"

uint64_t peer_address_number(const struct sockaddr *address)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	uint64_t network;
	uint32_t last;

	if (address->sa_family == AF_INET) {
		memcpy(&in, address, sizeof(in));
		return in.sin_addr.s_addr;
	}
	if (address->sa_family != AF_INET6)
		return 0;
	memcpy(&in6, address, sizeof(in6));
	memcpy(&network, &in6.sin6_addr, sizeof(network));
	memcpy(&last, in6.sin6_addr.s6_addr + 12, sizeof(last));
	return network ? network : last; /* mapped IPv4, or ::1 */
}
