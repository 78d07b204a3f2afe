/* lists.c - applications, nodes and models' accuracies, a page at a time
 *
 * The engine calls the visitors under its lock: they only copy what stands on
 * the page asked for, and JSON is made of it afterwards.  A page is bounded so
 * that clients can bound what they read.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

#define PAGE_MAX 2000

struct page {
	size_t offset, limit;
	size_t total; /* visited */
	size_t count; /* kept */
	size_t size;  /* of an element */
	char *elements;
};

static void page_keep(struct page *page, const void *element)
{
	size_t position = page->total++;

	if (position < page->offset || page->count == page->limit)
		return;
	memcpy(page->elements + page->size * page->count++, element,
	       page->size);
}

/* The page that `r` asks for by offset and limit.  0, or a status. */
static int page_open(struct request *r, size_t size, struct page *ret)
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

/* Reply with what was kept, each element made by `encode`. */
static int page_reply(struct request *r, const char *key, struct page *page,
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
	free(page->elements);
	return status;
}

/* Put `value` below `key`; *failed when memory ran out. */
static void add(struct json_object *object, const char *key,
		struct json_object *value, bool *failed)
{
	if (!value)
		*failed = true;
	else if (json_object_object_add(object, key, value))
		*failed = true, json_object_put(value);
}

static void add_number(struct json_object *object, const char *key,
		       double value, bool *failed)
{
	struct json_object *number = request_number(value, failed);

	json_object_object_add(object, key, number);
}

static struct json_object *finish(struct json_object *object, bool failed)
{
	if (!failed)
		return object;
	json_object_put(object);
	return NULL;
}

/* --- Applications ------------------------------------------------------ */

static struct json_object *encode_application(const void *element)
{
	const struct engine_application *app = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	add(object, "name", json_object_new_string(app->name), &failed);
	add(object, "runs", json_object_new_int64(app->runs), &failed);
	add_number(object, "median_s", app->median_s, &failed);
	add_number(object, "last_ended_at_s", app->last_ended_at_s, &failed);
	return finish(object, failed);
}

static void visit_application(void *context,
			      const struct engine_application *app)
{
	page_keep(context, app);
}

int applications_list(struct request *r)
{
	struct page page;
	int status = page_open(r, sizeof(struct engine_application), &page);

	if (status)
		return status;
	engine_visit_applications(r->http->config.engine, request_scope(r),
				  visit_application, &page);
	return page_reply(r, "applications", &page, encode_application);
}

/* --- Nodes --------------------------------------------------------------- */

static struct json_object *encode_node(const void *element)
{
	const struct engine_node *node = element;
	struct json_object *object = wire_measurement_encode(&node->last);
	bool failed = false;

	if (!object)
		return NULL;
	add(object, "cluster", json_object_new_string(node->cluster), &failed);
	add(object, "fresh", json_object_new_boolean(node->fresh), &failed);
	return finish(object, failed);
}

static void visit_node(void *context, const struct engine_node *node)
{
	page_keep(context, node);
}

int nodes_list(struct request *r)
{
	struct page page;
	int status = page_open(r, sizeof(struct engine_node), &page);

	if (status)
		return status;
	engine_visit_nodes(r->http->config.engine, clock_now_s(), visit_node,
			   &page);
	return page_reply(r, "nodes", &page, encode_node);
}

/* --- Accuracy -------------------------------------------------------------- */

static struct json_object *encode_accuracy(const void *element)
{
	const struct engine_accuracy *accuracy = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	add(object, "model", json_object_new_string(accuracy->model), &failed);
	add(object, "runs", json_object_new_int64(accuracy->runs), &failed);
	add_number(object, "error", accuracy->error, &failed);
	add_number(object, "coverage", accuracy->coverage, &failed);
	return finish(object, failed);
}

static void visit_accuracy(void *context,
			   const struct engine_accuracy *accuracy)
{
	page_keep(context, accuracy);
}

int accuracy_from_memory(struct request *r)
{
	struct page page;
	int status = page_open(r, sizeof(struct engine_accuracy), &page);

	if (status)
		return status;
	engine_visit_accuracy(r->http->config.engine, request_scope(r),
			      visit_accuracy, &page);
	return page_reply(r, "accuracy", &page, encode_accuracy);
}
