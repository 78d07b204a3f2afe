/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address.c - address of predictd, from its URL */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/client/address.h"

static int parse_unix(const char *path, struct address *ret,
		      struct sp_error *err)
{
	struct address fresh = { .base = "http://localhost" };
	size_t length = strlen(path);

	if (path[0] != '/')
		return sp_error_set(err,
				    "unix:%.100s: the path must be "
				    "absolute",
				    path);
	if (length >= sizeof(fresh.socket_path))
		return sp_error_set(err,
				    "unix:%.100s...: longer than the %zu "
				    "bytes of a socket's path",
				    path, sizeof(fresh.socket_path) - 1);
	memcpy(fresh.socket_path, path, length);
	*ret = fresh;
	return 0;
}

static bool is_port(const char *text, size_t length)
{
	if (!length || length > 5)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;

	long port = strtol(text, NULL, 10);

	return port >= 1 && port <= 65535;
}

/* Return the length of the host that `text` begins with; 0: there is none. */
static size_t host_length(const char *text)
{
	if (text[0] != '[')
		return strcspn(text, ":/");

	const char *end = strchr(text, ']');

	return end ? (size_t)(end + 1 - text) : 0;
}

/* Copy a host that needs no resolving into ret_host. */
static int copy_host(const char *text, size_t length,
		     char ret_host[INET6_ADDRSTRLEN + 2])
{
	unsigned char binary[16];
	char bare[INET6_ADDRSTRLEN];
	bool v6 = text[0] == '[';
	size_t trim = v6 ? 1 : 0;

	if (length <= 2 * trim || length - 2 * trim >= sizeof(bare))
		return -1;
	memcpy(bare, text + trim, length - 2 * trim);
	bare[length - 2 * trim] = '\0';
	if (!v6 && !strcmp(bare, "localhost"))
		snprintf(bare, sizeof(bare), "127.0.0.1");
	if (inet_pton(v6 ? AF_INET6 : AF_INET, bare, binary) != 1)
		return -1;
	snprintf(ret_host, INET6_ADDRSTRLEN + 2, v6 ? "[%s]" : "%s", bare);
	return 0;
}

static int parse_http(const char *url, const char *rest, struct address *ret,
		      struct sp_error *err)
{
	struct address fresh = { .base = "" };
	char host[INET6_ADDRSTRLEN + 2];
	size_t length = host_length(rest);
	const char *after = rest + length;
	const char *port = "80";
	size_t port_length = 2;

	if (copy_host(rest, length, host))
		return sp_error_set(err,
				    "%.100s: the host must be a numeric "
				    "address or localhost",
				    url);
	if (*after == ':') {
		port = after + 1;
		port_length = strcspn(port, "/");
		after = port + port_length;
		if (!is_port(port, port_length))
			return sp_error_set(err,
					    "%.100s: the port must be 1 "
					    "to 65535",
					    url);
	}
	if (*after && strcmp(after, "/"))
		return sp_error_set(err,
				    "%.100s: nothing may follow the host "
				    "and port",
				    url);
	snprintf(fresh.base, sizeof(fresh.base), "http://%s:%.*s", host,
		 (int)port_length, port);
	*ret = fresh;
	return 0;
}

int address_parse(const char *url, struct address *ret, struct sp_error *err)
{
	static const struct {
		const char *prefix;
		bool is_unix;
	} schemes[] = { { "unix:", true }, { "http://", false }, { NULL, 0 } };

	for (int i = 0; schemes[i].prefix; i++) {
		size_t length = strlen(schemes[i].prefix);

		if (strncmp(url, schemes[i].prefix, length))
			continue;
		return schemes[i].is_unix
			       ? parse_unix(url + length, ret, err)
			       : parse_http(url, url + length, ret, err);
	}
	return sp_error_set(err,
			    "%.100s: must be unix:/PATH or "
			    "http://HOST:PORT",
			    url);
}
