/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_explanations.c - how a job script is understood
 *
 * The body is that of a prediction.  Nothing of the history is needed, and
 * nothing is kept.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/features/script/explanation.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/wire/wire.h"

static struct json_object *encode_command(const void *element)
{
	const struct explained_command *c = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	json_add_number(object, "line", c->line ? (double)c->line : NAN,
			&failed);
	json_add(object, "taken_for",
		 json_object_new_string(explanation_rank_name(c->rank)),
		 &failed);
	json_add(object, "used", json_object_new_boolean(c->used), &failed);
	json_add(object, "command", json_object_new_string(c->text), &failed);
	return json_finish(object, failed);
}

static struct json_object *encode_parameters(const struct parameters *set)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	for (int i = 0; object && i < set->count; i++)
		json_add_number(object, set->of[i].name, set->of[i].value,
				&failed);
	return object ? json_finish(object, failed) : NULL;
}

static int reply_explanation(struct request *r, const struct explanation *e)
{
	const struct application *found = &e->application;

	if (request_add(r, "application",
			json_object_new_string(found->name)) ||
	    request_add(r, "parameters",
			encode_parameters(&found->parameters)) ||
	    request_add(r, "traits", json_object_new_string(found->traits)) ||
	    request_add(r, "commands",
			json_array(e->commands, e->count, sizeof(*e->commands),
				   encode_command)) ||
	    request_add(r, "skipped",
			json_object_new_int64((int64_t)e->skipped)))
		return request_out_of_memory(r);
	return request_reply(r, "unknown", json_object_new_string(e->unknown));
}

int explanations_make(struct request *r)
{
	struct wire_request input;
	struct explanation *explanation;
	struct sp_error err;

	if (request_decode(r, &input, &err))
		return request_fail(r, 400, "%s", err.text);
	explanation = malloc(sizeof(*explanation));
	if (!explanation)
		return request_out_of_memory(r);
	explanation_make(&input.job, explanation);

	int status = reply_explanation(r, explanation);

	free(explanation);
	return status;
}
