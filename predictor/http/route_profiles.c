/* route_profiles.c - what applications do with CPUs and links */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"

#define PROFILES_LIMIT 64 /* in a reply, if no less is asked for */

/* Copied under the engine's lock, made JSON of afterwards. */
struct found {
	uint32_t total, limit, count;
	struct profile *of;
};

static void visit(void *context, const struct profile *profile)
{
	struct found *found = context;

	found->total++;
	if (found->count < found->limit)
		found->of[found->count++] = *profile;
}

struct known {
	const char *application;
	bool is_known;
};

static void visit_application(void *context,
			      const struct engine_application *app)
{
	struct known *known = context;

	known->is_known |= !strcmp(app->name, known->application);
}

/* Users see what they have run themselves. */
static bool may_see(struct request *r, const char *application)
{
	struct known known = { application, request_is_operator(r) };

	if (!known.is_known && *application)
		engine_visit_applications(r->http->config.engine,
					  request_scope(r), visit_application,
					  &known);
	return known.is_known;
}

static int reply(struct request *r, const struct found *found)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; array && i < found->count; i++) {
		struct json_object *profile =
			wire_profile_encode(&found->of[i]);

		if (!profile || json_object_array_add(array, profile)) {
			json_object_put(profile);
			json_object_put(array);
			array = NULL;
		}
	}
	if (request_add(r, "profiles", array) ||
	    request_add(r, "total", json_object_new_int64(found->total)))
		return request_out_of_memory(r);
	return 200;
}

int profiles_list(struct request *r)
{
	char application[APPLICATION_NAME_SIZE];
	struct found found = { .limit = 0 };
	struct sp_error err;

	if (request_query_text(r, "application", application,
			       sizeof(application), &err) ||
	    request_query_number(r, "limit", PROFILES_LIMIT, &found.limit,
				 &err))
		return request_fail(r, 400, "%s", err.text);
	if (found.limit == 0 || found.limit > PROFILES_LIMIT)
		return request_fail(r, 400, "limit: must be 1 to %d",
				    PROFILES_LIMIT);
	found.of = malloc(found.limit * sizeof(*found.of));
	if (!found.of)
		return request_out_of_memory(r);
	if (may_see(r, application))
		engine_visit_profiles(r->http->config.engine, application,
				      visit, &found);

	int status = reply(r, &found);

	free(found.of);
	return status;
}
