/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_snapshot.c - the snapshot for the select plugin, as text */
#include <errno.h>
#include <stdlib.h>

#include "predictor/engine/nodes/snapshots.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

#define SNAPSHOT_TYPE "text/plain; charset=utf-8"

/* "EPOCH-VERSION", as in the first line of a snapshot; empty: the client has
 * none. */
static int parse_since(const char *text, uint64_t *ret_epoch,
		       uint64_t *ret_version)
{
	char *end;

	*ret_epoch = *ret_version = 0;
	if (!*text)
		return 0;
	errno = 0;
	*ret_epoch = strtoull(text, &end, 16);
	if (end == text || *end != '-' || end[1] < '0' || end[1] > '9')
		return -1;
	*ret_version = strtoull(end + 1, &end, 10);
	return *end || errno || *text == '-' ? -1 : 0;
}

/* The newest that a client reads and we write: one that names none is of a
 * release that had the oldest only.  0: it reads none of ours. */
static int format_for(uint32_t newest)
{
	if (!newest)
		return SNAPSHOT_FORMAT_OLDEST;
	if (newest < SNAPSHOT_FORMAT_OLDEST)
		return 0;
	return newest < SNAPSHOT_FORMAT ? (int)newest : SNAPSHOT_FORMAT;
}

int snapshot_show(struct request *r)
{
	char cluster[RUN_NAME_SIZE], since[64];
	uint32_t newest;
	uint64_t epoch, version;
	struct sp_error err;

	if (request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_text(r, "since", since, sizeof(since), &err) ||
	    request_query_number(r, "format", 0, &newest, &err))
		return request_fail(r, 400, "%s", err.text);
	if (parse_since(since, &epoch, &version))
		return request_fail(r, 400, "since: not EPOCH-VERSION");

	int format = format_for(newest);

	if (!format)
		return request_fail(r, 400, "format: at least %d",
				    SNAPSHOT_FORMAT_OLDEST);
	r->text = engine_snapshot_text(r->http->config.engine, cluster, format,
				       epoch, version, &r->text_size);
	if (!r->text)
		return request_fail(r, 503, "there is no snapshot yet");
	r->text_type = SNAPSHOT_TYPE;
	return 200;
}
