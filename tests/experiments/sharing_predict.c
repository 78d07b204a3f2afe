/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_predict.c - the sharing model for the experiment, from lines of text
 *
 * Standard input has lines of a word and numbers (nan: not known):
 *	profile SECONDS NODES         a new profile, without phases or messages
 *	node BUSY READY IDLE SPINNING PHASE AVAILABLE    the next node of it
 *	pair FROM TO MESSAGES BYTES REPLIES LONG BANDWIDTH LATENCY   next pair
 *	now CREDIT TURN               a new setting, all as in the profile
 *	at NODE AVAILABLE SPEED       what a process gets on that node
 *	link NODE BANDWIDTH LATENCY   all links to and from that node
 *	predict                       prints SECONDS
 * Nodes count from 0.  Where no node has a SPEED this is predictd's own model,
 * called as predictd calls it: the row "sharing" of the table of models, with
 * the job's nodes one by one.  SPEED, which predictd does not know of the very
 * run, goes to sharing_runtime() directly.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/model.h"
#include "predictor/models/sharing/sharing.h"

enum { NUMBERS = 8 };

extern const struct model model_sharing;

struct state {
	struct profile profile;
	struct sharing_node nodes[PROFILE_NODES_MAX];
	struct sharing_link links[PROFILE_NODES_MAX];
	struct sharing_setting now;
};

static void worst_link(const void *context, int from, int to,
		       struct sharing_link *ret)
{
	const struct sharing_link *links = context;

	/* fmin() and fmax() prefer what is known. */
	ret->bandwidth_bps =
		fmin(links[from].bandwidth_bps, links[to].bandwidth_bps);
	ret->latency_s = fmax(links[from].latency_s, links[to].latency_s);
}

static int do_profile(struct state *s, const double v[])
{
	if (!(v[1] >= 1 && v[1] <= PROFILE_NODES_MAX))
		return -1;
	s->profile = (struct profile){ .runtime_s = v[0],
				       .nodes = (uint32_t)v[1],
				       .tasks = (uint32_t)v[1],
				       .runs = 1 };
	return 0;
}

static int do_node(struct state *s, const double v[])
{
	struct profile *p = &s->profile;

	if (p->node_count >= (int)p->nodes)
		return -1;
	p->node[p->node_count++] = (struct profile_node){
		.tasks = 1,
		.busy_s = v[0],
		.ready_s = v[1],
		.idle_s = v[2],
		.spinning_s = v[3],
		.busy_phase_s = v[4],
		.idle_phase_s = NAN,
		.cpu_available = v[5],
		.cpu_speed = NAN,
	};
	return 0;
}

static int is_node(const struct state *s, double k)
{
	return k >= 0 && k < s->profile.nodes && k == floor(k);
}

static int do_pair(struct state *s, const double v[])
{
	struct profile *p = &s->profile;

	if (!is_node(s, v[0]) || !is_node(s, v[1]) ||
	    p->pair_count >= PROFILE_PAIRS_MAX)
		return -1;
	p->pair[p->pair_count++] = (struct profile_pair){
		.from = (uint16_t)v[0],
		.to = (uint16_t)v[1],
		.messages = v[2],
		.bytes = v[3],
		.replies = v[4],
		.long_messages = v[5],
		.bandwidth_bps = v[6],
		.latency_s = v[7],
	};
	return 0;
}

static int do_now(struct state *s, const double v[])
{
	for (int k = 0; k < PROFILE_NODES_MAX; k++) {
		s->nodes[k] = (struct sharing_node){ NAN, NAN };
		s->links[k] = (struct sharing_link){ NAN, NAN };
	}
	s->now = (struct sharing_setting){
		.node_count = (int)s->profile.nodes,
		.nodes = s->nodes,
		.link_of = worst_link,
		.context = s->links,
		.credit_s = v[0],
		.turn_s = v[1],
		.eager_bytes = SHARING_EAGER_BYTES,
	};
	return 0;
}

static int do_at(struct state *s, const double v[])
{
	if (!is_node(s, v[0]))
		return -1;
	s->nodes[(int)v[0]] = (struct sharing_node){ v[1], v[2] };
	return 0;
}

static int do_link(struct state *s, const double v[])
{
	if (!is_node(s, v[0]))
		return -1;
	s->links[(int)v[0]] = (struct sharing_link){ v[1], v[2] };
	return 0;
}

static void job_link(const void *context, int from, int to,
		     double *ret_bandwidth_bps, double *ret_latency_s)
{
	struct sharing_link link;

	worst_link(context, from, to, &link);
	*ret_bandwidth_bps = link.bandwidth_bps;
	*ret_latency_s = link.latency_s;
}

/* By predictd's model, of a job that has no past runs but the profile's; NAN:
 * it predicts nothing. */
static double predict_as_predictd(const struct state *s)
{
	const struct profile *p = &s->profile;
	struct job_nodes nodes = { .count = s->now.node_count,
				   .cpu_turn_s = s->now.turn_s,
				   .cpu_credit_s = s->now.credit_s,
				   .link_of = job_link,
				   .context = s->links };
	struct query query = { .application = INDEX_NONE,
			       .user = INDEX_NONE,
			       .names = INDEX_NONE,
			       .parameters = &p->application.parameters,
			       .nodes = p->nodes,
			       .tasks = p->tasks,
			       .job_nodes = &nodes,
			       .profile = p };
	struct model_result result = { .median_s = NAN };
	struct history *history = history_create();
	void *model = model_sharing.create();

	conditions_init(&query.conditions);
	for (int k = 0; k < nodes.count; k++)
		nodes.cpu_available[k] = s->nodes[k].cpu_available;
	if (!history || !model ||
	    model_sharing.predict(model, history, &query, &result, NULL))
		result.median_s = NAN;
	model_sharing.destroy(model);
	history_destroy(history);
	return result.median_s;
}

static int do_predict(struct state *s, const double v[])
{
	bool speeds = false;

	(void)v;
	for (int k = 0; k < s->now.node_count; k++)
		speeds |= !isnan(s->nodes[k].cpu_speed);
	printf("%.6f\n", speeds ? sharing_runtime(&s->profile, &s->now, NULL)
				: predict_as_predictd(s));
	return 0;
}

static const struct word {
	const char *name;
	int numbers;
	int (*act)(struct state *s, const double v[]);
} words[] = {
	{ "profile", 2, do_profile }, { "node", 6, do_node },
	{ "pair", 8, do_pair },       { "now", 2, do_now },
	{ "at", 3, do_at },           { "link", 3, do_link },
	{ "predict", 0, do_predict }, { NULL, 0, NULL },
};

static int act(struct state *s, char *line)
{
	double v[NUMBERS];
	char *save = NULL, *name = strtok_r(line, " \n", &save), *text;
	int count = 0;

	for (; (text = strtok_r(NULL, " \n", &save)); count++) {
		char *end;

		if (count == NUMBERS)
			return -1;
		v[count] = strtod(text, &end);
		if (end == text || *end)
			return -1;
	}
	for (const struct word *w = words; name && w->name; w++)
		if (strcmp(w->name, name) == 0)
			return w->numbers == count ? w->act(s, v) : -1;
	return -1;
}

int main(void)
{
	static struct state s;
	char line[512];
	static const double nothing[NUMBERS];

	do_now(&s, nothing);
	for (int n = 1; fgets(line, sizeof(line), stdin); n++)
		if (act(&s, line)) {
			fprintf(stderr, "sharing-predict: line %d is wrong\n",
				n);
			return 1;
		}
	return 0;
}
