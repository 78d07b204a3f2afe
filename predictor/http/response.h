/* SPDX-License-Identifier: GPL-2.0-or-later */
/* response.h - the reply to a request as a response of libmicrohttpd */
#pragma once

struct request;
struct MHD_Response;

/* Make it, with the headers that are about its body; its text lives as long as
 * the request.  Where a GET names the ETag of the reply, r->status becomes 304,
 * without a body.  NULL: out of memory. */
struct MHD_Response *response_make(struct request *r, const char *method);
