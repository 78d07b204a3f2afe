/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_lists.c - lists of applications and of models, a page at a time
 *
 * The engine calls the visitors with its lock held: they only copy the elements
 * of the page; JSON is made of them afterwards.
 */
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/page.h"
#include "predictor/http/server.h"

/* --- Applications ------------------------------------------------------ */

static struct json_object *encode_application(const void *element)
{
	const struct engine_application *app = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "name", json_object_new_string(app->name), &failed);
	json_add(object, "cluster", json_object_new_string(app->cluster),
		 &failed);
	json_add(object, "runs", json_object_new_int64(app->runs), &failed);
	json_add_number(object, "median_s", app->median_s, &failed);
	json_add_number(object, "last_ended_at_s", app->last_ended_at_s,
			&failed);
	json_add(object, "alike_pairs", json_object_new_int64(app->alike_pairs),
		 &failed);
	json_add_number(object, "alike_factor", app->alike_factor, &failed);
	json_add(object, "parameters", json_object_new_string(app->parameters),
		 &failed);
	return json_finish(object, failed);
}

struct application_page {
	struct page page;
	char cluster[RUN_NAME_SIZE]; /* empty: all */
};

static void visit_application(void *context,
			      const struct engine_application *app)
{
	struct application_page *list = context;

	if (!*list->cluster || !strcmp(list->cluster, app->cluster))
		page_keep(&list->page, app);
}

int applications_list(struct request *r)
{
	struct application_page list;
	struct sp_error err;
	int status;

	if (request_query_text(r, "cluster", list.cluster, sizeof(list.cluster),
			       &err))
		return request_fail(r, 400, "%s", err.text);
	status = page_open(r, sizeof(struct engine_application), &list.page);
	if (status)
		return status;
	engine_visit_applications(r->http->config.engine, request_scope(r),
				  visit_application, &list);
	return page_reply(r, "applications", &list.page, encode_application);
}

/* --- Accuracy ------------------------------------------------------------- */

static struct json_object *encode_accuracy(const void *element)
{
	const struct engine_accuracy *accuracy = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "model", json_object_new_string(accuracy->model),
		 &failed);
	json_add(object, "runs", json_object_new_int64(accuracy->runs),
		 &failed);
	json_add_number(object, "error", accuracy->error, &failed);
	json_add_number(object, "coverage", accuracy->coverage, &failed);
	return json_finish(object, failed);
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
