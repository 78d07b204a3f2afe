/* page.h - a part of a list, as JSON
 *
 * A page is bounded so that clients can bound what they read.
 */
#ifndef PREDICTOR_HTTP_PAGE_H
#define PREDICTOR_HTTP_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/http/request.h"

#define PAGE_MAX 2000

struct page {
	size_t offset, limit;
	size_t total; /* of the whole list */
	size_t count; /* of the page */
	size_t size;  /* of an element */
	char *elements;
};

/* The page that `r` asks for by offset and limit, with room for its elements.
 * 0, or a status. */
int page_open(struct request *r, size_t size, struct page *ret);

/* While all elements pass by: count each, copy those of the page. */
void page_keep(struct page *page, const void *element);

/* Reply with what was kept, each element made by `encode`, and end the page. */
int page_reply(struct request *r, const char *key, struct page *page,
	       struct json_object *(*encode)(const void *element));

/* End it without a reply. */
void page_close(struct page *page);

/* --- Objects ------------------------------------------------------------- */

/* Put `value` below `key`; *failed when memory ran out. */
void json_add(struct json_object *object, const char *key,
	      struct json_object *value, bool *failed);
void json_add_number(struct json_object *object, const char *key, double value,
		     bool *failed);

/* The object, or NULL in its place if something failed. */
struct json_object *json_finish(struct json_object *object, bool failed);

#endif
