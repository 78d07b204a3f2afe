/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_master.c - hand out the tasks of an iteration, and collect the results
 *
 * Each worker that is not resting gets a chunk, and the next one when it
 * replies.  When a worker has not replied for longer than the patience, it
 * counts as silent, and its tasks are handed out again; the first result of a
 * task is collected, others are dropped.  A silent worker that replies is used
 * again, also when the reply is of an earlier iteration.
 *
 * The send of a chunk completes at the latest when its worker replies, so that
 * the chunk's memory is the worker's until then.
 */
#include <math.h>
#include <stdlib.h>

#include "contrib/farm/farm_run.h"
#include "predictor/farm/farm_model.h"

/* Without any worker that replies, the master waits this many times
 * the patience. */
#define PATIENCE_FOR_ALL 10

enum task_state { TASK_NEW, TASK_OUT, TASK_AGAIN, TASK_COLLECTED };

struct iteration {
	struct predict_farm *farm;
	const struct predict_farm_program *program;
	int tasks, collected;
	unsigned char *state; /* [tasks] */
	int *order;           /* heaviest first; NULL: as they are numbered */
	double *weights;      /* sums, for the handout */
	int *again;           /* tasks to be handed out again */
	int again_count;
	struct handout handout;
	int chunks, handed_again;
	double silent_since_s; /* when the last worker fell silent; 0: not */
};

static void iteration_clear(struct iteration *it)
{
	free(it->state);
	free(it->order);
	free(it->weights);
	free(it->again);
}

static int order_tasks(struct iteration *it)
{
	const double *weight = it->program->weight;
	size_t tasks = (size_t)it->tasks;

	if (!weight)
		return 0;
	it->order = calloc(tasks, sizeof(*it->order));
	it->weights = calloc(tasks + 1, sizeof(*it->weights));
	if (!it->order || !it->weights)
		return -1;
	tasks_order_heaviest_first(weight, it->tasks, it->order);
	for (int i = 0; i < it->tasks; i++)
		it->weights[i + 1] = it->weights[i] + weight[it->order[i]];
	return 0;
}

static int iteration_init(struct iteration *it, struct predict_farm *farm,
			  const struct predict_farm_program *program, int tasks)
{
	*it = (struct iteration){ .farm = farm,
				  .program = program,
				  .tasks = tasks };
	it->state = calloc((size_t)tasks + 1, sizeof(*it->state));
	it->again = calloc((size_t)tasks + 1, sizeof(*it->again));
	if (it->state && it->again && order_tasks(it) == 0)
		return 0;
	iteration_clear(it);
	return -1;
}

/* --- Rules ---------------------------------------------------------------- */

/* What was measured up to now decides the chunks from now on. */
static void rules_update(struct iteration *it)
{
	struct predict_farm *farm = it->farm;
	struct handout_rules *rules = &it->handout.rules;
	struct message_costs costs;
	struct farm f;
	bool known =
		farm_estimate_task(&farm->estimate, &rules->mu, &rules->sigma);

	farm_estimate_costs(&farm->estimate, &costs);
	farm_estimate_farm(&farm->estimate, it->tasks, &f);
	rules->chunk_min = known ? handout_chunk_min(&f, &costs, rules->n) : 1;
}

static int workers_in_use(const struct predict_farm *farm)
{
	int count = 0;

	for (int i = 0; i < farm->workers_count; i++)
		count += !farm->workers[i].resting && !farm->workers[i].silent;
	return count;
}

/* The slowest workers rest while there are more than are worth having. */
static void choose_resting(struct predict_farm *farm)
{
	for (int i = 0; i < farm->workers_count; i++)
		farm->workers[i].resting = false;
	while (farm->options.rest && farm->worth > 0 &&
	       workers_in_use(farm) > farm->worth) {
		int slowest = -1;
		double most = 0;

		for (int i = 0; i < farm->workers_count; i++) {
			double slowdown =
				farm_estimate_slowdown(&farm->estimate, i);

			if (farm->workers[i].resting ||
			    farm->workers[i].silent || slowdown < most)
				continue;
			most = slowdown;
			slowest = i;
		}
		farm->workers[slowest].resting = true;
	}
}

/* --- Chunks --------------------------------------------------------------- */

/* A task's record.  -1: it does not fit. */
static int pack_task(struct iteration *it, struct message *chunk, int task)
{
	const struct predict_farm_program *p = it->program;
	double start = MPI_Wtime();

	if (message_record_begin(chunk, (uint32_t)task) == 0 && p->pack) {
		size_t room = chunk->capacity - chunk->size;
		size_t bytes = p->pack(p->context, task,
				       chunk->of + chunk->size, room);

		if (bytes > room && message_reserve(chunk, bytes))
			p->pack(p->context, task, chunk->of + chunk->size,
				bytes);
		if (!chunk->failed)
			chunk->size += bytes;
	}
	it->farm->estimate.lm_s += MPI_Wtime() - start;
	return message_record_end(chunk);
}

static void hand_out_again(struct iteration *it, int task)
{
	if (it->state[task] != TASK_OUT)
		return;
	it->state[task] = TASK_AGAIN;
	it->again[it->again_count++] = task;
}

/* A task goes into the chunk.  When it does not fit, it is for another one. */
static int add_task(struct iteration *it, struct message *chunk, int task)
{
	it->state[task] = TASK_OUT;
	if (pack_task(it, chunk, task) == 0)
		return 0;
	hand_out_again(it, task);
	return -1;
}

/* Tasks that a silent worker had: each of the others gets its part. */
static void fill_again(struct iteration *it, struct message *chunk)
{
	int workers = workers_in_use(it->farm);
	int count = it->again_count / (workers > 0 ? workers : 1);

	for (count = count < 1 ? 1 : count; count > 0 && it->again_count;) {
		int task = it->again[--it->again_count];

		if (it->state[task] == TASK_COLLECTED)
			continue;
		if (add_task(it, chunk, task))
			return;
		it->handed_again++;
		count--;
	}
}

static void fill_chunk(struct iteration *it, struct message *chunk)
{
	int first = 0, max = it->farm->options.chunk_max;
	int count = handout_next(&it->handout, &first);

	if (max > 0 && count > max) {
		it->handout.next -= count - max;
		count = max;
	}
	for (int i = first; i < first + count; i++) {
		int task = it->order ? it->order[i] : i;

		/* The rest was not begun: it is for the next chunk. */
		if (add_task(it, chunk, task)) {
			it->handout.next = i + 1;
			return;
		}
	}
}

static void send_chunk(struct iteration *it, int worker)
{
	struct predict_farm *farm = it->farm;
	struct worker *w = &farm->workers[worker];

	message_begin(&w->chunk, farm->iteration);
	if (w->chunk.failed)
		return;
	if (it->again_count)
		fill_again(it, &w->chunk);
	if (!message_head_of(&w->chunk)->tasks)
		fill_chunk(it, &w->chunk);
	if (!message_head_of(&w->chunk)->tasks)
		return;

	double start = MPI_Wtime();

	MPI_Isend(w->chunk.of, (int)w->chunk.size, MPI_BYTE, worker + 1,
		  TAG_CHUNK, farm->comm, &w->request);
	w->sent_s = MPI_Wtime();
	w->busy = true;
	it->chunks++;
	farm_estimate_message(&farm->estimate, w->chunk.size, w->sent_s - start,
			      true);
}

/* Workers that have nothing to do get what there is. */
static void send_to_idle(struct iteration *it)
{
	for (int i = 0; i < it->farm->workers_count; i++)
		if (!it->farm->workers[i].busy &&
		    !it->farm->workers[i].silent &&
		    !it->farm->workers[i].resting)
			send_chunk(it, i);
}

/* --- Results -------------------------------------------------------------- */

static void collect_task(struct iteration *it,
			 const struct message_record *record,
			 const unsigned char *bytes)
{
	const struct predict_farm_program *p = it->program;

	if (record->task >= (uint32_t)it->tasks ||
	    it->state[record->task] == TASK_COLLECTED)
		return;
	it->state[record->task] = TASK_COLLECTED;
	it->collected++;

	double start = MPI_Wtime();

	if (p->collect)
		p->collect(p->context, (int)record->task, bytes, record->bytes);
	it->farm->estimate.lm_s += MPI_Wtime() - start;
}

static void chunk_again(struct iteration *it, const struct message *chunk)
{
	struct message_record record;
	const unsigned char *bytes;
	size_t at = 0;

	while (message_next(chunk, &at, &record, &bytes))
		hand_out_again(it, (int)record.task);
}

static void collect_chunk(struct iteration *it, int worker, double cost_s)
{
	struct predict_farm *farm = it->farm;
	struct worker *w = &farm->workers[worker];
	struct message *reply = &farm->received;
	const struct message_head *head = message_head_of(reply);
	struct message_record record;
	const unsigned char *bytes;
	size_t at = 0;

	farm_estimate_message(&farm->estimate, reply->size, cost_s, false);
	farm_estimate_tasks(&farm->estimate, worker, (int)head->tasks,
			    head->sum_s, head->squares_s);
	w->l_s += head->sum_s;
	w->tasks += (int)head->tasks;
	while (message_next(reply, &at, &record, &bytes))
		collect_task(it, &record, bytes);
}

/* A worker replied. */
static void take_reply(struct iteration *it, MPI_Message *message,
		       const MPI_Status *status)
{
	struct predict_farm *farm = it->farm;
	int worker = status->MPI_SOURCE - 1;
	struct worker *w = &farm->workers[worker];
	double start = MPI_Wtime();
	int rc = farm_receive(farm->comm, message, status, &farm->received);
	double cost_s = MPI_Wtime() - start;

	MPI_Wait(&w->request, MPI_STATUS_IGNORE);
	w->busy = w->silent = false;
	it->silent_since_s = 0;

	const struct message_head *head =
		rc ? NULL : message_head_of(&farm->received);

	if (head && head->iteration != farm->iteration) {
		send_chunk(it, worker);
		return;
	}
	if (head && head->tasks)
		collect_chunk(it, worker, cost_s);
	else
		w->resting = true; /* it lacks memory, or we do */
	/* What the reply is silent about. */
	chunk_again(it, &w->chunk);
	rules_update(it);
	if (!w->resting)
		send_chunk(it, worker);
	if (it->again_count)
		send_to_idle(it);
}

/* --- Workers that do not reply -------------------------------------------- */

/* Return the next time at which a worker is overdue; 0: never. */
static double next_deadline(const struct iteration *it)
{
	const struct predict_farm *farm = it->farm;
	double patience = farm->options.patience_s, first = HUGE_VAL;

	if (!(patience > 0))
		return 0;
	for (int i = 0; i < farm->workers_count; i++)
		if (farm->workers[i].busy && !farm->workers[i].silent)
			first = fmin(first, farm->workers[i].sent_s + patience);
	if (it->silent_since_s > 0)
		first = fmin(first,
			     it->silent_since_s + PATIENCE_FOR_ALL * patience);
	return first;
}

/* -1: nobody has replied for too long. */
static int find_silent(struct iteration *it)
{
	struct predict_farm *farm = it->farm;
	double now = MPI_Wtime(), patience = farm->options.patience_s;
	bool working = false;

	for (int i = 0; i < farm->workers_count; i++) {
		struct worker *w = &farm->workers[i];

		if (w->busy && !w->silent && now >= w->sent_s + patience) {
			w->silent = true;
			chunk_again(it, &w->chunk);
		}
	}
	/* Resting workers take the places of silent ones. */
	for (int i = 0; it->again_count && i < farm->workers_count; i++)
		farm->workers[i].resting = false;
	send_to_idle(it);
	for (int i = 0; i < farm->workers_count; i++)
		working |= farm->workers[i].busy && !farm->workers[i].silent;
	if (working) {
		it->silent_since_s = 0;
		return 0;
	}
	if (!(it->silent_since_s > 0))
		it->silent_since_s = now;
	return now >= it->silent_since_s + PATIENCE_FOR_ALL * patience ? -1 : 0;
}

/* True when someone has to reply: otherwise nothing will ever come. */
static bool anybody_busy(const struct predict_farm *farm)
{
	for (int i = 0; i < farm->workers_count; i++)
		if (farm->workers[i].busy)
			return true;
	return false;
}

static int collect_all(struct iteration *it)
{
	struct predict_farm *farm = it->farm;
	MPI_Message message;
	MPI_Status status;

	send_to_idle(it);
	while (it->collected < it->tasks) {
		if (!anybody_busy(farm))
			return -1;
		if (farm_wait(farm->comm, next_deadline(it), &message, &status))
			take_reply(it, &message, &status);
		else if (find_silent(it))
			return -1;
	}
	return 0;
}

/* --- The iteration -------------------------------------------------------- */

static void report_fill(struct iteration *it, double time_s)
{
	struct predict_farm *farm = it->farm;
	struct predict_farm_report *r = &farm->report;
	struct message_costs costs;
	struct farm f;
	double busy = 0;

	farm_estimate_costs(&farm->estimate, &costs);
	farm_estimate_farm(&farm->estimate, it->tasks, &f);
	*r = (struct predict_farm_report){
		.iterations = (int)farm->iteration,
		.tasks = it->collected,
		.chunks = it->chunks,
		.workers = workers_in_use(farm),
		.again = it->handed_again,
		.time_s = time_s,
		.mu_s = f.mu,
		.sigma_s = f.sigma,
		.mo_s = costs.classes[0].mo,
		.k_s = costs.classes[0].k,
		.bytes = f.V,
		.alpha = f.alpha,
		.lm_s = f.lm,
	};
	for (int i = 0; i < farm->workers_count; i++) {
		r->workers_silent += farm->workers[i].silent;
		busy += farm->workers[i].l_s;
	}
	if (r->workers > 0 && time_s > 0)
		r->imbalance = fmax(1 - busy / (r->workers * time_s), 0);
	farm->worth =
		it->tasks ? farm_workers_worth(&f, &costs, farm->workers_count)
			  : 0;
	r->workers_worth = farm->worth;
	farm_tune(farm, &f, &costs, &it->handout.rules);
}

int farm_master(struct predict_farm *farm,
		const struct predict_farm_program *program, int tasks)
{
	struct iteration it;
	double start = MPI_Wtime();
	int rc = -1;

	farm_estimate_age(&farm->estimate);
	choose_resting(farm);
	for (int i = 0; i < farm->workers_count; i++) {
		farm->workers[i].l_s = 0;
		farm->workers[i].tasks = 0;
	}
	if (iteration_init(&it, farm, program, tasks) == 0) {
		const struct handout_rules rules = {
			.M = tasks,
			.n = workers_in_use(farm) > 0 ? workers_in_use(farm)
						      : 1,
			.factor = farm->factor,
			.slowdown = farm->options.slowdown,
			.weights = it.weights,
		};

		handout_begin(&it.handout, farm->policy, &rules);
		rules_update(&it);
		rc = collect_all(&it);
		report_fill(&it, MPI_Wtime() - start);
		iteration_clear(&it);
	}
	/* Those that rest or are silent, too: they wait, or will. */
	for (int i = 0; i < farm->workers_count; i++)
		MPI_Send(NULL, 0, MPI_BYTE, i + 1, TAG_END, farm->comm);
	return rc;
}
