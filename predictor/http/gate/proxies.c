/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proxies.c - addresses of proxies that say who their client is */
#include <arpa/inet.h>
#include <string.h>

#include "predictor/http/gate/proxies.h"

static struct in6_addr address_mapped(const struct in_addr *address)
{
	struct in6_addr mapped = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	memcpy(mapped.s6_addr + 12, address, sizeof(*address));
	return mapped;
}

int proxies_add(struct proxies *proxies, const char *text, struct sp_error *err)
{
	struct in6_addr six;
	struct in_addr four;

	if (inet_pton(AF_INET, text, &four) == 1)
		six = address_mapped(&four);
	else if (inet_pton(AF_INET6, text, &six) != 1)
		return sp_error_set(err, "%.64s: not an address", text);
	if (proxies->count == PROXIES_MAX)
		return sp_error_set(err, "more than %d proxies", PROXIES_MAX);
	proxies->addresses[proxies->count++] = six;
	return 0;
}

bool proxies_have(const struct proxies *proxies, const struct sockaddr *address)
{
	struct in6_addr six;

	if (address->sa_family == AF_INET)
		six = address_mapped(
			&((const struct sockaddr_in *)address)->sin_addr);
	else if (address->sa_family == AF_INET6)
		six = ((const struct sockaddr_in6 *)address)->sin6_addr;
	else
		return false;
	for (size_t i = 0; i < proxies->count; i++)
		if (!memcmp(&proxies->addresses[i], &six, sizeof(six)))
			return true;
	return false;
}
