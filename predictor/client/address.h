/* address.h - where predictd listens, as its URL says */
#ifndef PREDICTOR_CLIENT_ADDRESS_H
#define PREDICTOR_CLIENT_ADDRESS_H

#include <sys/un.h>

#include "predictor/base/error.h"

#define ADDRESS_BASE_SIZE 80

struct address {
	/* A Unix socket's path; empty: TCP. */
	char socket_path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	/* What stands before a request's path: "http://127.0.0.1:7380". */
	char base[ADDRESS_BASE_SIZE];
};

/* From "unix:/PATH" or "http://HOST[:PORT]", where HOST is a numeric IPv4
 * address, an IPv6 address in brackets, or "localhost" (127.0.0.1): nothing
 * that would have to be looked up. */
int address_parse(const char *url, struct address *ret, struct sp_error *err);

#endif
