/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.h - one page of a list, as JSON
 *
 * Pages are bounded, so that clients can bound what they read.
 */
#pragma once

#include "predictor/http/request.h"

#define PAGE_MAX 2000

struct page {
	size_t offset, limit;
	size_t total; /* of the whole list */
	size_t count; /* of the page */
	size_t size;  /* of an element */
	char *elements;
};

/* Open the page that offset and limit of the query select, with room for its
 * elements.  0, or a status. */
int page_open(struct request *r, size_t size, struct page *ret);

/* To be called for each element of the list: copies those of the page. */
void page_keep(struct page *page, const void *element);

/* Reply with the list of the elements that were kept, and close the page. */
int page_reply(struct request *r, const char *key, struct page *page,
	       struct json_object *list);

/* The same with the members that `fields` describes. */
int page_reply_records(struct request *r, const char *key, struct page *page,
		       const struct field fields[]);

/* Close it without a reply. */
void page_close(struct page *page);
