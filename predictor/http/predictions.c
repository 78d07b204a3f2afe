/* predictions.c - ask for a prediction, and look at it again */
#include <stdatomic.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

/* What `asked` lends is valid as long as *ret_message. */
static int decode(struct request *r, struct json_object **ret_message,
		  struct wire_request *asked, struct sp_error *err)
{
	*ret_message = wire_parse(r->body ? r->body : "", r->body_size, err);
	if (!*ret_message)
		return -1;
	return wire_request_decode(*ret_message, asked, err);
}

int predictions_answer(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct json_object *message = NULL;
	struct wire_request asked;
	struct prediction *p = &r->prediction;
	struct json_object *answer;
	struct sp_error err;
	int status = 200;

	if (!atomic_load(config->ready))
		return request_fail(r, 503, "the history is not read yet");
	if (decode(r, &message, &asked, &err)) {
		status = request_fail(r, 400, "%s", err.text);
		goto out;
	}
	if (asked.job.user_id != r->uid && !request_is_operator(r)) {
		status = request_fail(r, 403, "forbidden");
		goto out;
	}
	if (engine_predict(config->engine, &asked.job, asked.mode,
			   asked.quantile, clock_now_s(), !asked.dry_run, p,
			   &err)) {
		p->id[0] = '\0'; /* nobody has been told of it */
		status = request_fail(r, 500, "%s", err.text);
		goto out;
	}
	answer = asked.brief ? wire_prediction_encode_brief(p)
			     : wire_prediction_encode(p);
	if (request_add(r, "prediction", answer))
		status = request_out_of_memory(r);
out:
	json_object_put(message);
	return status;
}

int predictions_show(struct request *r)
{
	struct prediction p;

	/* Whether somebody else's is there is nobody's business. */
	if (engine_prediction(r->http->config.engine, r->captured,
			      STAGE_SUBMISSION, &p) ||
	    (p.user_id != r->uid && !request_is_operator(r)))
		return request_fail(r, 404, "no such prediction");
	if (request_add(r, "prediction", wire_prediction_encode(&p)))
		return request_out_of_memory(r);
	return 200;
}
