/* page.c - a part of a list, as JSON */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/page.h"

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
	       struct json_object *(*encode)(const void *element))
{
	struct json_object *list = json_object_new_array();
	int status = 200;

	for (size_t i = 0; list && i < page->count; i++) {
		struct json_object *element =
			encode(page->elements + page->size * i);

		if (!element || json_object_array_add(list, element)) {
			json_object_put(element);
			json_object_put(list);
			list = NULL;
		}
	}
	if (request_add(r, key, list) ||
	    request_add(r, "total", json_object_new_int64(page->total)))
		status = request_out_of_memory(r);
	page_close(page);
	return status;
}

void json_add(struct json_object *object, const char *key,
	      struct json_object *value, bool *failed)
{
	if (!value)
		*failed = true;
	else if (json_object_object_add(object, key, value))
		*failed = true, json_object_put(value);
}

void json_add_number(struct json_object *object, const char *key, double value,
		     bool *failed)
{
	struct json_object *number = request_number(value, failed);

	json_object_object_add(object, key, number);
}

struct json_object *json_finish(struct json_object *object, bool failed)
{
	if (!failed)
		return object;
	json_object_put(object);
	return NULL;
}
