/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attacks.c - what a user, or anybody on the network, may try on predictd */
#include <stdio.h>
#include <string.h>

#include "tests/hostile/hostile.h"

/* Less than what predictd takes of a user, and more. */
#define BODY_TAKEN   (95 << 10)
#define BODY_REFUSED (920 << 10)

static size_t post_body(const char *body, size_t size, char *ret)
{
	int header = sprintf(ret,
			     "POST /v1/predictions HTTP/1.1\r\nHost: x\r\n"
			     "Content-Length: %zu\r\n\r\n",
			     size);

	memcpy(ret + header, body, size);
	return (size_t)header + size;
}

static size_t get_path(const char *path, const char *header, char *ret)
{
	return (size_t)sprintf(ret, "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n",
			       path, header);
}

/* Not a dry run: it is to be kept, and to get into the snapshot. */
static size_t request_prediction(uid_t uid, unsigned n, char *ret)
{
	char body[256];

	return post_body(body,
			 (size_t)sprintf(body,
					 "{\"job\":{\"user_id\":%u,"
					 "\"cluster\":\"" HOSTILE_CLUSTER
					 "\",\"name\":\"a%u\","
					 "\"limit_s\":600}}",
					 (unsigned)uid, n),
			 ret);
}

static size_t request_cluster(uid_t uid, unsigned n, char *ret)
{
	char body[256];

	return post_body(body,
			 (size_t)sprintf(body,
					 "{\"job\":{\"user_id\":%u,"
					 "\"cluster\":\"c%u-%u\"}}",
					 (unsigned)uid, (unsigned)uid, n),
			 ret);
}

/* An object of many keys that mean nothing. */
static size_t request_keys(uid_t uid, size_t size, char *ret)
{
	static char body[BODY_REFUSED + 64];
	size_t used = (size_t)sprintf(
		body, "{\"job\":{\"user_id\":%u},\"dry_run\":true",
		(unsigned)uid);

	for (unsigned i = 0; used < size; i++)
		used += (size_t)sprintf(body + used, ",\"%x\":0", i);
	body[used++] = '}';
	return post_body(body, used, ret);
}

static size_t request_keys_taken(uid_t uid, unsigned n, char *ret)
{
	(void)n;
	return request_keys(uid, BODY_TAKEN, ret);
}

static size_t request_keys_refused(uid_t uid, unsigned n, char *ret)
{
	(void)n;
	return request_keys(uid, BODY_REFUSED, ret);
}

/* What takes most to compute: lists of all nodes that there might be, a long
 * script, many node sets. */
static size_t request_hard(uid_t uid, unsigned n, char *ret)
{
	static char body[BODY_TAKEN + 512];
	size_t used = (size_t)sprintf(
		body,
		"{\"job\":{\"user_id\":%u,\"cluster\":\"" HOSTILE_CLUSTER
		"\",\"nodes_min\":2,\"tasks\":%u,"
		"\"excluded_nodes\":\"x[1-65000]\",\"required_nodes\":"
		"\"n[1-2]\",\"script\":\"#!/bin/sh\\n",
		(unsigned)uid, n % 64 + 2);

	for (unsigned i = 0; used < 60000; i++)
		used += (size_t)sprintf(body + used,
					"/opt/app%u -n %u --foo%u=%u\\n", i, i,
					i, n);
	used += (size_t)sprintf(body + used,
				"\"},\"sets\":16,\"dry_run\":true}");
	return post_body(body, used, ret);
}

/* One list after the other. */
static size_t request_list(uid_t uid, unsigned n, char *ret)
{
	static const char *const paths[] = {
		"/v1/applications",
		"/v1/accuracy",
		"/v1/accuracy?by=all",
		"/v1/accuracy?by=application",
		"/v1/nodes",
		"/v1/links",
		"/v1/profiles",
		"/v1/jobs/1",
		"/metrics",
		"/v1/predictions/0123456789abcdef",
	};

	(void)uid;
	return get_path(paths[n % (sizeof(paths) / sizeof(paths[0]))], "", ret);
}

/* The largest list there is, again and again. */
static size_t request_nodes(uid_t uid, unsigned n, char *ret)
{
	(void)uid;
	(void)n;
	return get_path("/v1/nodes", "", ret);
}

static size_t request_nodes_proved(uid_t uid, unsigned n, char *ret)
{
	char header[HOSTILE_HEADER_SIZE];

	(void)uid;
	(void)n;
	attacker_credential("GET /v1/nodes", header);
	return get_path("/v1/nodes", header, ret);
}

/* Replay the user's trace, which whatif_traces.py stored. */
static size_t request_whatif(uid_t uid, unsigned n, char *ret)
{
	char body[128];
	int size = sprintf(body, "{\"job_id\":%u,\"conditions\":\"then\",%s}",
			   9001 + (unsigned)uid - HOSTILE_UID_FIRST,
			   n % 2 ? "\"best\":true" : "\"nodes\":\"n1\"");

	return (size_t)sprintf(ret,
			       "POST /v1/whatif HTTP/1.1\r\nHost: x\r\n"
			       "Content-Length: %d\r\n\r\n%s",
			       size, body);
}

static size_t request_metrics(uid_t uid, unsigned n, char *ret)
{
	(void)uid;
	return get_path(n % 2 ? "/metrics" : "/openapi.json", "", ret);
}

/* Looks like a credential, and is none. */
static size_t request_forged(uid_t uid, unsigned n, char *ret)
{
	char header[512];

	(void)uid;
	sprintf(header, "Authorization: MUNGE MUNGE:%0400u:\r\n", n);
	return get_path("/v1/nodes", header, ret);
}

static const char declared_1m[] = "POST /v1/predictions HTTP/1.1\r\nHost: x\r\n"
				  "Content-Length: 1048576\r\n\r\n{";
static const char declared_96k[] =
	"POST /v1/predictions HTTP/1.1\r\nHost: x\r\n"
	"Content-Length: 98304\r\n\r\n{";
static const char half_header[] = "GET /livez HTTP/1.1\r\nX: ";

const struct attack attacks[] = {
	{ "declared", "64 connections that declare 1 MiB each", 1, 64,
	  .run = attackers_hold, .prefix = declared_1m },
	{ "bodies", "64 connections that declare 96 KiB, sent by the byte", 1,
	  64, .run = attackers_hold, .prefix = declared_96k },
	{ "keys", "bodies of 0.9 MB of keys that mean nothing", 1, 4,
	  .run = attackers_flood, .request = request_keys_refused },
	{ "keys_small", "the same in bodies that are small enough", 1, 64,
	  .run = attackers_flood, .request = request_keys_taken },
	{ "predictions", "one user predicts as often as it can", 1, 64,
	  .run = attackers_flood, .request = request_prediction },
	{ "many_users", "33 users predict as often as they can", 33, 2,
	  .run = attackers_flood, .request = request_prediction },
	{ "hard", "predictions that take long, of 8 users", 8, 8,
	  .run = attackers_flood, .request = request_hard },
	{ "clusters", "invented cluster names, of 8 users", 8, 8,
	  .run = attackers_flood, .request = request_cluster },
	{ "lists", "4 users list whatever there is", 4, 8,
	  .run = attackers_flood, .request = request_list },
	{ "nodes", "3 users list all nodes", 3, 2, .run = attackers_flood,
	  .request = request_nodes },
	{ "whatif", "6 users replay traces made for it", 6, 1,
	  .run = attackers_flood, .request = request_whatif },
	{ "crowd", "33 users with 64 idle connections each", 33, 64,
	  .run = attackers_hold, .prefix = half_header },
	{ "connects", "4 users connect and close", 4, 1,
	  .run = attackers_connect },
	{ "slow_headers", "500 headers of one user, sent by the byte", 1, 500,
	  .run = attackers_hold, .prefix = half_header },
	{ "tcp_crowd", "2,112 connections of 33 addresses", 33, 64, .tcp = true,
	  .run = attackers_hold, .prefix = half_header },
	{ "tcp_metrics", "metrics for nobody in particular", 4, 16, .tcp = true,
	  .run = attackers_flood, .request = request_metrics },
	{ "tcp_forged", "credentials that are none", 4, 16, .tcp = true,
	  .run = attackers_flood, .request = request_forged },
	{ "tcp_nodes", "8 connections of a user with a credential", 1, 8,
	  .tcp = true, .run = attackers_flood,
	  .request = request_nodes_proved },
	{ "tcp_lock_out", "connect and close, from the clients' address", 2, 1,
	  .tcp = true, .here = true, .run = attackers_connect },
	{ "tcp_hold_here", "200 idle connections from the clients' address", 1,
	  200, .tcp = true, .here = true, .run = attackers_hold,
	  .prefix = half_header },
	{ "tcp_flood_here", "metrics for nobody, from the clients' address", 2,
	  16, .tcp = true, .here = true, .run = attackers_flood,
	  .request = request_metrics },
	{ "tcp_connects", "connect and close, from 4 addresses", 4, 1,
	  .tcp = true, .run = attackers_connect },
	{ 0 },
};
