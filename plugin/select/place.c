/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - the best nodes for a job, of those that it may have
 *
 * Steps: bring the cluster's nodes and what is free there up to date; translate
 * the job's size; gather the nodes with room for its tasks as candidates, in
 * Slurm's order; fix the number of nodes (moldable.h, job_size.h); rank sets of
 * them (rank.h).  Where many sets are equally good, only nodes that would slow
 * the job down are left out, and Slurm chooses among the rest.  Nodes on which
 * only Slurm knows what is free (generic resources in use) are not ranked:
 * those that are as fast as the chosen ones are offered as well.
 *
 * The caller holds slurmctld's locks on jobs and nodes; one thread at a time.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/select/place.h"
#include "plugin/select/wanted_size.h"
#include "predictor/base/piece.h"

#define ID_KEY    "predict="
#define ID_DIGITS (PREDICTION_ID_SIZE - 1)

void place_clear(struct place *p)
{
	cluster_clear(&p->cluster);
	free(p->candidates);
	free(p->fits);
	free(p->chosen);
	free(p->scratch);
	*p = (struct place){ .room = 0 };
}

__attribute__((format(printf, 2, 3))) static void
reason_set(struct place_result *a, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(a->why, sizeof(a->why), format, arguments);
	va_end(arguments);
}

static void reason_add(struct place_result *a, const char *text)
{
	size_t used = strlen(a->why);

	snprintf(a->why + used, sizeof(a->why) - used, "%s", text);
}

static int place_reserve(struct place *p, uint32_t count)
{
	size_t scratch_size = rank_scratch_size(count);

	if (count <= p->room && scratch_size <= p->scratch_size)
		return 0;
	free(p->candidates);
	free(p->fits);
	free(p->chosen);
	free(p->scratch);
	p->room = count;
	p->scratch_size = scratch_size;
	p->candidates = calloc(count, sizeof(*p->candidates));
	p->fits = calloc(count, sizeof(*p->fits));
	p->chosen = calloc(count, sizeof(*p->chosen));
	p->scratch = malloc(scratch_size);
	if (p->candidates && p->fits && p->chosen && p->scratch)
		return 0;
	p->room = 0;
	p->scratch_size = 0;
	return -1;
}

/* Return the run-time model of the prediction whose id is in AdminComment. */
static const struct placement_model *model_find(struct place *p,
						const struct snapshot *snapshot,
						const job_record_t *job)
{
	const char *at = job->admin_comment ? job->admin_comment : "";

	while ((at = strstr(at, ID_KEY)) != NULL) {
		at += strlen(ID_KEY);
		if (strnlen(at, ID_DIGITS) < ID_DIGITS)
			break;

		const struct placement_model *model =
			snapshot_job(snapshot, at);

		if (model)
			return model;
		if (!fresh_model(&p->fresh, at, &p->model))
			return &p->model;
	}
	return NULL;
}

static void size_of_job(const struct place_request *q, struct job_size *ret)
{
	wanted_size(q->job, ret);
	ret->nodes_min = q->min_nodes;
	ret->nodes_want = q->want_nodes;
	ret->nodes_max = q->max_nodes;
}

/* Return whether the node is configured with all the kinds of resources that
 * `text` ("gres:gpu:tesla:2,gres/license") names. */
static bool node_has_gres(const node_record_t *node, const char *text)
{
	const char *has = node->config_ptr->gres;

	while (text && *text) {
		char name[64];
		size_t length;

		if (!strncmp(text, "gres", 4))
			text += 4 + (text[4] == ':' || text[4] == '/');
		length = strcspn(text, ":=,");
		if (length && piece_copy(name, sizeof(name), text, length) &&
		    (!has || !strstr(has, name)))
			return false;
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return true;
}

/* Return whether the node has what the job requests, free or in use. */
static bool gres_suits(const job_record_t *job, uint32_t place)
{
	const node_record_t *node = node_record_table_ptr[place];

	return !job->gres_list_req ||
	       (node_has_gres(node, job->tres_per_node) &&
		node_has_gres(node, job->tres_per_job) &&
		node_has_gres(node, job->tres_per_socket) &&
		node_has_gres(node, job->tres_per_task));
}

static bool bitmap_has(const bitstr_t *nodes, uint32_t place)
{
	return nodes && bit_test((bitstr_t *)nodes, (bitoff_t)place);
}

static void candidate_add(struct place *p, uint32_t at, uint32_t place,
			  uint32_t fit)
{
	const struct cluster_node *node = &p->cluster.nodes[place];

	p->fits[at] = fit;
	p->candidates[at] = (struct rank_candidate){
		.node = node->known,
		.place = place,
		.leaf = node->leaf,
		.cpus = node->cpus,
		.used = node->used_cpus,
	};
}

/* Required nodes first, whatever is free there: whether the job can have them
 * is for Slurm to say.  Then those with room, in Slurm's order. */
static uint32_t candidates_gather(struct place *p,
				  const struct place_request *q,
				  const struct job_size *size,
				  uint32_t *ret_required,
				  struct node_fits *fits)
{
	const bitstr_t *required = q->job->details->req_node_bitmap;
	struct node_room room;
	uint32_t count = 0;

	memset(fits, 0, sizeof(*fits));
	p->unsure = 0;
	for (int round = required ? 0 : 1; round < 2; round++) {
		for (uint32_t i = 0; i < p->cluster.there; i++) {
			uint32_t place = p->cluster.order[i];
			bool must = bitmap_has(required, place);

			if (must != (round == 0) ||
			    !bitmap_has(q->nodes, place))
				continue;
			cluster_room(&p->cluster, place, size->exclusive,
				     &room);

			uint32_t fit = job_size_fit(size, &room);

			if (!must && (!fit || !gres_suits(q->job, place)))
				continue;
			/* Only Slurm knows how much of a resource is free. */
			if (!must && q->job->gres_list_req &&
			    p->cluster.nodes[place].used_gres) {
				candidate_add(p, p->room - ++p->unsure, place,
					      fit);
				continue;
			}
			fits->nodes[must ? JOB_SIZE_FIT_MAX : fit]++;
			candidate_add(p, count++, place, fit);
		}
		if (round == 0)
			*ret_required = count;
	}
	return count;
}

/* Leave out nodes with room for fewer tasks. */
static uint32_t candidates_keep_roomy(struct place *p, uint32_t count,
				      uint32_t required, uint32_t tasks)
{
	uint32_t kept = required;

	for (uint32_t i = required; i < count; i++)
		if (p->fits[i] >= tasks)
			p->candidates[kept++] = p->candidates[i];
	return kept;
}

/* Return the run time if the job were on nodes like this one alone; NAN:
 * not known. */
static double candidate_runtime_s(struct place *p,
				  const struct rank_request *request,
				  uint32_t at)
{
	struct rank_request one = *request;
	struct rank_set alone;
	uint32_t first = 0;

	one.candidates = p->candidates + at;
	one.count = 1;
	one.required = 0;
	one.nodes = 1;
	return rank_evaluate(&one, p->scratch, &first, 1, &alone)
		       ? NAN
		       : alone.runtime_s;
}

/* Slurm's own order is as good as any, so let it choose, but not what is
 * worse: leave out the nodes that would slow the job down.  Returns how many
 * are in `chosen`. */
static uint32_t candidates_keep_good(struct place *p,
				     const struct rank_request *request,
				     double best_s)
{
	double most_s =
		best_s * (1 + (request->tie > 0 ? request->tie : RANK_TIE));
	uint32_t kept = 0;

	for (uint32_t i = 0; i < request->count; i++)
		if (i < request->required ||
		    !(candidate_runtime_s(p, request, i) > most_s))
			p->chosen[kept++] = i;
	return kept;
}

static bitstr_t *chosen_bitmap(const struct place *p, uint32_t count)
{
	bitstr_t *bits = bit_alloc((bitoff_t)p->cluster.count);

	for (uint32_t i = 0; bits && i < count; i++)
		bit_set(bits, p->candidates[p->chosen[i]].place);
	return bits;
}

/* Offer the nodes that may have room too, but for those that would slow the job
 * down: stock code might serve it better there.  Returns how many. */
static uint32_t unsure_offer(struct place *p,
			     const struct rank_request *request, uint32_t count,
			     bitstr_t *bits)
{
	uint32_t *beside = p->chosen + count;
	uint32_t found =
		p->unsure ? rank_no_slower(request, p->scratch, p->chosen,
					   count, p->unsure, beside)
			  : 0;

	for (uint32_t i = 0; i < found; i++) {
		uint32_t place = p->candidates[beside[i]].place;

		if (cluster_is(&p->cluster, place, request->snapshot))
			bit_set(bits, place);
	}
	return found;
}

/* slurmctld may have rebuilt its table of nodes since cluster_update(). */
static bool chosen_still_there(struct place *p, const struct snapshot *snapshot,
			       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!cluster_is(&p->cluster, p->candidates[p->chosen[i]].place,
				snapshot)) {
			p->cluster.count = 0;
			return false;
		}
	return true;
}

/* Keep what is offered where Slurm's own order is as good.  Returns how many
 * are in `chosen`; 0: Slurm chooses. */
static uint32_t equals_keep(struct place *p, const struct rank_request *request,
			    const struct rank_result *result,
			    struct place_result *ret)
{
	uint32_t nodes = request->nodes;
	uint32_t count =
		candidates_keep_good(p, request, result->best.runtime_s);

	if (count == request->count) {
		reason_set(ret, "all of %u nodes are as good", count);
		return 0;
	}
	if (result->weighted) {
		/* On others each would have another part of the ranks. */
		for (uint32_t i = 0; i < nodes; i++)
			p->chosen[i] = i;
		reason_set(ret, "the first %u of %u nodes are as good", nodes,
			   request->count);
		return nodes;
	}
	if (count < nodes) {
		reason_set(ret, "Slurm's own order is as good");
		return 0;
	}
	reason_set(ret, "%u of %u nodes are as good", count, request->count);
	return count;
}

static void nodes_choose(struct place *p, const struct rank_request *request,
			 struct place_result *ret)
{
	struct rank_result result;
	uint32_t count = request->nodes;

	if (rank_choose(request, p->scratch, p->chosen, &result)) {
		reason_set(ret, "no set of %u nodes meets its constraints",
			   count);
		return;
	}
	ret->known =
		request->model && request->model->basis != PLACEMENT_CONDITIONS;
	ret->runtime_s = result.best.runtime_s;
	ret->stock_s = result.stock.runtime_s;
	if (result.indifferent) {
		count = equals_keep(p, request, &result, ret);
		if (!count)
			return;
	} else {
		reason_set(ret, "best %u of %u nodes", count, request->count);
	}
	if (!chosen_still_there(p, request->snapshot, count)) {
		reason_set(ret, "the nodes of the cluster have changed");
		return;
	}
	ret->nodes = chosen_bitmap(p, count);
	if (ret->nodes && !result.weighted &&
	    unsure_offer(p, request, count, ret->nodes))
		reason_add(ret, ", and nodes that may have room");
}

/* Return the job's limit, in seconds of the curve: longer ones, where it is
 * predicted to run longer than by the curve. */
static double limit_of_job(const job_record_t *job,
			   const struct placement_model *model)
{
	uint32_t minutes = job->time_limit;
	double known_s = placement_curve_s(&model->curve, model->nodes);
	double slower = 1;

	if (minutes == NO_VAL)
		minutes = job->part_ptr ? job->part_ptr->max_time : INFINITE;
	if (job->time_min && job->time_min < minutes)
		minutes = job->time_min;
	if (model->basis != PLACEMENT_CONDITIONS && known_s > 0)
		slower = fmax(1, (double)model->horizon_s / known_s);
	return minutes >= INFINITE ? HUGE_VAL : 60.0 * minutes / slower;
}

/* Choose the best number of nodes, of those that the job leaves open.  Its
 * tasks may need more than the fewest. */
static void number_choose(const struct place_request *q,
			  const struct placement_model *model,
			  const struct node_fits *fits, struct job_size *size,
			  struct place_result *ret)
{
	struct job_size fewest = *size;
	uint32_t tasks, least, most = size->nodes_max;

	if (!q->goal || !model || !model->curve.reach ||
	    !job_size_is_range(size))
		return;
	fewest.nodes_want = size->nodes_min;
	least = job_size_nodes_now(&fewest, fits, &tasks);
	if (size->tasks && size->tasks < most)
		most = size->tasks;
	ret->nodes_best = moldable_best(&model->curve, q->goal,
					limit_of_job(q->job, model),
					least ? least : size->nodes_min, most);
	if (ret->nodes_best)
		size->nodes_want = size->nodes_max = ret->nodes_best;
}

/* Jobs whose number of nodes or CPUs follows other rules than job_size.h. */
static const char *unsupported_reason(const job_record_t *job)
{
	if (job->bit_flags & SPREAD_JOB)
		return "it is to be spread";
	if (job->details->expanding_jobid)
		return "it expands another job";
	return NULL;
}

/* Slurm has the switches of every node in its topology; a snapshot may
 * lack some, and a set over too many of them would let a job with
 * --switches wait. */
static bool leaves_lack(const struct place *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (p->candidates[i].leaf == SNAPSHOT_NONE)
			return !RELEASE_HAS_SWITCHES;
	return false;
}

void place_choose(struct place *p, const struct snapshot *snapshot,
		  const struct place_request *q, struct place_result *ret)
{
	struct job_size size;
	struct node_fits fits;
	uint32_t tasks;

	*ret = (struct place_result){ .runtime_s = NAN, .stock_s = NAN };
	if (unsupported_reason(q->job)) {
		reason_set(ret, "%s", unsupported_reason(q->job));
		return;
	}
	if (cluster_update(&p->cluster, snapshot) ||
	    place_reserve(p, p->cluster.count) ||
	    bit_size((bitstr_t *)q->nodes) != (bitoff_t)p->cluster.count) {
		reason_set(ret, "out of memory, or the nodes are changing");
		return;
	}
	size_of_job(q, &size);

	struct rank_request request = {
		.snapshot = snapshot,
		.model = model_find(p, snapshot, q->job),
		.candidates = p->candidates,
		.leaves_max = wanted_leaves(q->job),
		.contiguous = q->job->details->contiguous != 0,
	};
	uint32_t count =
		candidates_gather(p, q, &size, &request.required, &fits);

	number_choose(q, request.model, &fits, &size, ret);
	if (request.leaves_max && leaves_lack(p, count)) {
		reason_set(ret, "the switches of some nodes are not known");
		return;
	}
	request.nodes = job_size_nodes_now(&size, &fits, &tasks);
	if (!request.nodes) {
		reason_set(ret, "no even share of what is free on %u nodes",
			   count);
		return;
	}
	request.blocks = wanted_in_blocks(q->job, &size, request.nodes);
	request.count =
		candidates_keep_roomy(p, count, request.required, tasks);
	memmove(p->candidates + request.count,
		p->candidates + p->room - p->unsure,
		p->unsure * sizeof(*p->candidates));
	request.tasks_per_node =
		size.tasks_per_node ? size.tasks_per_node : tasks;
	if (request.count <= request.nodes ||
	    request.required >= request.nodes) {
		reason_set(ret, "there is no choice among %u nodes",
			   request.count);
		return;
	}
	nodes_choose(p, &request, ret);
}
