/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.c - which model is believed
 *
 * The reference is the first row that has an answer.  For every other row a
 * record keeps sums of its own errors and of the reference's, over the runs
 * that both had answered.  Their ratio on an application is drawn to that with
 * the user, this one to that over all, and this one to PRIOR, as if that many
 * runs had shown it.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/base/index.h"
#include "predictor/ensemble/choice.h"

/* Share of the weight of earlier runs that is kept after one more. */
#define DECAY 0.9
/* Weight of what is believed without runs, in runs of a middling error. */
#define BELIEF 2.0
#define ERROR  0.25
/* A row that was never compared is taken for so much worse. */
#define PRIOR 1.25
/* Nobody is better than that, whatever luck says. */
#define RATIO_MIN 0.05
/* Weight of a row in a median: its ratio of errors to that power.  Families
 * have one vote each, so that the ten rows of Lee and Schopf, whose errors are
 * similar, do not outvote the others.  On 320 MPI runs under wandering load,
 * 318 others, and 64 of real programs (contrib/experiments), the error in
 * percent of the second half of the runs, and of the runs of a program from the
 * fourth to the 25th:
 *
 *	one vote a row             16.6  15.8  9.4    29.5  32.7  16.4
 *	a family's heaviest row    16.8  16.8  9.4    29.1  33.1  16.4
 *	the median of its rows     16.3  16.1  9.4    27.1  32.4  16.1
 *
 * The last has BELIEF 2 and the powers -1.5 and -4, the others have 4, -2 and
 * -12.  The best of some 54 settings for each had 16.2, 15.6 and 9.4 in the
 * second half with one vote a row, 16.6, 16.3 and 9.4 with the heaviest row,
 * 16.4, 15.8 and 9.4 with the median.  The best single row in hindsight was
 * 17.7 and 17.2 % off. */
#define POWER_BETTER_ROW (-1.5)
#define POWER_WORSE_ROW  (-4)
/* Rows that differ by less than so much say the same. */
#define SAME 1e-9

/* A costly row is behind when its errors are so much greater than those of the
 * best, over at least this many runs; it then gets one turn in TURNS.  On the
 * 318 runs 1.5 and 6 chose no better, and a fifth fewer predictions were made
 * in the same time; 1.1 and 3 silence the best when others have luck twice. */
#define BEHIND      1.3
#define BEHIND_RUNS 4.0F
#define TURNS       8

struct record {
	uint64_t key; /* of the application or user */
	uint32_t turn;
	struct compared {
		float own, reference; /* sums of errors */
		float weight;         /* of runs */
		float last;           /* |predicted - actual| / actual */
	} of[];
};

struct choice {
	int models_count;
	size_t record_size;
	uint32_t count, capacity;
	struct record **records; /* the first is that of everything */
	struct index index;
};

static struct record *record_add(struct choice *c, uint64_t key)
{
	if (index_reserve(&c->index) ||
	    index_grow(&c->records, &c->capacity, c->count,
		       sizeof(c->records[0])))
		return NULL;

	struct record *record = calloc(1, c->record_size);

	if (!record)
		return NULL;
	record->key = key;
	for (int i = 0; i < c->models_count; i++)
		record->of[i].last = NAN;
	index_add(&c->index, index_hash_number(key), c->count);
	c->records[c->count++] = record;
	return record;
}

struct choice *choice_create(void)
{
	struct choice *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	while (models[c->models_count])
		c->models_count++;
	c->record_size = sizeof(struct record) +
			 (size_t)c->models_count * sizeof(struct compared);
	if (record_add(c, 0))
		return c;
	choice_destroy(c);
	return NULL;
}

void choice_destroy(struct choice *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->count; i++)
		free(c->records[i]);
	free(c->records);
	index_clear(&c->index);
	free(c);
}

/* --- Records -------------------------------------------------------------- */

/* Return NULL if there is none, or the key is not given. */
static struct record *record_find(const struct choice *c, uint64_t key)
{
	uint32_t at =
		key ? index_find(&c->index, index_hash_number(key), NULL, NULL)
		    : INDEX_NONE;

	return at == INDEX_NONE ? NULL : c->records[at];
}

static struct record *record_get(struct choice *c, uint64_t key)
{
	struct record *record = record_find(c, key);

	return record || !key ? record : record_add(c, key);
}

/* Return the ratio of errors, drawn to `believed`. */
static double error_ratio(const struct record *record, int model,
			  double believed)
{
	if (!record)
		return believed;

	const struct compared *of = &record->of[model];

	return ((double)of->own + BELIEF * ERROR * believed) /
	       ((double)of->reference + BELIEF * ERROR);
}

struct scope {
	const struct record *all, *user, *application;
};

static struct scope scope_of(const struct choice *c, const struct query *query)
{
	return (struct scope){ c->records[0], record_find(c, query_user(query)),
			       record_find(c, query_application(query)) };
}

static double scope_ratio(const struct scope *scope, int model)
{
	double r = error_ratio(scope->all, model, PRIOR);

	r = error_ratio(scope->user, model, r);
	return error_ratio(scope->application, model, r);
}

/* --- Choosing ------------------------------------------------------------- */

/* From something else than the job's own limit. */
static bool is_from_history(const struct model_result *answer)
{
	return isfinite(answer->median_s) && answer->runs > 0;
}

/* Rows by ascending median, each with its weight. */
struct row {
	int model;
	double median_s, weight;
};

COMPARE_BY(by_median, struct row, median_s)

/* Rows of one family say the same where their filters take the same runs: that
 * is one voice, of the weightiest.  Gives how many rows are left of those that
 * stand by ascending median. */
static size_t rows_merge(struct row rows[], size_t count)
{
	size_t last = 0;

	for (size_t i = 1; i < count; i++) {
		if (rows[i].median_s > rows[last].median_s * (1 + SAME))
			rows[++last] = rows[i];
		else if (rows[i].weight > rows[last].weight)
			rows[last] = rows[i];
	}
	return last + 1;
}

/* The row in the middle of the weight, of rows by ascending median. */
static int rows_median(const struct row rows[], size_t count)
{
	size_t middle = 0;
	double half = 0;

	for (size_t i = 0; i < count; i++)
		half += rows[i].weight / 2;

	double below = rows[0].weight;

	while (below < half && middle < count - 1)
		below += rows[++middle].weight;
	return rows[middle].model;
}

/* Find the vote of the family that begins with that row: the weighted median
 * of its rows that know parameters and conditions, with the geometric mean of
 * their weights.  False: none of them has an answer. */
static bool family_vote(const struct choice *c, const struct scope *scope,
			const struct model_result *const answers[MODELS_MAX],
			int eldest, struct row *ret)
{
	struct row rows[MODELS_MAX];
	size_t count = 0;
	double ln_weights = 0;

	for (int i = eldest; i < c->models_count; i++) {
		bool is_of_it =
			i == eldest || models[i]->family == models[eldest];

		if (!is_of_it || !models[i]->costly ||
		    !is_from_history(answers[i]))
			continue;

		double r = scope_ratio(scope, i);
		double weight = pow(fmax(r, RATIO_MIN),
				    r > 1 ? POWER_WORSE_ROW : POWER_BETTER_ROW);

		rows[count++] = (struct row){ i, answers[i]->median_s, weight };
		ln_weights += log(weight);
	}
	if (!count)
		return false;
	qsort(rows, count, sizeof(rows[0]), by_median);
	ret->weight = exp(ln_weights / (double)count);
	ret->model = rows_median(rows, rows_merge(rows, count));
	ret->median_s = answers[ret->model]->median_s;
	return true;
}

/* The row in the middle of the reference and of all families of rows that know
 * parameters and conditions. */
static int median_row(const struct choice *c, const struct scope *scope,
		      const struct model_result *const answers[MODELS_MAX],
		      int reference)
{
	struct row rows[MODELS_MAX] = {
		{ reference, answers[reference]->median_s, 1 },
	};
	size_t count = 1;

	for (int i = reference + 1; i < c->models_count; i++)
		if (!models[i]->family &&
		    family_vote(c, scope, answers, i, &rows[count]))
			count++;
	qsort(rows, count, sizeof(rows[0]), by_median);
	return rows_median(rows, count);
}

int choice_make(const struct choice *c, const struct query *query,
		const struct model_result *const answers[MODELS_MAX])
{
	struct scope scope = scope_of(c, query);

	for (int i = 0; i < c->models_count; i++)
		if (is_from_history(answers[i]))
			return median_row(c, &scope, answers, i);
	for (int i = 0; i < c->models_count; i++)
		if (isfinite(answers[i]->median_s))
			return i;
	return -1;
}

static double best_ratio(const struct choice *c, const struct record *record)
{
	double best = 1; /* the reference */

	for (int i = 0; i < c->models_count; i++)
		best = fmin(best, error_ratio(record, i, 1));
	return best;
}

void choice_ask(struct choice *c, const struct query *query, bool seldom,
		bool ret_ask[MODELS_MAX])
{
	bool useful = query->parameters->count ||
		      query->conditions.nodes_known || query->trait_effects;
	struct record *record =
		useful ? record_find(c, query_application(query)) : NULL;
	double best = record ? best_ratio(c, record) : 1;
	bool turn = record && seldom && record->turn++ % TURNS == 0;

	for (int i = 0; i < c->models_count; i++) {
		bool behind = record && record->of[i].weight >= BEHIND_RUNS &&
			      error_ratio(record, i, 1) > BEHIND * best;

		ret_ask[i] =
			!models[i]->costly || (useful && (!behind || turn));
	}
}

/* --- Learning ------------------------------------------------------------- */

/* 0 to 1: a share of the greater, so that a week weighs as a minute does. */
static double error_of(double predicted_s, double actual_s)
{
	return fabs(predicted_s - actual_s) / fmax(predicted_s, actual_s);
}

static void record_note(const struct choice *c, struct record *record,
			const float medians_s[MODELS_MAX], int reference,
			double runtime_s)
{
	for (int i = 0; i < c->models_count; i++) {
		double median_s = (double)medians_s[i];
		struct compared *of = &record->of[i];

		if (!(median_s > 0))
			continue;
		of->own = (float)(DECAY * (double)of->own +
				  error_of(median_s, runtime_s));
		of->reference = (float)(DECAY * (double)of->reference +
					error_of((double)medians_s[reference],
						 runtime_s));
		of->weight = (float)(DECAY * (double)of->weight + 1);
		of->last = (float)(fabs(median_s - runtime_s) / runtime_s);
	}
}

void choice_note(struct choice *c, const struct query *query,
		 const float medians_s[MODELS_MAX], double runtime_s)
{
	struct record *records[] = { c->records[0],
				     record_get(c, query_user(query)),
				     record_get(c, query_application(query)) };
	int reference = 0;

	while (reference < c->models_count && !(medians_s[reference] > 0))
		reference++;
	if (reference == c->models_count)
		return;
	for (int i = 0; i < 3; i++)
		if (records[i])
			record_note(c, records[i], medians_s, reference,
				    runtime_s);
}

double choice_last_error(const struct choice *c, int model,
			 const struct query *query)
{
	const struct record *record = record_find(c, query_application(query));

	return record ? (double)record->of[model].last : NAN;
}
