/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf.c - the run-time predictors of Lee and Schopf, as rows of models[]
 *
 * A query's runs are read once for all rows (read_points()); each row filters
 * them and fits its regression.  Rows whose filter keeps the same runs share
 * one result.  When a run ends and it is time to, the application's settings
 * are learned (lee_schopf_learn.c).  Papers: see lee_schopf.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/lee_schopf/lee_schopf.h"
#include "predictor/models/lee_schopf/lee_schopf_learn.h"

/* Runs kept before anything is learned. */
#define KEPT_INITIAL 20
/* Runs on as many processors as the query, at least. */
#define RUNS_MIN 3
/* Applications of a set of the cache. */
#define WAYS 8

/* An application with parameters of the same names. */
struct learned_settings {
	uint32_t application, names;
	uint32_t runs; /* that were read or have ended since */
	uint32_t next; /* learn at this number of runs */
	uint64_t used; /* by the family's clock; 0: free */
	struct settings settings;
};

struct family {
	struct regression *regression;
	struct points points;
	struct nearest nearest;
	/* The query that `points` are of. */
	const struct history *history;
	uint64_t history_runs;
	struct query query;
	struct parameters parameters;
	/* The result for that query from all runs on as many processors, which
	 * several rows share. */
	struct common {
		bool has_result;
		struct model_result result;
	} common[FORMS];
	uint64_t clock, fits;
	struct learned_settings learned[LEE_SCHOPF_APPLICATIONS];
};

static void lee_schopf_destroy(void *model)
{
	struct family *f = model;

	if (!f)
		return;
	regression_destroy(f->regression);
	free(f);
}

static void *lee_schopf_create(void)
{
	struct family *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->regression = regression_create(POINTS_MAX, FIT_COLUMNS_MAX);
	if (f->regression)
		return f;
	lee_schopf_destroy(f);
	return NULL;
}

/* --- The runs of a query -------------------------------------------------- */

static bool same_values(const struct parameters *a, const struct parameters *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
		if (a->of[i].value != b->of[i].value)
			return false;
	return true;
}

static bool same_traits(const struct trait_keys *a, const struct trait_keys *b)
{
	return a->count == b->count &&
	       !memcmp(a->of, b->of, (size_t)a->count * sizeof(a->of[0]));
}

/* NAN, not known, is the same as NAN. */
static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_conditions(const struct conditions *a,
			    const struct conditions *b)
{
	return is_same(a->cpu_load, b->cpu_load) &&
	       is_same(a->cpu_load_max, b->cpu_load_max) &&
	       is_same(a->cpu_available, b->cpu_available) &&
	       is_same(a->cpu_available_min, b->cpu_available_min) &&
	       is_same(a->bandwidth_bps, b->bandwidth_bps) &&
	       is_same(a->latency_s, b->latency_s);
}

static bool same_query(const struct family *f, const struct history *history,
		       const struct query *q)
{
	const struct query *last = &f->query;

	return f->history == history && f->history_runs == history->runs &&
	       last->application == q->application && last->names == q->names &&
	       last->tasks == q->tasks && last->cpus == q->cpus &&
	       same_conditions(&last->conditions, &q->conditions) &&
	       same_traits(&last->traits, &q->traits) &&
	       same_values(&f->parameters, q->parameters);
}

static void read_points(struct family *f, const struct history *history,
			const struct query *q)
{
	if (same_query(f, history, q))
		return;
	points_read(&f->points, history, q, POINTS_MAX);
	for (int form = 0; form < FORMS; form++)
		f->common[form].has_result = false;
	f->history = history;
	f->history_runs = history->runs;
	f->query = *q;
	/* Memory of a past job's parameters ends with the last. */
	f->parameters.count = q->parameters->count;
	memcpy(f->parameters.of, q->parameters->of,
	       (size_t)q->parameters->count * sizeof(q->parameters->of[0]));
	f->query.parameters = NULL; /* the copy is used */
}

/* --- Settings of applications --------------------------------------------- */

static struct learned_settings *application_set(const struct family *f,
						const struct query *q)
{
	uint32_t hash =
		(q->application * 0x9e3779b1u) ^ (q->names * 0x85ebca6bu);

	hash ^= hash >> 15;
	return (struct learned_settings *)f->learned +
	       hash % (LEE_SCHOPF_APPLICATIONS / WAYS) * WAYS;
}

static struct learned_settings *application_find(const struct family *f,
						 const struct query *q)
{
	struct learned_settings *set = application_set(f, q);

	for (int i = 0; i < WAYS; i++)
		if (set[i].used && set[i].application == q->application &&
		    set[i].names == q->names)
			return &set[i];
	return NULL;
}

/* Replaces the least recently used of its set. */
static struct learned_settings *application_add(struct family *f,
						const struct query *q)
{
	struct learned_settings *set = application_set(f, q);
	struct learned_settings *oldest = set;

	for (int i = 1; i < WAYS; i++)
		if (set[i].used < oldest->used)
			oldest = &set[i];
	*oldest = (struct learned_settings){
		.application = q->application,
		.names = q->names,
		.runs = f->points.count,
		.settings = settings_initial,
	};
	return oldest;
}

static void lee_schopf_learn(void *model, const struct history *history,
			     const struct query *q,
			     const struct outcome *outcome)
{
	struct family *f = model;

	if (outcome->end != OUTCOME_COMPLETED || !points_possible(q))
		return;

	struct learned_settings *learned = application_find(f, q);

	if (!learned || ++learned->runs < learned->next ||
	    learned->runs < LEARN_RUNS_MIN)
		return;
	f->history = NULL; /* the points are no longer those of a query */
	points_read(&f->points, history, q, LEARN_RUNS_MAX);
	learned->next = learn_next(learned->runs);

	int given = -1;

	for (int j = 0; j < q->parameters->count; j++)
		if (strcmp(q->parameters->of[j].name, UNIT_GIVEN) == 0)
			given = SLOT_PARAMETERS + j;
	f->fits += learn_settings(&f->points, given, f->regression, &f->nearest,
				  &learned->settings);
}

const struct settings *lee_schopf_settings(const void *model,
					   const struct query *query)
{
	const struct learned_settings *learned = application_find(model, query);

	return learned && learned->next ? &learned->settings : NULL;
}

uint64_t lee_schopf_fits(const void *model)
{
	return ((const struct family *)model)->fits;
}

/* --- Predict -------------------------------------------------------------- */

static void list_evidence(const struct points *p, const struct nearest *n,
			  struct model_result *ret)
{
	for (uint32_t i = 0; i < n->count && i < EVIDENCE_MAX; i++)
		ret->evidence[ret->evidence_count++] = (struct evidence){
			.job_id = p->job_id[n->of[i]],
			.runtime_s = (float)(p->runtime_s[n->of[i]] /
					     exp(p->ln_traits[n->of[i]])),
			.weight = 1 / (float)n->count,
		};
}

static uint32_t runs_to_keep(const struct settings *s, enum form form,
			     enum form_filter filter)
{
	if (filter == FILTER_NO)
		return POINTS_MAX;
	return s->kept[form][filter] ? s->kept[form][filter] : KEPT_INITIAL;
}

/* Return whether a filter keeps all runs on as many processors, and no others:
 * then FILTER_NP, keeping all, is the same. */
static bool keeps_same_size(const struct points *p, const struct settings *s,
			    enum form form, enum form_filter filter)
{
	if (filter == FILTER_NO)
		return p->alike == p->count;
	return runs_to_keep(s, form, filter) >= p->alike;
}

/* Return whether the fit knows what another number of processors does, or some
 * of its runs were on as many. */
static bool fit_knows_size(const struct fit *fit)
{
	const struct points *p = fit->points;
	double beyond = p->query[SLOT_PROCESSORS] - p->low[SLOT_PROCESSORS];

	for (int j = 0; j < fit->columns_count; j++)
		if (fit->columns[j] == SLOT_PROCESSORS)
			return true;
	return beyond >= 0 && beyond <= p->range[SLOT_PROCESSORS];
}

static int predict_by_fit(struct family *f, const struct settings *s,
			  enum form form, enum form_filter filter,
			  uint32_t kept, struct model_result *ret,
			  struct sp_error *err)
{
	const struct points *p = &f->points;
	struct nearest *n = &f->nearest;

	nearest_find(p, filter, s->weights, p->query, kept, false, POINTS_MAX,
		     n);
	if (n->count < RUNS_MIN)
		return sp_error_set(err, "%u similar runs are too few",
				    n->count);

	struct fit fit;
	double runtime_s, sigma;

	if (fit_prepare(&fit, f->regression, p, s, form, filter, n->of[0]))
		return sp_error_set(err, "the unit of work is not known yet");
	fit_begin(&fit, n->count);
	if (!fit_knows_size(&fit))
		return sp_error_set(err, "no run on as few or many processors");
	fit_add(&fit, n->of, n->count);
	if (fit_at(&fit, p->query, &runtime_s, &sigma))
		return sp_error_set(err, "the regression has no solution");
	model_result_set(ret, runtime_s, fit.rows, sigma,
			 (double)regression_degrees(f->regression));
	list_evidence(p, n, ret);
	return 0;
}

static int predict_row(struct family *f, enum form form,
		       enum form_filter filter, const struct history *history,
		       const struct query *query, struct model_result *ret,
		       struct sp_error *err)
{
	struct common *common = &f->common[form];

	if (!points_possible(query))
		return sp_error_set(err,
				    "no runs with parameters or conditions");
	read_points(f, history, query);

	struct learned_settings *learned = application_find(f, query);

	if (!learned)
		learned = application_add(f, query);
	learned->used = ++f->clock;

	const struct settings *s = &learned->settings;

	if (!keeps_same_size(&f->points, s, form, filter))
		return predict_by_fit(f, s, form, filter,
				      runs_to_keep(s, form, filter), ret, err);
	if (!common->has_result) {
		if (predict_by_fit(f, s, form, FILTER_NP, POINTS_MAX,
				   &common->result, err))
			return -1;
		common->has_result = true;
	}
	*ret = common->result;
	return 0;
}

/* --- The rows ------------------------------------------------------------- */

#define PREDICTOR(name, form, filter)                                         \
	static int predict_##name(void *model, const struct history *history, \
				  const struct query *query,                  \
				  struct model_result *ret,                   \
				  struct sp_error *err)                       \
	{                                                                     \
		return predict_row(model, form, filter, history, query, ret,  \
				   err);                                      \
	}

PREDICTOR(dp, FORM_DP, FILTER_NO)
PREDICTOR(dp_np, FORM_DP, FILTER_NP)
PREDICTOR(dp_np_r, FORM_DP, FILTER_NP_R)
PREDICTOR(dp_np_parm, FORM_DP, FILTER_NP_PARM)
PREDICTOR(dp_np_r_parm, FORM_DP, FILTER_NP_R_PARM)
PREDICTOR(ip, FORM_IP, FILTER_NO)
PREDICTOR(ip_np, FORM_IP, FILTER_NP)
PREDICTOR(ip_np_r, FORM_IP, FILTER_NP_R)
PREDICTOR(ip_np_parm, FORM_IP, FILTER_NP_PARM)
PREDICTOR(ip_np_r_parm, FORM_IP, FILTER_NP_R_PARM)

#define ROW(row, eldest, text)                                              \
	{                                                                   \
		.name = #row, .help = text, .family = eldest,               \
		.create = lee_schopf_create, .destroy = lee_schopf_destroy, \
		.predict = predict_##row, .learn = lee_schopf_learn,        \
		.costly = true                                              \
	}

#define ELDEST (&lee_schopf_rows[0])

const struct model lee_schopf_rows[LEE_SCHOPF_ROWS] = {
	ROW(dp, NULL, "linear regression of the run time (Lee, Schopf)"),
	ROW(dp_np, ELDEST, "dp from runs on as many processors"),
	ROW(dp_np_r, ELDEST, "dp_np from those under like conditions"),
	ROW(dp_np_parm, ELDEST, "dp_np from those with like parameters"),
	ROW(dp_np_r_parm, ELDEST, "dp_np from those like in both"),
	ROW(ip, ELDEST, "linear regression of the time for a unit of work"),
	ROW(ip_np, ELDEST, "ip from runs on as many processors"),
	ROW(ip_np_r, ELDEST, "ip_np from those under like conditions"),
	ROW(ip_np_parm, ELDEST, "ip_np from those with like parameters"),
	ROW(ip_np_r_parm, ELDEST, "ip_np from those like in both"),
};
