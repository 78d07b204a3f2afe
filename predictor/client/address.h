/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address.h - address of predictd, from its URL */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/trusted_socket.h"

#define ADDRESS_BASE_SIZE 80

struct address {
	/* A Unix socket's path; empty: TCP. */
	char socket_path[SOCKET_PATH_SIZE];
	/* The URL without a path: "http://127.0.0.1:7380". */
	char base[ADDRESS_BASE_SIZE];
};

/* From "unix:/PATH" or "http://HOST[:PORT]", where HOST is a numeric IPv4
 * address, an IPv6 address in brackets, or "localhost" (127.0.0.1): no
 * name that needs resolving. */
int address_parse(const char *url, struct address *ret, struct sp_error *err);
