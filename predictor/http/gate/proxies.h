/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proxies.h - addresses of proxies that say who their client is */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "predictor/base/error.h"

#define PROXIES_MAX 16

/* All bytes zero: none. */
struct proxies {
	size_t count;
	struct in6_addr addresses[PROXIES_MAX]; /* IPv4: mapped */
};

/* Add an IPv4 or IPv6 address. */
int proxies_add(struct proxies *proxies, const char *text,
		struct sp_error *err);

bool proxies_have(const struct proxies *proxies,
		  const struct sockaddr *address);
