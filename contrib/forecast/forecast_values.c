/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecast_values.c - compare methods of forecasting on values
 *
 * usage: forecast-values COUNT STEPS [--json] <VALUES
 *
 * The part of forecast-series that computes.  Steps: read COUNT values,
 * forecast and score value by value, print errors of all methods and the
 * forecast of the next value; with STEPS > 1 the mean of the next ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "contrib/forecast/nws.h"
#include "predictor/cli/table.h"
#include "predictor/forecast/battery.h"

struct values {
	float *of;
	size_t count;
	int steps; /* of the horizon */
};

static int read_values(struct values *ret, struct sp_error *err)
{
	ret->of = calloc(ret->count + 1, sizeof(*ret->of));
	if (!ret->of)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < ret->count; i++)
		if (scanf("%f", &ret->of[i]) != 1)
			return sp_error_set(err, "no %zu values", ret->count);
	return 0;
}

/* --- Forecasts ---------------------------------------------------------- */

#define ROWS_MAX (NWS_METHODS + NWS_KINDS + RUNG_METHODS_MAX + 1)

struct method_row {
	const char *group, *name, *help;
	double absolute, squares;
};

struct comparison {
	struct method_row rows[ROWS_MAX];
	int count;
	double forecasts;
	double inside; /* values inside the interval of the battery */
	struct battery_forecast next;
};

static struct method_row *add_row(struct comparison *r, const char *group,
				  const char *name, const char *help)
{
	struct method_row *row = &r->rows[r->count++];

	row->group = group;
	row->name = name;
	row->help = help;
	return row;
}

static void name_rows(struct comparison *r)
{
	const struct forecaster *f;

	*r = (struct comparison){ .count = 0 };
	add_row(r, "battery", "battery",
		"all of them, weighted by their past errors");
	for (f = battery_methods; f->name; f++)
		add_row(r, "battery", f->name, f->help);
	add_row(r, "nws", "nws-mae", "selection by least absolute error");
	add_row(r, "nws", "nws-mse", "selection by least squared error");
	for (f = nws_methods; f->name; f++)
		add_row(r, "nws", f->name, f->help);
}

static void score(struct method_row *row, double forecast, double came)
{
	row->absolute += fabs(came - forecast);
	row->squares += (came - forecast) * (came - forecast);
}

static void score_all(struct comparison *r, const struct battery *b,
		      const struct nws *nws, int steps, double came)
{
	struct method_row *row = r->rows;
	struct battery_forecast f;

	if (battery_forecast(b, b->time_s, steps, ERRORS_LEVEL, &f))
		return;
	r->forecasts++;
	r->inside += came >= f.low && came <= f.high;
	score(row++, f.value, came);
	for (int i = 0; battery_methods[i].name; i++)
		score(row++, (double)b->forecasts[i], came);
	score(row++, nws_forecast(nws, NWS_ABSOLUTE, NULL), came);
	score(row++, nws_forecast(nws, NWS_SQUARED, NULL), came);
	for (int i = 0; i < NWS_METHODS; i++)
		score(row++, nws->forecasts[i], came);
}

static void forecast_series(const struct values *values, struct comparison *r)
{
	int steps = values->steps;
	static struct battery b;
	static struct nws nws;
	double ahead = 0; /* sum of the values within the horizon */

	name_rows(r);
	battery_init(&b, -HUGE_VAL, HUGE_VAL);
	for (int i = 1; i < steps; i++)
		ahead += (double)values->of[i];
	for (size_t t = 0; t < values->count; t++) {
		battery_update(&b, (double)t, (double)values->of[t]);
		nws_update(&nws, (double)values->of[t]);
		if (t + (size_t)steps >= values->count)
			continue;
		ahead += (double)values->of[t + (size_t)steps];
		score_all(r, &b, &nws, steps, ahead / steps);
		ahead -= (double)values->of[t + 1];
	}
	battery_forecast(&b, b.time_s, steps, ERRORS_LEVEL, &r->next);
}

/* --- Output -------------------------------------------------------------- */

static int print_table(const struct values *values, const struct comparison *r,
		       struct sp_error *err)
{
	static const char columns[] = "OF, METHOD, >MAE, >RMSE, WHAT";
	struct table *table = table_create_heads(columns);

	for (int i = 0; i < r->count; i++) {
		const struct method_row *row = &r->rows[i];

		table_cell(table, "%s", row->group);
		table_cell(table, "%s", row->name);
		table_number(table, "%.5g", row->absolute / r->forecasts);
		table_number(table, "%.5g", sqrt(row->squares / r->forecasts));
		table_cell(table, "%s", row->help);
	}

	if (table_finish(table, err))
		return -1;
	printf("\n%zu values; %.0f%% were inside the %.0f%% intervals of "
	       "the battery\n",
	       values->count, 100 * r->inside / r->forecasts,
	       100 * ERRORS_LEVEL);
	if (values->steps > 1)
		printf("The mean of the next %d: ", values->steps);
	else
		fputs("The next: ", stdout);
	printf("%.5g, between %.5g and %.5g (%s)\n", r->next.value, r->next.low,
	       r->next.high, r->next.method);
	return 0;
}

static void add_number(struct json_object *object, const char *name,
		       double number)
{
	json_object_object_add(object, name,
			       isfinite(number) ? json_object_new_double(number)
						: NULL);
}

static void add_text(struct json_object *object, const char *name,
		     const char *text)
{
	json_object_object_add(object, name, json_object_new_string(text));
}

static int print_json(const struct values *values, const struct comparison *r,
		      struct sp_error *err)
{
	struct json_object *all = json_object_new_object();
	struct json_object *methods = json_object_new_array();
	struct json_object *next = json_object_new_object();

	if (!all || !methods || !next)
		return sp_error_set(err, "out of memory");
	for (int i = 0; i < r->count; i++) {
		const struct method_row *row = &r->rows[i];
		struct json_object *o = json_object_new_object();

		add_text(o, "of", row->group);
		add_text(o, "method", row->name);
		add_number(o, "mae", row->absolute / r->forecasts);
		add_number(o, "rmse", sqrt(row->squares / r->forecasts));
		json_object_array_add(methods, o);
	}
	add_number(next, "value", r->next.value);
	add_number(next, "low", r->next.low);
	add_number(next, "high", r->next.high);
	add_number(next, "error", r->next.error);
	add_text(next, "method", r->next.method);
	json_object_object_add(all, "values",
			       json_object_new_int64((int64_t)values->count));
	json_object_object_add(all, "horizon",
			       json_object_new_int(values->steps));
	add_number(all, "level", ERRORS_LEVEL);
	add_number(all, "inside", r->inside / r->forecasts);
	json_object_object_add(all, "next", next);
	json_object_object_add(all, "methods", methods);
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	json_object_put(all);
	return 0;
}

int main(int argc, char **argv)
{
	struct values values = {
		.count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0,
		.steps = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0,
	};
	bool json = argc == 4 && strcmp(argv[3], "--json") == 0;
	struct comparison result;
	struct sp_error err;

	if (argc != 3 + json || values.steps < 1 ||
	    values.count <= (size_t)values.steps) {
		fprintf(stderr, "usage: forecast-values COUNT STEPS [--json] "
				"<VALUES\n");
		return 2;
	}

	int rc = read_values(&values, &err);

	if (!rc) {
		forecast_series(&values, &result);
		rc = (json ? print_json : print_table)(&values, &result, &err);
	}
	if (rc)
		fprintf(stderr, "forecast-values: %s\n", err.text);
	free(values.of);
	return rc ? 1 : 0;
}
