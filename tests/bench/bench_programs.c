/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_programs.c - programs run on a simulated clock, and their traces */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench_programs.h"

/* --- The clock ------------------------------------------------------------ */

/* Nodes have a port for what they send, and one for what they receive. */
enum side { OUT, IN, SIDES };

struct letter {
	double arrival; /* HUGE_VAL: not known yet */
	double earliest;
	double latency_s;
	int port[SIDES];
	double left[SIDES]; /* bytes */
	int source;
	bool taken;
};

struct actor {
	struct action action;
	double left_s; /* of its work; < 0: it waits */
	bool ended;
	int letters_first, letters_count, letters_size;
	struct letter *letters;
	int events_count, events_size;
	struct trace_event *events;
};

struct stage {
	struct program *program;
	const struct replay_placement *place;
	struct actor actors[PROGRAM_RANKS_MAX];
	double now;
};

#define STAGE_NODES_MAX 8

static void actor_begin(struct stage *s, int r, int source)
{
	struct actor *a = &s->actors[r];

	a->action = s->program->next(s->program, r, source);
	a->left_s = a->action.work_s;
}

static void actor_record(struct actor *a, int peer)
{
	if (a->events_count == a->events_size) {
		a->events_size = 2 * a->events_size + 64;
		a->events =
			realloc(a->events, a->events_size * sizeof(*a->events));
		assert(a->events);
	}
	a->events[a->events_count++] = (struct trace_event){
		.work_s = a->action.work_s,
		.procedure_s = a->action.procedure_s,
		.bytes = a->action.bytes,
		.peer = peer,
		.call = a->action.call,
		.wildcard = a->action.peer == ANY_SOURCE,
	};
}

static void actor_post(struct stage *s, int from)
{
	struct actor *a = &s->actors[from];
	struct actor *to = &s->actors[a->action.peer];
	int here = s->place->node[from], there = s->place->node[a->action.peer];
	const struct replay_link *link =
		&s->place->links[here * s->place->nodes_count + there];
	double bytes = (double)a->action.bytes;
	double earliest =
		s->now + link->latency_s + bytes / link->bandwidth_bps;
	bool shares = here != there && bytes > 0;

	if (to->letters_count == to->letters_size) {
		to->letters_size = 2 * to->letters_size + 64;
		to->letters = realloc(to->letters,
				      to->letters_size * sizeof(*to->letters));
		assert(to->letters);
	}
	to->letters[to->letters_count++] = (struct letter){
		.arrival = shares ? HUGE_VAL : earliest,
		.earliest = earliest,
		.latency_s = link->latency_s,
		.port = { here, there },
		.left = { shares ? bytes : 0, shares ? bytes : 0 },
		.source = from,
	};
}

/* --- Ports ---------------------------------------------------------------- */

/* All links of the benchmark are equally fast. */
static double port_bandwidth(const struct stage *s)
{
	return s->place->links[1].bandwidth_bps;
}

typedef void visit_letter(struct stage *s, struct letter *l, void *context);

static void visit_letters(struct stage *s, visit_letter *visit, void *context)
{
	for (int r = 0; r < s->program->ranks; r++)
		for (int i = s->actors[r].letters_first;
		     i < s->actors[r].letters_count; i++)
			if (s->actors[r].letters[i].arrival == HUGE_VAL)
				visit(s, &s->actors[r].letters[i], context);
}

struct serving {
	int count[SIDES][STAGE_NODES_MAX]; /* letters of a port */
	double step; /* to the next end of a letter's service */
	struct letter *next;
	enum side side; /* of that end */
};

static void count_letter(struct stage *s, struct letter *l, void *context)
{
	struct serving *v = context;

	(void)s;
	for (enum side side = OUT; side < SIDES; side++)
		v->count[side][l->port[side]] += l->left[side] > 0;
}

static void time_letter(struct stage *s, struct letter *l, void *context)
{
	struct serving *v = context;

	for (enum side side = OUT; side < SIDES; side++) {
		double time = l->left[side] * v->count[side][l->port[side]] /
			      port_bandwidth(s);

		if (l->left[side] > 0 && time < v->step) {
			v->step = time;
			v->next = l;
			v->side = side;
		}
	}
}

/* For v->step seconds, which end now. */
static void serve_letter(struct stage *s, struct letter *l, void *context)
{
	const struct serving *v = context;

	for (enum side side = OUT; side < SIDES; side++) {
		double served = v->step * port_bandwidth(s) /
				v->count[side][l->port[side]];

		if (l->left[side] > 0)
			l->left[side] = fmax(l->left[side] - served, 1e-9);
	}
}

static void end_service(struct stage *s, const struct serving *v)
{
	struct letter *l = v->next;

	l->left[v->side] = 0;
	if (!(l->left[OUT] > 0) && !(l->left[IN] > 0))
		l->arrival = fmax(l->earliest, s->now + l->latency_s);
}

/* --- Ranks ---------------------------------------------------------------- */

/* The letter that the actor waits for and that comes first; NULL: none is on
 * its way. */
static struct letter *actor_letter(struct actor *a)
{
	struct letter *first = NULL;

	while (a->letters_first < a->letters_count &&
	       a->letters[a->letters_first].taken)
		a->letters_first++;
	for (int i = a->letters_first; i < a->letters_count; i++) {
		struct letter *l = &a->letters[i];

		if (!l->taken && l->arrival < HUGE_VAL &&
		    (a->action.peer == ANY_SOURCE ||
		     a->action.peer == l->source) &&
		    (!first || l->arrival < first->arrival))
			first = l;
	}
	return first;
}

static double actor_rate(const struct stage *s, int r)
{
	int n = s->place->node[r];
	const struct replay_node *node = &s->place->nodes[n];
	int there = 0;

	for (int i = 0; i < s->program->ranks; i++)
		there += s->place->node[i] == n && s->actors[i].left_s >= 0;
	return node->speed * fmin(1, node->cores / there);
}

/* Its work is done. */
static void actor_call(struct stage *s, int r)
{
	struct actor *a = &s->actors[r];

	a->left_s = -1;
	if (a->action.call == CALL_RECEIVE)
		return;
	actor_record(a, a->action.peer);
	if (a->action.call == CALL_END) {
		a->ended = true;
	} else {
		actor_post(s, r);
		actor_begin(s, r, ANY_SOURCE);
	}
}

/* To the next end of work, of a port's service, or message that somebody waits
 * for. */
static void stage_step(struct stage *s)
{
	double rates[PROGRAM_RANKS_MAX] = { 0 };
	struct serving serving = { .step = HUGE_VAL };
	double step;
	int who = -1;

	visit_letters(s, count_letter, &serving);
	visit_letters(s, time_letter, &serving);
	step = serving.step;

	for (int r = 0; r < s->program->ranks; r++) {
		struct actor *a = &s->actors[r];
		double time = HUGE_VAL;

		if (a->left_s >= 0) {
			rates[r] = actor_rate(s, r);
			time = a->left_s / rates[r];
		} else if (!a->ended) {
			const struct letter *l = actor_letter(a);

			time = l ? fmax(l->arrival - s->now, 0) : HUGE_VAL;
		}
		if (time < step) {
			step = time;
			who = r;
		}
	}
	assert(who >= 0 || serving.next);
	s->now += step;
	serving.step = step;
	visit_letters(s, serve_letter, &serving);
	for (int r = 0; r < s->program->ranks; r++)
		if (s->actors[r].left_s >= 0)
			s->actors[r].left_s =
				fmax(s->actors[r].left_s - step * rates[r], 0);

	if (who < 0) {
		end_service(s, &serving);
		return;
	}

	struct actor *a = &s->actors[who];

	if (a->left_s >= 0) {
		actor_call(s, who);
	} else {
		struct letter *l = actor_letter(a);

		l->taken = true;
		actor_record(a, l->source);
		actor_begin(s, who, l->source);
	}
}

static bool all_ended(const struct stage *s)
{
	for (int r = 0; r < s->program->ranks; r++)
		if (!s->actors[r].ended)
			return false;
	return true;
}

double program_run(struct program *program,
		   const struct replay_placement *placement, struct trace *ret)
{
	struct stage s = { .program = program, .place = placement };
	int *counts = calloc(program->ranks, sizeof(*counts));
	const struct trace_event **events =
		calloc(program->ranks, sizeof(*events));

	assert(counts && events && placement->nodes_count <= STAGE_NODES_MAX);
	program->reset(program);
	for (int r = 0; r < program->ranks; r++)
		actor_begin(&s, r, ANY_SOURCE);
	while (!all_ended(&s))
		stage_step(&s);
	for (int r = 0; r < program->ranks; r++) {
		counts[r] = s.actors[r].events_count;
		events[r] = s.actors[r].events;
		free(s.actors[r].letters);
	}

	struct trace trace = { program->ranks, counts, events };

	if (ret)
		*ret = trace;
	else
		program_trace_free(&trace);
	return s.now;
}

void program_trace_free(struct trace *trace)
{
	for (int r = 0; r < trace->ranks; r++)
		free((void *)trace->events[r]);
	free((void *)trace->events);
	free((void *)trace->counts);
}

/* --- Farm ----------------------------------------------------------------- */

static struct action farm_hub(struct farm_program *f, int source)
{
	int workers = f->program.ranks - 1;
	bool begins = f->handed < workers && f->handed < f->tasks;

	if (begins)
		return (struct action){ .work_s = f->hub_s,
					.call = CALL_ISEND,
					.peer = 1 + f->handed++,
					.bytes = 900 };
	if (source == ANY_SOURCE)
		return f->replied++ < f->tasks
			       ? (struct action){ .call = CALL_RECEIVE,
						  .peer = ANY_SOURCE }
		       : f->stopped < workers
			       ? (struct action){ .call = CALL_ISEND,
						  .peer = 1 + f->stopped++ }
			       : (struct action){ .work_s = f->hub_s,
						  .call = CALL_END };
	if (f->handed < f->tasks) {
		f->handed++;
		return (struct action){ .work_s = f->hub_s,
					.call = CALL_ISEND,
					.peer = source,
					.bytes = 900 };
	}
	return farm_hub(f, ANY_SOURCE);
}

/* Which task a worker got is the hub's count at its receive: hand-outs reach
 * each worker in order. */
static struct action farm_next(struct program *program, int rank, int source)
{
	struct farm_program *f = (struct farm_program *)program;

	if (!rank)
		return farm_hub(f, source);
	if (source == ANY_SOURCE)
		return (struct action){ .call = CALL_RECEIVE, .peer = 0 };
	if (f->begun[0] >= f->tasks)
		return (struct action){ .call = CALL_END };
	return (struct action){ .work_s = f->task_s[f->begun[0]++],
				.call = CALL_ISEND,
				.peer = 0,
				.bytes = 300 };
}

static void farm_reset(struct program *program)
{
	struct farm_program *f = (struct farm_program *)program;

	f->handed = f->replied = f->stopped = 0;
	memset(f->begun, 0, sizeof(f->begun));
}

void farm_program_init(struct farm_program *farm, int ranks, int tasks,
		       const double *task_s, double hub_s)
{
	*farm = (struct farm_program){
		.program = { ranks, farm_next, farm_reset },
		.tasks = tasks,
		.task_s = task_s,
		.hub_s = hub_s,
	};
}

/* --- Server --------------------------------------------------------------- */

/* The work of a client's k-th request, the same in all runs. */
static double jittered(const struct server_program *p, double mean, int client,
		       int k, int side)
{
	struct random random = { (uint64_t)client * 1000003 + k * 17 + side };

	random_unit(&random);
	return mean * (1 + p->jitter * (2 * random_unit(&random) - 1));
}

static double served_s(const struct server_program *p, int client, int k)
{
	return jittered(p, p->server_s[client > 1], client, k, 1);
}

static bool is_procedure(const struct server_program *p, int client)
{
	return p->procedure == (client > 1 ? 2 : 1);
}

static struct action server_next(struct program *program, int rank, int source)
{
	struct server_program *p = (struct server_program *)program;
	int clients = program->ranks - 1;

	if (!rank && source != ANY_SOURCE) {
		double work_s = served_s(p, source, p->count[source]++);
		bool it = is_procedure(p, source);

		return (struct action){
			.work_s = it && p->moved ? 0 : work_s,
			.procedure_s = it && !p->moved ? work_s : 0,
			.call = CALL_ISEND,
			.peer = source,
			.bytes = 500,
		};
	}
	if (!rank)
		return p->served++ < clients * p->requests
			       ? (struct action){ .call = CALL_RECEIVE,
						  .peer = ANY_SOURCE }
			       : (struct action){ .call = CALL_END };

	int k = p->begun[rank]++;

	if (k >= 2 * p->requests)
		return (struct action){ .call = CALL_END };
	if (k % 2 == 0)
		return (struct action){
			.work_s = jittered(p, p->client_s[rank > 1], rank,
					   k / 2, 0),
			.call = CALL_ISEND,
			.peer = 0,
			.bytes = 500,
		};
	return (struct action){
		.work_s = p->moved && is_procedure(p, rank)
				  ? served_s(p, rank, k / 2)
				  : 0,
		.call = CALL_RECEIVE,
		.peer = 0,
	};
}

static void server_reset(struct program *program)
{
	struct server_program *p = (struct server_program *)program;

	p->served = 0;
	memset(p->begun, 0, sizeof(p->begun));
	memset(p->count, 0, sizeof(p->count));
}

void server_program_init(struct server_program *server, int ranks)
{
	server->program = (struct program){ ranks, server_next, server_reset };
}
