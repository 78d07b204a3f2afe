/* SPDX-License-Identifier: GPL-2.0-or-later */
/* response.c - the reply to a request as a response of libmicrohttpd */
#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/hash_mix.h"
#include "predictor/http/request.h"
#include "predictor/http/response.h"
#include "predictor/http/server.h"
#include "predictor/http/web_files.h"

#define TAG_SIZE 24

/* Return the body of the reply, which lives as long as the request, longer than
 * the reply. */
static const char *reply_text(struct request *r, size_t *ret_size)
{
	if (r->text || r->file) {
		*ret_size = r->file ? *r->file->size : r->text_size;
		return r->file ? r->file->text : r->text;
	}
	if (r->kept) {
		*ret_size = r->kept->size;
		return r->kept->text;
	}

	static const char fallback[] =
		"{\"errors\":[{\"error\":\"out of memory\","
		"\"code\":\"internal\"}],\"warnings\":[]}";
	if (r->reply)
		wire_reply_complete(r->reply);

	const char *text = NULL;

	if (r->reply)
		text = json_object_to_json_string_length(
			r->reply,
			JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
			ret_size);
	if (text && r->keeps && r->status == 200)
		r->kept = kept_texts_put(&r->http->kept_texts, r->target,
					 r->scope, clock_monotonic_s(), text,
					 *ret_size);
	if (!text)
		*ret_size = sizeof(fallback) - 1;
	return text ? text : fallback;
}

/* Add the ETag of a reply to a GET, a hash of its text.  Return whether the
 * client has it already; a proxy that compresses makes it W/"...". */
static bool tag_reply(struct request *r, const char *text, size_t size,
		      char ret_tag[TAG_SIZE])
{
	const char *known = request_header(r, MHD_HTTP_HEADER_IF_NONE_MATCH);
	uint64_t hash = size;

	for (size_t i = 0; i < size; i += sizeof(hash)) {
		uint64_t next = 0;

		memcpy(&next, text + i,
		       size - i < sizeof(next) ? size - i : sizeof(next));
		hash = hash_mix(hash ^ next) + next;
	}
	snprintf(ret_tag, TAG_SIZE, "\"%016" PRIx64 "\"", hash);
	return known && strstr(known, ret_tag);
}

/* The page runs only its own script, speaks only to predictd, and stands in no
 * frame of another site. */
static void protect_page(struct MHD_Response *response)
{
	static const char *const headers[][2] = {
		{ "Content-Security-Policy",
		  "default-src 'none'; script-src 'self'; style-src 'self'; "
		  "img-src 'self'; connect-src 'self'; base-uri 'none'; "
		  "form-action 'none'; frame-ancestors 'none'" },
		{ "X-Frame-Options", "DENY" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cache-Control", "no-cache" }, /* but by its ETag */
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

struct MHD_Response *response_make(struct request *r, const char *method)
{
	const char *type = r->file        ? r->file->type
			   : r->text_type ? r->text_type
					  : REQUEST_JSON_TYPE;
	bool tagged = !strcmp(method, "GET") && r->status == 200;
	char tag[TAG_SIZE];
	size_t size;
	const char *text = reply_text(r, &size);

	if (tagged && tag_reply(r, text, size, tag)) {
		r->status = 304;
		size = 0;
	}

	struct MHD_Response *response = MHD_create_response_from_buffer(
		size, (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT);

	if (!response)
		return NULL;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (tagged)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, tag);
	if (r->file)
		protect_page(response);
	else
		MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
					"no-store");
	return response;
}
