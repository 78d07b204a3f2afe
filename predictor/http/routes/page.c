/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - one page of a list, as JSON */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/routes/page.h"

void page_keep(struct page *page, const void *element)
{
	size_t position = page->total++;

	if (position < page->offset || page->count == page->limit)
		return;
	memcpy(page->elements + page->size * page->count++, element,
	       page->size);
}

int page_open(struct request *r, size_t size, struct page *ret)
{
	uint32_t offset, limit;
	struct sp_error err;

	if (request_query_number(r, "offset", 0, &offset, &err) ||
	    request_query_number(r, "limit", PAGE_MAX, &limit, &err))
		return request_fail(r, 400, "%s", err.text);
	if (limit == 0 || limit > PAGE_MAX)
		return request_fail(r, 400, "limit: not 1 to %d", PAGE_MAX);
	*ret = (struct page){ .offset = offset,
			      .limit = limit,
			      .size = size,
			      .elements = malloc(size * limit) };
	return ret->elements ? 0 : request_out_of_memory(r);
}

void page_close(struct page *page)
{
	free(page->elements);
	page->elements = NULL;
}

int page_reply(struct request *r, const char *key, struct page *page,
	       struct json_object *list)
{
	int status =
		request_add(r, key, list)
			? request_out_of_memory(r)
			: request_reply(r, "total",
					json_object_new_int64(page->total));

	page_close(page);
	return status;
}

int page_reply_records(struct request *r, const char *key, struct page *page,
		       const struct field fields[])
{
	return page_reply(
		r, key, page,
		json_records(fields, page->elements, page->count, page->size));
}
