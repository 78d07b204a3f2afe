/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecast_values.c - compare methods of forecasting on values
 *
 * usage: forecast-values COUNT STEPS <VALUES
 *
 * The part of forecast-series that computes.  Steps: read COUNT values,
 * forecast and score value by value, print errors of all methods and the
 * forecast of the next value; with STEPS > 1 the mean of the next ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/error.h"
#include "predictor/forecast/battery.h"
#include "tests/bench/nws.h"

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

/* Print a line for each method, then one of the battery: fields with
 * tabs between. */
static void print_result(const struct comparison *r)
{
	for (int i = 0; i < r->count; i++) {
		const struct method_row *row = &r->rows[i];

		printf("%s\t%s\t%.17g\t%.17g\t%s\n", row->group, row->name,
		       row->absolute / r->forecasts,
		       sqrt(row->squares / r->forecasts), row->help);
	}
	printf("%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%s\n", ERRORS_LEVEL,
	       r->inside / r->forecasts, r->next.value, r->next.low,
	       r->next.high, r->next.error, r->next.method);
}

int main(int argc, char **argv)
{
	struct values values = {
		.count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0,
		.steps = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0,
	};
	struct comparison result;
	struct sp_error err;

	if (values.steps < 1 || values.count <= (size_t)values.steps) {
		fprintf(stderr, "usage: forecast-values COUNT STEPS <VALUES\n");
		return 2;
	}

	int rc = read_values(&values, &err);

	if (rc) {
		fprintf(stderr, "forecast-values: %s\n", err.text);
	} else {
		forecast_series(&values, &result);
		print_result(&result);
	}
	free(values.of);
	return rc ? 1 : 0;
}
