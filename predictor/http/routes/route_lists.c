/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_lists.c - lists of applications and of models, a page at a time
 *
 * The engine calls the visitors with its lock held: they only copy the elements
 * of the page; JSON is made of them afterwards.
 */
#include <string.h>

#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/page.h"
#include "predictor/http/server.h"

/* --- Applications ------------------------------------------------------ */

static const struct field application_fields[] = {
	FIELD_SENT(engine_application, name, TEXT),
	FIELD_SENT(engine_application, cluster, TEXT),
	FIELD_SENT(engine_application, runs, UINT),
	FIELD_SENT(engine_application, median_s, NUMBER),
	FIELD_SENT(engine_application, last_ended_at_s, NUMBER),
	FIELD_SENT(engine_application, alike_pairs, UINT),
	FIELD_SENT(engine_application, alike_factor, NUMBER),
	FIELD_SENT(engine_application, parameters, TEXT),
	FIELD_END,
};

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
	if (request_is_kept(r, request_scope(r)))
		return 200;
	status = page_open(r, sizeof(struct engine_application), &list.page);
	if (status)
		return status;
	engine_visit_applications(r->http->config.engine, request_scope(r),
				  visit_application, &list);
	return page_reply_records(r, "applications", &list.page,
				  application_fields);
}

/* --- Accuracy ------------------------------------------------------------- */

static const struct field accuracy_fields[] = {
	FIELD_SENT(engine_accuracy, model, TEXT),
	FIELD_SENT(engine_accuracy, runs, UINT),
	FIELD_SENT(engine_accuracy, error, NUMBER),
	FIELD_SENT(engine_accuracy, coverage, NUMBER),
	FIELD_END,
};

static void visit_accuracy(void *context,
			   const struct engine_accuracy *accuracy)
{
	page_keep(context, accuracy);
}

int accuracy_from_memory(struct request *r)
{
	struct page page;
	int status;

	if (request_is_kept(r, request_scope(r)))
		return 200;
	status = page_open(r, sizeof(struct engine_accuracy), &page);
	if (status)
		return status;
	engine_visit_accuracy(r->http->config.engine, request_scope(r),
			      visit_accuracy, &page);
	return page_reply_records(r, "accuracy", &page, accuracy_fields);
}
