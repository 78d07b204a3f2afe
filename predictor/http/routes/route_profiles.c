/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_profiles.c - how applications use CPUs and links */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

#define PROFILES_LIMIT 64 /* in a reply */

/* Profiles are copied with the lock of the engine held; JSON is made of them
 * afterwards. */
struct profile_list {
	const char *cluster; /* empty: of all */
	uint32_t total, limit, count;
	struct profile *rows;
};

static void profile_list_add(void *context, const struct profile *profile)
{
	struct profile_list *found = context;

	if (*found->cluster && strcmp(found->cluster, profile->cluster) != 0)
		return;
	found->total++;
	if (found->count < found->limit)
		found->rows[found->count++] = *profile;
}

struct application_search {
	const char *name;
	bool is_found;
};

static void application_compare(void *context,
				const struct engine_application *app)
{
	struct application_search *search = context;

	search->is_found |= !strcmp(app->name, search->name);
}

/* Users see the applications that they have run. */
static bool may_see(struct request *r, const char *application)
{
	struct application_search search = { application,
					     request_is_operator(r) };

	if (!search.is_found && *application)
		engine_visit_applications(r->http->config.engine,
					  request_scope(r), application_compare,
					  &search);
	return search.is_found;
}

static struct json_object *encode_profile(const void *element)
{
	return wire_profile_encode(element);
}

static int reply_profiles(struct request *r, const struct profile_list *found)
{
	struct json_object *array =
		json_array(found->rows, found->count, sizeof(*found->rows),
			   encode_profile);

	if (request_add(r, "profiles", array))
		return request_out_of_memory(r);
	return request_reply(r, "total", json_object_new_int64(found->total));
}

int profiles_list(struct request *r)
{
	char application[APPLICATION_NAME_SIZE], cluster[RUN_NAME_SIZE];
	struct profile_list found = { .cluster = cluster };
	struct sp_error err;

	if (request_query_text(r, "application", application,
			       sizeof(application), &err) ||
	    request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_number(r, "limit", PROFILES_LIMIT, &found.limit,
				 &err))
		return request_fail(r, 400, "%s", err.text);
	if (found.limit == 0 || found.limit > PROFILES_LIMIT)
		return request_fail(r, 400, "limit: must be 1 to %d",
				    PROFILES_LIMIT);
	found.rows = malloc(found.limit * sizeof(*found.rows));
	if (!found.rows)
		return request_out_of_memory(r);
	if (may_see(r, application))
		engine_visit_profiles(r->http->config.engine, application,
				      profile_list_add, &found);

	int status = reply_profiles(r, &found);

	free(found.rows);
	return status;
}
