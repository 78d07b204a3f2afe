/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_predictions.c - make a prediction, and show an earlier one
 *
 * A prediction is made from memory and sent at once; the engine keeps it and
 * the store gets it after the reply.  An earlier one is shown from memory, else
 * from the store, while the request is suspended.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/engine/nodes/snapshots.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/engine/run_curve.h"
#include "predictor/features/script/sbatch_script.h"
#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/order_find.h"
#include "predictor/http/routes/reply_prediction.h"
#include "predictor/http/routes/reply_sets.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

/* A submission gets no start by an older queue. */
#define STARTS_FRESH_S 120.0

_Static_assert(PREDICTION_STARTS == 1 + 4 * START_TURNS, "four for each turn");

/* Find when the job would start.  Returns `ret`; NULL: it is not known. */
static const double *find_starts(struct request *r,
				 const struct wire_request *input,
				 double ret[PREDICTION_STARTS])
{
	struct start_time starts[START_TURNS];
	double above[START_TURNS];
	double *to = ret;
	int turn =
		engine_new_job_start(r->http->config.engine, &r->prediction,
				     input->job.size.exclusive, STARTS_FRESH_S,
				     clock_now_s(), starts, above);

	if (turn < 0 || r->prediction.unfit)
		return NULL;
	*to++ = above[turn] + 1; /* just enough for that turn */
	for (int t = 0; t < START_TURNS; t++) {
		*to++ = above[t];
		*to++ = starts[t].low_s;
		*to++ = starts[t].median_s;
		*to++ = starts[t].high_s;
	}
	return ret;
}

static void print_reply(struct request *r, const struct wire_request *input,
			struct wire_text *ret)
{
	double starts[PREDICTION_STARTS];
	const struct prediction *p = &r->prediction;
	struct placement_model model;
	char placement[SNAPSHOT_MODEL_SIZE];
	char weights[PLACEMENT_WEIGHTS_SIZE] = "";

	if (!input->brief) {
		prediction_print(r, p, ret);
		return;
	}

	bool placed = !engine_placement(r->http->config.engine, p->id, &model);

	if (placed) {
		snapshot_model_print(&model, placement);
		placement_weights_print(&model.weights, weights);
	}

	bool mpi, profile = engine_wants_profile(r->http->config.engine, p,
						 r->http->config.profile_every,
						 &mpi);

	wire_answer_reply(p, placed ? placement : NULL, weights, profile, mpi,
			  engine_wants_trace(p, r->http->config.trace_every),
			  input->starts ? find_starts(r, input, starts) : NULL,
			  ret);
}

/* sbatch --test-only, in the command (as the SPANK plugin reports) or in the
 * script: no job follows. */
static bool is_test(const struct submission *job)
{
	return job->test_only ||
	       (job->script && sbatch_script_tests_only(job->script));
}

/* What an ordinary user may not request: the job of another, or a cluster that
 * nobody else has named, for which tables would be made.  0, or a status. */
static int check_rights(struct request *r, const struct submission *job)
{
	const char *cluster = job->cluster ? job->cluster : "";

	if (job->user_id != r->uid)
		return request_fail(r, 403, "forbidden");
	if (!engine_knows_cluster(r->http->config.engine, cluster))
		return request_fail(r, 400, "cluster: %.64s is not known here",
				    cluster);
	return 0;
}

static const struct field start_fields[] = {
	FIELD_SENT(start_time, low_s, NUMBER),
	FIELD_SENT(start_time, median_s, NUMBER),
	FIELD_SENT(start_time, high_s, NUMBER),
	FIELD_END,
};

/* When it would start, in seconds from now; NAN: not known. */
static struct start_time
find_start(struct request *r, const struct prediction *p, bool whole_nodes)
{
	struct start_time starts[START_TURNS];
	double above[START_TURNS];
	int turn = engine_new_job_start(r->http->config.engine, p, whole_nodes,
					HUGE_VAL, clock_now_s(), starts, above);

	return turn < 0 ? (struct start_time){ NAN, NAN, NAN } : starts[turn];
}

/* Add how much sooner it would end on half of its nodes, where that is
 * known. */
static int add_half(struct request *r, const struct job_size *size,
		    double start_s)
{
	struct prediction p = r->prediction;
	struct half_job half;

	if (!sooner_is_worth(0, start_s) || job_size_is_range(size) ||
	    engine_half(r->http->config.engine, &p, &half))
		return 0;
	p.nodes = half.nodes;
	p.cpus = half.cpus;
	half.gain_s = start_s - half.longer_s -
		      find_start(r, &p, size->exclusive).median_s;
	return request_add(r, "half", json_record(half_job_fields, &half));
}

/* For people: the prediction, when it would start, and the best node sets. */
static int reply_with_sets(struct request *r, const struct wire_request *input)
{
	const struct prediction *p = &r->prediction;
	const struct job_size *size = &input->job.size;
	const struct start_time start = find_start(r, p, size->exclusive);

	return request_add(r, "prediction", prediction_encode(r, p)) ||
			       request_add(r, "start",
					   json_record(start_fields, &start)) ||
			       add_half(r, size, start.median_s)
		       ? request_out_of_memory(r)
		       : sets_add_best(r, p, &input->job, input->sets);
}

int predictions_make(struct request *r)
{
	const struct http_config *config = &r->http->config;
	bool is_operator = request_is_operator(r);
	struct wire_request input;
	struct prediction *p = &r->prediction;
	struct wire_text text = { 0 };
	struct sp_error err;
	int status;

	if (!atomic_load(config->answers))
		return request_fail(r, 503, "the history is not loaded yet");
	if (request_decode(r, &input, &err))
		return request_fail(r, 400, "%s", err.text);
	status = is_operator ? 0 : check_rights(r, &input.job);
	if (status)
		return status;
	/* Only slurmctld submits jobs: what a user requests is not kept. */
	bool kept = !input.dry_run && is_operator && !is_test(&input.job);

	/* It has priorities of others. */
	input.starts &= is_operator;

	engine_predict(config->engine, &input.job, input.mode, input.quantile,
		       clock_now_s(), kept, p);
	if (input.sets)
		return reply_with_sets(r, &input);
	print_reply(r, &input, &text);
	if (text.failed) {
		wire_text_clear(&text);
		return request_out_of_memory(r);
	}
	r->text = text.bytes;
	r->text_size = text.size;
	r->text_type = REQUEST_JSON_TYPE;
	return 200;
}

/* So that it is known when the job starts, if that gets the nodes assumed. */
static void prepare_order(struct http *http, const struct prediction *p)
{
	struct rank_order order = { 0 };

	if (p->tasks > 1 && p->nodes > 1 && p->assumed_nodes[0])
		order_find(http, p, p->assumed_nodes, false, &order);
	rank_order_clear(&order);
}

void predictions_sent(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct sp_error err;

	if (engine_keep(config->engine, &r->prediction, &err))
		log_error("prediction %s: %s", r->prediction.id, err.text);
	r->prediction.memory_unadvised =
		!engine_advises_memory(config->engine, r->prediction.cluster);
	config->store_ops->put_prediction(config->store, &r->prediction);
	prepare_order(r->http, &r->prediction);
}

/* --- An earlier prediction ------------------------------------------------ */

/* Reply with the predictions at all stages; NULL: there was none. */
static int reply_stages(struct request *r,
			const struct prediction *const stages[STAGE_COUNT])
{
	int i = 0;

	while (!stages[i])
		i++;
	if (prediction_add(r, "prediction", stages[i]) ||
	    prediction_add(r, "waiting_prediction", stages[STAGE_WAITING]) ||
	    prediction_add(r, "start_prediction", stages[STAGE_START]))
		return request_out_of_memory(r);
	return 200;
}

/* Others get a 404, as if it did not exist. */
static bool may_see(const struct request *r, const struct prediction *p)
{
	return request_sight(r, p->user_id, p->cluster, true) == SEES_ALL;
}

static int reply_stored(struct request *r,
			const struct store_prediction *stored)
{
	const struct prediction *stages[STAGE_COUNT] = { NULL };
	const struct prediction *any = NULL;

	for (int i = 0; i < STAGE_COUNT; i++)
		if (stored->known[i])
			any = stages[i] = &stored->stages[i];
	if (!any || !may_see(r, any))
		return request_fail(r, 404, "no such prediction");

	int status = reply_stages(r, stages);

	if (status == 200 && stored->has_run &&
	    request_add(r, "run", wire_run_encode(&stored->run)))
		status = request_out_of_memory(r);
	return status;
}

static void prediction_loaded(void *context, int rc,
			      const struct store_prediction *stored,
			      const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status = rc == STORE_STORED
				    ? reply_stored(r, stored)
				    : pending_failed(r, rc, "not found", why);
	pending_end(p);
}

/* It is not in memory. */
static int load_prediction(struct request *r)
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
	if (config->store_ops->get_prediction(config->store, r->captured,
					      prediction_loaded, p, &err))
		pending_refuse(p, "not found", &err);
	return REQUEST_LATER;
}

int predictions_show(struct request *r)
{
	struct engine *engine = r->http->config.engine;
	struct prediction of_stage[STAGE_COUNT];
	const struct prediction *stages[STAGE_COUNT] = { NULL };

	for (int i = 0; i < STAGE_COUNT; i++)
		if (!engine_prediction(engine, r->captured,
				       (enum prediction_stage)i, &of_stage[i]))
			stages[i] = &of_stage[i];
	if (!stages[STAGE_SUBMISSION])
		return load_prediction(r);
	if (!may_see(r, stages[STAGE_SUBMISSION]))
		return request_fail(r, 404, "no such prediction");
	return reply_stages(r, stages);
}
