/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.c - who pays for a request */
#include "predictor/http/charge.h"
#include "predictor/http/http_socket.h"
#include "predictor/http/server.h"

/* Connections that a user or address may open for each request it may make: a
 * client that makes too many requests, each on a new connection, shall be sent
 * the reason. */
#define CONNECTS 4

int charges_create(struct http *http)
{
	const struct http_limits *limits = &http->limits;
	struct budget_limits address = {
		.requests_per_s = limits->address_requests_per_s
	};
	struct budget_limits user_connects = {
		.requests_per_s = limits->user.requests_per_s * CONNECTS
	};
	struct budget_limits address_connects = {
		.requests_per_s = limits->address_requests_per_s * CONNECTS
	};

	http->budget = budget_create(&limits->user);
	http->addresses = budget_create(&address);
	http->user_connects = budget_create(&user_connects);
	http->address_connects = budget_create(&address_connects);
	return http->budget && http->addresses && http->user_connects &&
			       http->address_connects
		       ? 0
		       : -1;
}

void charges_destroy(struct http *http)
{
	budget_destroy(http->budget);
	budget_destroy(http->addresses);
	budget_destroy(http->user_connects);
	budget_destroy(http->address_connects);
}

int charge_user(struct request *r)
{
	struct http *http = r->http;
	bool predicts = r->body_expected > 0; /* a POST reads a script */

	if (r->body_expected > HTTP_USER_BODY_MAX)
		return request_fail(r, 413, "the body is larger than %d bytes",
				    HTTP_USER_BODY_MAX);

	enum budget_verdict verdict = budget_take(
		http->budget, r->uid, r->began_s, predicts, r->body_expected);

	r->charged = verdict == BUDGET_GRANTED;
	return r->charged ? 0
			  : request_fail(r, 429, "%s",
					 budget_reasons[verdict].text);
}

bool address_is_spent(struct request *r)
{
	uint64_t address = http_connection_address(r->connection);

	return address &&
	       budget_is_spent(r->http->addresses, address, r->began_s);
}

int charge_address(struct request *r)
{
	uint64_t address = http_connection_address(r->connection);

	if (!address || budget_take(r->http->addresses, address, r->began_s, 0,
				    0) == BUDGET_GRANTED)
		return 0;
	return request_fail(r, 429, "%s", budget_reasons[BUDGET_ADDRESS].text);
}
