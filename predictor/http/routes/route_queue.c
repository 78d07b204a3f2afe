/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_queue.c - when jobs in the queue will start and end
 *
 * Slurm's squeue knows which jobs there are, their predictions' ids, and for
 * how long they have run: the client sends these.  With its job id a running
 * job is found even if an administrator has overwritten AdminComment, which has
 * the id of the prediction.  A user sees the times of own jobs, and of others'
 * where Slurm lets him see these jobs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/compare.h"
#include "predictor/base/utf8.h"
#include "predictor/engine/overrun.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/features/secret.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/json_queue.h"

#define REMAINING_HIGH 0.9

#define QUEUE_PAGE     100
#define QUEUE_PAGE_MAX 500

/* Find the newest prediction of a job that the client may see. */
static bool find_prediction(const struct request *r, const char *cluster,
			    const struct queue_entry *entry,
			    struct prediction *ret)
{
	return engine_queue_prediction(r->http->config.engine, cluster, entry,
				       ret) &&
	       request_sight(r, ret->user_id, ret->cluster, false);
}

/* All NAN: not known to this client. */
static struct start_time find_start(const struct request *r,
				    const char *cluster,
				    const struct wire_queue_job *job,
				    struct start_reason *ret_why)
{
	struct engine *engine = r->http->config.engine;
	struct start_time start;
	uint32_t user_id;

	if (isnan(job->elapsed_s) && job->job_id &&
	    !engine_job_start(engine, cluster, job->job_id, clock_now_s(),
			      &start, ret_why, &user_id) &&
	    request_sight(r, user_id, cluster, false))
		return start;
	return (struct start_time){ NAN, NAN, NAN };
}

/* Add why it waits: what others do is for those who see the queue. */
static void add_reason(struct json_object *object,
		       const struct start_reason *why, bool *failed)
{
	json_add(object, "jobs_ahead", json_object_new_int64(why->ahead),
		 failed);
	if (*why->gres) {
		json_add(object, "gres", json_object_new_string(why->gres),
			 failed);
		json_add(object, "jobs_ahead_same_gres",
			 json_object_new_int64(why->same), failed);
	}
	json_add_number(object, "first_end_s", why->first_end_s, failed);
}

/* Estimates that rest on history; all others are not known.  `why` may
 * be NULL. */
static struct json_object *encode_job(double elapsed_s,
				      const struct prediction *p,
				      const struct start_time *start,
				      const struct start_reason *why)
{
	struct json_object *object = json_object_new_object();
	bool known = p && p->basis == BASIS_HISTORY;
	bool guess = known && prediction_is_guess(p->basis, p->evidence_level);
	bool unbounded = known && p->unbounded;
	bool bounded = known && !guess && !unbounded;
	bool started = known && isfinite(elapsed_s);
	bool failed = false;

	if (p)
		json_add(
			object, "basis",
			json_object_new_string(prediction_basis_name(p->basis)),
			&failed);
	if (known)
		json_add(object, "guess", json_object_new_boolean(guess),
			 &failed);
	if (unbounded)
		json_add(object, "unbounded", json_object_new_boolean(true),
			 &failed);
	json_add_number(object, "median_s", known ? p->median_s : NAN, &failed);
	json_add_number(object, "quantile_s", bounded ? p->quantile_s : NAN,
			&failed);
	json_add_number(object, "remaining_s",
			started ? engine_remaining_s(p, elapsed_s, 0.5) : NAN,
			&failed);
	json_add_number(object, "remaining_high_s",
			started && bounded ? engine_remaining_s(p, elapsed_s,
								REMAINING_HIGH)
					   : NAN,
			&failed);
	json_add_number(
		object, "overrun",
		started ? engine_overrun_probability(p, elapsed_s, p->limit_s)
			: NAN,
		&failed);
	json_add_number(object, "start_s", start->median_s, &failed);
	json_add_number(object, "start_low_s", start->low_s, &failed);
	json_add_number(object, "start_high_s", start->high_s, &failed);
	if (why)
		add_reason(object, why, &failed);
	return json_finish(object, failed);
}

static struct json_object *encode_queue(const struct request *r,
					const struct wire_queue *queue)
{
	struct json_object *array = json_object_new_array();
	bool sees = request_sees_queue(r, queue->cluster);
	struct start_reason why = { .ahead = 0 };
	struct prediction p;
	bool failed = !array;

	for (size_t i = 0; !failed && i < queue->count; i++) {
		const struct wire_queue_job *job = &queue->jobs[i];
		struct queue_entry entry = { .job_id = job->job_id,
					     .running =
						     !isnan(job->elapsed_s) };

		strcpy(entry.prediction_id, job->prediction_id);

		bool found = find_prediction(r, queue->cluster, &entry, &p);
		struct start_time start =
			find_start(r, queue->cluster, job, &why);
		struct json_object *object = encode_job(
			job->elapsed_s, found ? &p : NULL, &start,
			sees && !isnan(start.median_s) ? &why : NULL);

		failed = !object || json_object_array_add(array, object);
		if (failed)
			json_object_put(object);
	}
	return array ? json_finish(array, failed) : NULL;
}

int queue_show(struct request *r)
{
	struct wire_queue *queue = malloc(sizeof(*queue));
	struct sp_error err;
	int status;

	if (!queue)
		return request_out_of_memory(r);

	struct json_object *message =
		wire_request_parse(r->body ? r->body : "", r->body_size, &err);

	if (!message || wire_queue_decode(message, queue, &err))
		status = request_fail(r, 400, "%s", err.text);
	else
		status = request_reply(r, "jobs", encode_queue(r, queue));
	json_object_put(message);
	free(queue);
	return status;
}

/* --- The queue that predictd reads itself --------------------------------- */

/* A row that the client may see, with what it is sorted by. */
struct sorted_row {
	const struct request *request;
	const struct queue_list *list;
	const struct queue_row *row;
	double key;
};

static const char *const sorts[] = { "turn", "own", "start", NULL };

/* Return what a row is sorted by: nothing, whose it is, or its start. */
static double sort_key(const struct queue_list *list,
		       const struct queue_row *row, bool own, int sort)
{
	if (sort != 2)
		return sort == 0 ? 0 : own ? row->entry.running : 2;
	if (row->entry.running)
		return list->now_s - row->entry.elapsed_s;
	return isnan(row->start.median_s) ? HUGE_VAL : row->start.median_s;
}

/* What is equal stays in the order in which Slurm considers jobs. */
COMPARE_BY_BOTH(compare_rows, struct sorted_row, key, row)

struct queue_query {
	int sort;
	char user[RUN_NAME_SIZE], state[RUN_NAME_SIZE], search[RUN_NAME_SIZE];
	uint32_t offset, limit;
};

static int queue_query_parse(struct request *r, struct queue_query *ret,
			     struct sp_error *err)
{
	const char *sort = request_query(r, "sort");

	if (request_query_text(r, "user", ret->user, RUN_NAME_SIZE, err) ||
	    request_query_text(r, "state", ret->state, RUN_NAME_SIZE, err) ||
	    request_query_text(r, "search", ret->search, RUN_NAME_SIZE, err) ||
	    request_query_number(r, "offset", 0, &ret->offset, err) ||
	    request_query_number(r, "limit", QUEUE_PAGE, &ret->limit, err))
		return -1;
	if (ret->limit == 0 || ret->limit > QUEUE_PAGE_MAX)
		return sp_error_set(err, "limit: not 1 to %d", QUEUE_PAGE_MAX);
	ret->sort = 0;
	while (sort && sorts[ret->sort] && strcmp(sorts[ret->sort], sort) != 0)
		ret->sort++;
	return sorts[ret->sort]
		       ? 0
		       : sp_error_set(err, "sort: not turn, own or start");
}

static bool is_wanted(const struct queue_query *query,
		      const struct queue_entry *entry, bool own)
{
	const char *user = query->user, *search = query->search;

	return (!*user ||
		(strcmp(user, "self") ? !strcmp(user, entry->user) : own)) &&
	       (!query->state[0] || strcmp(query->state, entry->state) == 0) &&
	       (!*search || strcasestr(entry->name, search) ||
		strcasestr(entry->user, search) ||
		strcmp(entry->partition, search) == 0 ||
		strcmp(entry->id, search) == 0);
}

static const struct field entry_fields[] = {
	FIELD_SENT(queue_entry, job_id, UINT),
	FIELD_SENT(queue_entry, id, TEXT),
	FIELD_SENT(queue_entry, user, TEXT),
	FIELD_SENT(queue_entry, name, TEXT),
	FIELD_SENT(queue_entry, partition, TEXT),
	FIELD_SENT(queue_entry, state, TEXT),
	FIELD_SENT(queue_entry, reason, TEXT),
	FIELD_SENT(queue_entry, nodes, UINT),
	FIELD_SENT(queue_entry, cpus, UINT),
	FIELD_SENT(queue_entry, elapsed_s, NUMBER),
	FIELD_SENT(queue_entry, limit_s, NUMBER),
	FIELD_SENT(queue_entry, prediction_id, TEXT),
	FIELD_END,
};

/* Anybody could name the prediction of another user in a comment. */
static struct json_object *encode_row(const void *element)
{
	const struct sorted_row *s = element;
	const struct request *r = s->request;
	struct queue_entry entry = s->row->entry;
	bool own = entry.user_id == r->uid, failed = false;
	struct prediction p;
	bool found = find_prediction(r, s->list->cluster, &entry, &p) &&
		     p.user_id == entry.user_id;
	struct json_object *object =
		encode_job(entry.running ? entry.elapsed_s : NAN,
			   found ? &p : NULL, &s->row->start, NULL);

	if (!own && !request_is_operator(r))
		entry.prediction_id[0] = '\0';
	secret_mask_text(entry.name);
	utf8_repair(entry.name, strlen(entry.name));
	json_add_fields(object, entry_fields, &entry, &failed);
	json_add(object, "own", json_object_new_boolean(own), &failed);
	return json_finish(object, failed);
}

struct queue_summary {
	int64_t total, waiting, running;
	int64_t starts, starts_within; /* of all jobs */
	bool others;                   /* are to be seen */
	double read_at_s;
};

static const struct field summary_fields[] = {
	FIELD_SENT(queue_summary, total, INT8),
	FIELD_SENT(queue_summary, waiting, INT8),
	FIELD_SENT(queue_summary, running, INT8),
	FIELD_SENT(queue_summary, others, BOOL),
	FIELD_SENT(queue_summary, starts, INT8),
	FIELD_SENT(queue_summary, starts_within, INT8),
	FIELD_SENT(queue_summary, read_at_s, NUMBER),
	FIELD_END,
};

/* Fill `ret` with the rows that are wanted, sorted; all that are visible are
 * counted. */
static void rows_choose(const struct request *r,
			const struct queue_query *query,
			const struct queue_list *list,
			struct queue_summary *ret_summary,
			struct sorted_row *ret)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct queue_row *row = &list->rows[i];
		bool own = row->entry.user_id == r->uid;
		bool running = row->entry.running;

		if (!own && !ret_summary->others)
			continue;
		ret_summary->running += running;
		ret_summary->waiting += !running;
		if (is_wanted(query, &row->entry, own))
			ret[ret_summary->total++] =
				(struct sorted_row){ r, list, row,
						     sort_key(list, row, own,
							      query->sort) };
	}
	if (ret_summary->total)
		qsort(ret, (size_t)ret_summary->total, sizeof(*ret),
		      compare_rows);
}

static int reply_list(struct request *r, const struct queue_query *query,
		      const struct queue_list *list, struct sorted_row *rows)
{
	struct engine *engine = r->http->config.engine;
	struct queue_summary summary = {
		.others = request_is_operator(r) ||
			  engine_shows_jobs(engine, list->cluster),
		.read_at_s = list->now_s,
	};
	uint64_t judged, within;

	engine_starts_judged(engine, &judged, &within);
	summary.starts = (int64_t)judged;
	summary.starts_within = (int64_t)within;
	rows_choose(r, query, list, &summary, rows);

	size_t total = (size_t)summary.total;
	size_t offset = query->offset < total ? query->offset : total;
	size_t count = total - offset;
	bool failed = request_add(
		r, "jobs",
		json_array(rows + offset,
			   count < query->limit ? count : query->limit,
			   sizeof(*rows), encode_row));

	if (!failed)
		json_add_fields(r->reply, summary_fields, &summary, &failed);
	return failed ? request_out_of_memory(r) : 200;
}

int queue_list(struct request *r)
{
	struct queue_list *list = engine_queue(r->http->config.engine);
	struct sorted_row *rows =
		list ? malloc((list->count + 1) * sizeof(*rows)) : NULL;
	struct queue_query query;
	struct sp_error err;
	int status;

	if (queue_query_parse(r, &query, &err))
		status = request_fail(r, 400, "%s", err.text);
	else if (!list)
		status = request_fail(r, 503, "the queue has not been read");
	else
		status = rows ? reply_list(r, &query, list, rows)
			      : request_out_of_memory(r);
	free(rows);
	queue_list_put(list);
	return status;
}
