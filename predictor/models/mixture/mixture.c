/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture.c - run times of similar jobs, with learned weights
 *
 * The recent runs that are most likely similar are the atoms of a distribution;
 * their weights are learned online, by gradient descent on the continuous
 * ranked probability score at each job's end.
 *
 *	mixture_point       a job's traits, size, limit and times
 *	mixture_runs        finished runs, in rings of those that share traits
 *	mixture_atoms       the runs that are considered for a job, their run
 *	                    times, and the features of each
 *	mixture_tables      weights of features, and learning these
 *	mixture_start       what tables begin with, learned on other clusters
 *	mixture_sessions    recent submissions and runs of each user
 *	mixture_tickets     predictions of jobs that have not ended
 *
 * Each cluster learns its own tables.  No rule defines what a crash, a limit or
 * a batch of equal jobs means for the next run: it is learned from how well
 * such runs predicted others.
 *
 * Measured on ten job logs, most of the Parallel Workloads Archive, from the
 * start values: the mean error is .710 of that of the user's last two runs
 * (geometric mean).  What helped: 32 runs of the user instead of 64, which
 * leaves room for rarer similarities (.5 %); slow learning of weak features
 * (.5 %); surprise (.3 %); traits, and shares of the limit, for each user (.2 %
 * and .1 %).  What did not help
 * beyond chance: the weights of several learners averaged; a second softmax
 * over an atom's place in the first one's distribution; jobs in flight that
 * have outlasted an atom; run times scaled by size, or by half the ratio of
 * limits; rank by pattern; age by rank; the CRPS in other powers than the
 * square root.  On the two logs with the heaviest tails and fewest jobs, any
 * change at all moves the error by 2 percent.
 *
 * [1] B. Efron: The Two Sample Problem with Censored Data, Proc. Fifth Berkeley
 *     Symposium, vol. 4 (1967) 831-853: redistribution to the right.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/mixture/mixture_atoms.h"
#include "predictor/models/mixture/mixture_sessions.h"
#include "predictor/models/mixture/mixture_start.h"
#include "predictor/models/mixture/mixture_tables.h"
#include "predictor/models/mixture/mixture_tickets.h"
#include "predictor/models/model.h"

/* Clusters beyond these share tables. */
#define CLUSTERS 8

/* Atoms of less weight are left out of a result. */
#define WEIGHT_MIN 1e-6f

struct cluster_tables {
	bool known;
	uint32_t key;
	struct mixture_tables tables;
};

struct mixture {
	struct mixture_runs *runs;
	struct mixture_sessions *sessions;
	struct mixture_tickets *tickets;
	struct correction *correction;
	struct mixture_start *start; /* of new clusters */
	struct cluster_tables *clusters;
	struct mixture_atoms atoms; /* of the current job */
	struct mixture_prediction prediction;
};

static void mixture_destroy(void *model)
{
	struct mixture *m = model;

	if (!m)
		return;
	mixture_runs_destroy(m->runs);
	mixture_sessions_destroy(m->sessions);
	mixture_tickets_destroy(m->tickets);
	correction_destroy(m->correction);
	free(m->clusters);
	free(m->start);
	free(m);
}

static void *mixture_create(void)
{
	struct mixture *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->runs = mixture_runs_create();
	m->sessions = mixture_sessions_create();
	m->tickets = mixture_tickets_create();
	m->correction = correction_create();
	m->clusters = calloc(CLUSTERS, sizeof(*m->clusters));
	m->start = malloc(sizeof(*m->start));
	if (!m->runs || !m->sessions || !m->tickets || !m->correction ||
	    !m->clusters || !m->start ||
	    mixture_start_shipped(m->start, NULL)) {
		mixture_destroy(m);
		return NULL;
	}
	return m;
}

static struct mixture_tables *find_tables(struct mixture *m, uint32_t key)
{
	for (int i = 0; i < CLUSTERS; i++) {
		struct cluster_tables *cluster = &m->clusters[i];

		if (!cluster->known) {
			cluster->known = true;
			cluster->key = key;
			mixture_tables_start(&cluster->tables);
			mixture_start_apply(m->start, &cluster->tables);
		}
		if (cluster->key == key)
			return &cluster->tables;
	}
	return &m->clusters[key % CLUSTERS].tables;
}

/* With what the user did before the submission, from its ticket if there is
 * one. */
static void fill_point(const struct mixture *m, const struct query *query,
		       const struct mixture_ticket *ticket,
		       struct mixture_point *ret)
{
	mixture_point_of(query, ret);
	if (ticket)
		ret->before = ticket->before;
	else
		mixture_sessions_before(m->sessions, ret->user,
					ret->submitted_s, &ret->before);
}

/* Find the heaviest candidates, by insertion. */
static void fill_evidence(const struct mixture *m, struct model_result *ret)
{
	/* Atoms of no candidate are counted in the last. */
	float weights[MIXTURE_CANDIDATES_MAX + 1] = { 0 };

	for (int i = 0; i < m->prediction.count; i++)
		weights[m->atoms.candidate[m->prediction.atom[i]]] +=
			m->prediction.w[i];
	for (int i = 0; i < m->atoms.candidates; i++) {
		struct evidence *e = ret->evidence;
		int at = ret->evidence_count;

		if (at < EVIDENCE_MAX)
			ret->evidence_count++;
		else if (weights[i] > e[--at].weight)
			;
		else
			continue;
		for (; at && e[at - 1].weight < weights[i]; at--)
			e[at] = e[at - 1];
		e[at] = (struct evidence){ .job_id = m->atoms.slots[i],
					   .weight = weights[i] };
	}
	for (int i = 0; i < ret->evidence_count; i++) {
		struct evidence *e = &ret->evidence[i];
		const struct mixture_run *run =
			mixture_runs_at(m->runs, e->job_id);

		e->job_id = run->job_id;
		e->runtime_s = expf(run->ln_runtime);
	}
}

/* Return how the run of an atom ended; OUTCOME_ENDS: it is of no run. */
static enum outcome_end atom_end(const struct mixture *m, int i)
{
	int candidate = m->atoms.candidate[m->prediction.atom[i]];

	if (candidate >= m->atoms.candidates)
		return OUTCOME_ENDS;
	return (enum outcome_end)mixture_runs_at(m->runs,
						 m->atoms.slots[candidate])
		->end;
}

/* Return whether a run of the query's kind that is cancelled says no more than
 * that it would have run longer.  What their cancellation means is learned for
 * runs without parameters: on ten job logs, where cancelled runs are predicted
 * like others, the error would be .722 instead of .710. */
static bool is_censored(const struct query *query)
{
	return query->parameters->count > 0;
}

/* Divide the weight of cancelled runs among those that ended by themselves
 * after more time [1].  Where none did it counts for nothing, as the run may
 * have hung. */
static void censor_weights(const struct mixture *m,
			   float ret[MIXTURE_ATOMS_MAX])
{
	const struct mixture_prediction *p = &m->prediction;
	enum outcome_end end[MIXTURE_ATOMS_MAX];
	float left = 0, sum = 0, share = 1;

	for (int i = 0; i < p->count; i++) {
		end[i] = atom_end(m, i);
		ret[i] = p->w[i];
		if (end[i] != OUTCOME_CANCELLED && end[i] != OUTCOME_ENDS)
			left += p->w[i];
	}
	if (left < WEIGHT_MIN)
		return;
	for (int i = 0; i < p->count; i++) {
		if (end[i] == OUTCOME_CANCELLED) {
			share += left < WEIGHT_MIN ? 0 : ret[i] / left;
			ret[i] = 0;
		} else if (end[i] != OUTCOME_ENDS) {
			left -= ret[i];
			ret[i] *= share;
		}
		sum += ret[i];
	}
	for (int i = 0; i < p->count; i++)
		ret[i] /= sum;
}

static void fill_result(const struct mixture *m, const struct query *query,
			struct model_result *ret)
{
	const struct mixture_prediction *prediction = &m->prediction;
	const float *w = prediction->w;
	float censored[MIXTURE_ATOMS_MAX];

	if (is_censored(query)) {
		censor_weights(m, censored);
		w = censored;
	}
	ret->runs = (uint32_t)m->atoms.candidates;
	ret->sigma = ret->degrees = NAN;
	ret->evidence_count = 0;
	ret->ln_runtime.count = 0;
	for (int i = 0; i < prediction->count; i++)
		if (w[i] >= WEIGHT_MIN)
			distribution_add(&ret->ln_runtime,
					 (double)prediction->x[i],
					 (double)w[i]);
	ret->median_s = exp(distribution_quantile(&ret->ln_runtime, 0.5));
	fill_evidence(m, ret);
}

/* Remember the prediction at a submission. */
static void remember_ticket(struct mixture *m,
			    const struct mixture_point *point, uint64_t id,
			    double median_s)
{
	uint32_t user = point->user;
	struct mixture_ticket dropped;
	struct mixture_ticket ticket = {
		.id = id,
		.user = user,
		.ln_median = m->atoms.candidates ? logf((float)median_s) : NAN,
		.before = point->before,
	};

	mixture_sessions_submitted(m->sessions, user, point->submitted_s);
	if (mixture_tickets_keep(m->tickets, &ticket, &m->atoms, &m->prediction,
				 &dropped))
		mixture_sessions_left(m->sessions, dropped.user);
}

static int mixture_predict(void *model, const struct history *history,
			   const struct query *query, struct model_result *ret,
			   struct sp_error *err)
{
	struct mixture *m = model;
	const struct mixture_ticket *ticket =
		query->ticket ? mixture_tickets_find(m->tickets, query->ticket)
			      : NULL;
	struct mixture_point point;
	bool corrected = correction_begin(m->correction, history, query);

	fill_point(m, query, ticket, &point);

	struct mixture_tables *tables = find_tables(m, point.cluster);

	mixture_atoms_find(m->runs, &point, mixture_tables_enforced(tables),
			   corrected ? m->correction : NULL, &m->atoms);
	mixture_tables_weigh(tables, &m->atoms, &m->prediction);
	fill_result(m, query, ret);
	if (query->ticket && !ticket)
		remember_ticket(m, &point, query->ticket, ret->median_s);
	if (!m->atoms.candidates)
		return sp_error_set(err, "no run of this cluster");
	return 0;
}

/* Take the prediction of the ticket, and learn from its error. */
static void mixture_learn(void *model, const struct history *history,
			  const struct query *query,
			  const struct outcome *outcome)
{
	struct mixture *m = model;
	struct mixture_ticket ticket = { .ln_median = NAN };
	bool known = query->ticket &&
		     mixture_tickets_take(m->tickets, query->ticket, &ticket,
					  &m->prediction, m->atoms.entries);
	struct mixture_point point;
	struct mixture_run run;

	(void)history;
	if (known)
		mixture_sessions_left(m->sessions, ticket.user);
	if (outcome->end == OUTCOME_OTHER)
		return;
	fill_point(m, query, known ? &ticket : NULL, &point);
	mixture_point_run(&point, outcome, ticket.ln_median, &run);

	struct mixture_tables *tables = find_tables(m, point.cluster);

	mixture_tables_ended(tables, run.ln_runtime, run.ln_limit);
	if (known && !(outcome->end == OUTCOME_CANCELLED && is_censored(query)))
		mixture_tables_descend(tables, &m->prediction, m->atoms.entries,
				       run.ln_runtime,
				       (float)query_pace(query));
	mixture_sessions_ended(m->sessions, point.user, run.ln_runtime);
	mixture_runs_add(m->runs, point.cluster, &run);
}

static int mixture_set_start(void *model, const char *text, size_t size,
			     struct sp_error *err)
{
	struct mixture *m = model;
	struct mixture_start *start = malloc(sizeof(*start));

	if (!start)
		return sp_error_set(err, "out of memory");
	if (mixture_start_parse(text, size, start, err)) {
		free(start);
		return -1;
	}
	free(m->start);
	m->start = start;
	return 0;
}

/* Print the tables of all clusters. */
static char *mixture_print_learned(const void *model, size_t *ret_size)
{
	const struct mixture *m = model;
	struct mixture_start *of = calloc(CLUSTERS + 1, sizeof(*of));
	const struct mixture_start *learned[CLUSTERS];
	char *text = NULL;
	int count = 0;

	if (!of)
		return NULL;
	for (; count < CLUSTERS && m->clusters[count].known; count++) {
		mixture_start_of(&m->clusters[count].tables, &of[count]);
		learned[count] = &of[count];
	}
	mixture_start_merge(learned, count, &of[CLUSTERS]);
	text = mixture_start_print(&of[CLUSTERS], ret_size);
	free(of);
	return text;
}

const struct model model_mixture = {
	.name = "mixture",
	.help = "run times of similar jobs, with learned weights",
	.create = mixture_create,
	.destroy = mixture_destroy,
	.predict = mixture_predict,
	.learn = mixture_learn,
	.set_start = mixture_set_start,
	.print_learned = mixture_print_learned,
};
