/* route_predictions.c - ask for a prediction, and look at it again */
#include <stdatomic.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/engine/snapshots.h"
#include "predictor/http/handlers.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"
#include "predictor/http/reply_sets.h"
#include "predictor/wire/wire.h"

/* What `asked` lends is valid as long as the request. */
static int decode(struct request *r, struct wire_request *asked,
		  struct sp_error *err)
{
	r->message = wire_parse(r->body ? r->body : "", r->body_size, err);
	if (!r->message)
		return -1;
	return wire_request_decode(r->message, asked, err);
}

static void print(struct request *r, bool brief, struct wire_text *ret)
{
	const struct prediction *p = &r->prediction;
	struct placement_model model;
	char placement[SNAPSHOT_MODEL_SIZE];

	if (!brief) {
		wire_prediction_reply(p, SP_VERSION, ret);
		return;
	}

	bool placed = !engine_placement(r->http->config.engine, p->id, &model);

	if (placed)
		snapshot_model_print(&model, placement);
	wire_answer_reply(p, placed ? placement : NULL, ret);
}

int predictions_answer(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct wire_request asked;
	struct prediction *p = &r->prediction;
	struct wire_text answer = { 0 };
	struct sp_error err;

	if (!atomic_load(config->ready))
		return request_fail(r, 503, "the history is not read yet");
	if (decode(r, &asked, &err))
		return request_fail(r, 400, "%s", err.text);
	if (asked.job.user_id != r->uid && !request_is_operator(r))
		return request_fail(r, 403, "forbidden");
	engine_predict(config->engine, &asked.job, asked.mode, asked.quantile,
		       clock_now_s(), !asked.dry_run, p);
	if (asked.sets)
		return request_add(r, "prediction", wire_prediction_encode(p))
			       ? request_out_of_memory(r)
			       : sets_add_best(r, p, &asked.job, asked.sets);
	print(r, asked.brief, &answer);
	if (answer.failed) {
		wire_text_clear(&answer);
		return request_out_of_memory(r);
	}
	r->text = answer.bytes;
	r->text_size = answer.size;
	r->text_type = REQUEST_JSON_TYPE;
	return 200;
}

void predictions_told(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct sp_error err;

	if (engine_keep(config->engine, &r->prediction, &err))
		log_error("prediction %s: %s", r->prediction.id, err.text);
	config->store_ops->put_prediction(config->store, &r->prediction);
}

/* --- Looking at one again ------------------------------------------------------- */

/* What was predicted at the submission, and at the start; either may be NULL. */
static int reply_stages(struct request *r, const struct prediction *submission,
			const struct prediction *start)
{
	const struct prediction *first = submission ? submission : start;

	if (request_add(r, "prediction", wire_prediction_encode(first)))
		return request_out_of_memory(r);
	if (!start)
		json_object_object_add(r->reply, "start_prediction", NULL);
	else if (request_add(r, "start_prediction",
			     wire_prediction_encode(start)))
		return request_out_of_memory(r);
	return 200;
}

/* Whether somebody else's is there is nobody's business. */
static bool may_see(struct request *r, const struct prediction *p)
{
	return p->user_id == r->uid || request_is_operator(r);
}

static int reply_found(struct request *r, const struct store_prediction *found)
{
	const struct prediction *stages[STAGE_COUNT] = { NULL };
	const struct prediction *any = NULL;

	for (int i = 0; i < STAGE_COUNT; i++)
		if (found->known[i])
			any = stages[i] = &found->stages[i];
	if (!any || !may_see(r, any))
		return request_fail(r, 404, "no such prediction");

	int status =
		reply_stages(r, stages[STAGE_SUBMISSION], stages[STAGE_START]);

	if (status == 200 && found->has_run &&
	    request_add(r, "run", wire_run_encode(&found->run)))
		status = request_out_of_memory(r);
	return status;
}

static void found(void *context, int rc, const struct store_prediction *answer,
		  const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status = rc == STORE_STORED
				    ? reply_found(r, answer)
				    : pending_failed(r, rc, "not found", why);
	pending_end(p);
}

/* Memory has forgotten it, or never heard of it. */
static int ask_store(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct pending *p;
	struct sp_error err;
	int status;

	if (strlen(r->captured) >= PREDICTION_ID_SIZE)
		return request_fail(r, 404, "no such prediction");
	status = pending_begin(r, &p);
	if (status)
		return status;
	if (config->store_ops->get_prediction(config->store, r->captured, found,
					      p, &err))
		pending_refuse(p, "not found", &err);
	return REQUEST_LATER;
}

int predictions_show(struct request *r)
{
	struct engine *engine = r->http->config.engine;
	struct prediction submission, start;

	if (engine_prediction(engine, r->captured, STAGE_SUBMISSION,
			      &submission))
		return ask_store(r);
	if (!may_see(r, &submission))
		return request_fail(r, 404, "no such prediction");

	bool started =
		!engine_prediction(engine, r->captured, STAGE_START, &start);

	return reply_stages(r, &submission, started ? &start : NULL);
}
