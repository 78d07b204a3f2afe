/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecast_series.c - compare methods of forecasting on a series of numbers
 *
 * usage: forecast-series [--column=COLUMN] [--horizon=NUMBER] [--json] [FILE]
 *
 * Each method forecasts every value from those before it: the battery that
 * predictd uses, its members, and the methods of the Network Weather Service.
 * Steps: read the column, forecast and score value by value, print errors of
 * all methods and the forecast of the next value.  A column is a number from 1
 * or a name in the first line, by default the last one; with a horizon the mean
 * of the next NUMBER values is forecast.  The file may be compressed; text
 * after a '#' is ignored.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "predictor/cli/table.h"
#include "predictor/forecast/battery.h"
#include "contrib/forecast/nws.h"
#include "predictor/logs/log_stream.h"

#define VALUES_MAX  50000000
#define HORIZON_MAX 1080 /* as far as a battery's ladder reaches */
#define SEPARATORS  " \t,;"

struct forecast_request {
	const char *file;   /* "-": the standard input */
	const char *column; /* a number from 1, or a name; NULL: the last */
	bool json;

	int steps;  /* of the horizon */
	int number; /* of the column; 0: the last, or not known yet */
};

/* --- The series -------------------------------------------------------- */

struct values {
	float *of;
	size_t count, room;
};

static int values_add(struct values *v, double value, struct sp_error *err)
{
	if (v->count == VALUES_MAX)
		return sp_error_set(err, "more than %d values", VALUES_MAX);
	if (v->count == v->room) {
		size_t room = v->room ? 2 * v->room : 4096;
		float *of = realloc(v->of, room * sizeof(*of));

		if (!of)
			return sp_error_set(err, "out of memory");
		v->of = of;
		v->room = room;
	}
	v->of[v->count++] = (float)value;
	return 0;
}

/* Return the next field of *rest, which is cut up; NULL: there is none. */
static char *next_field(char **rest, const char *separator)
{
	char *f;

	do
		f = strsep(rest, separator);
	while (f && *separator == ' ' && !*f);
	if (f)
		f += strspn(f, " ");
	return f;
}

/* Commas, semicolons or tabs if there are any, else blanks. */
static const char *find_separator(const char *line)
{
	static const char *const separators[] = { ",", ";", "\t", NULL };

	for (int i = 0; separators[i]; i++)
		if (strchr(line, *separators[i]))
			return separators[i];
	return " ";
}

/* Column `number` of a line, or the last; NULL: there is none. */
static char *find_field(char *line, int number)
{
	const char *separator = find_separator(line);
	char *found = NULL;
	int n = 0;

	for (char *f; (f = next_field(&line, separator));) {
		found = f;
		if (++n == number)
			return f;
	}
	return number ? NULL : found;
}

static int find_column(const struct forecast_request *request, char *header,
		       int *ret, struct sp_error *err)
{
	const char *separator = find_separator(header);
	int n = 0;

	for (char *f; (f = next_field(&header, separator));) {
		n++;
		if (strcmp(f, request->column) == 0) {
			*ret = n;
			return 0;
		}
	}
	return sp_error_set(err, "%s: no column %s in its first line",
			    request->file, request->column);
}

static bool parse_value(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	end += strspn(end, " ");
	return end != text && !*end && isfinite(*ret) && fabs(*ret) < 1e38;
}

/* A line of the series.  The first may be a header. */
static int read_line(struct forecast_request *request, char *line,
		     size_t number, struct values *values, struct sp_error *err)
{
	size_t length = strcspn(line, "\r#");

	while (length > 0 && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
	if (length == 0)
		return 0;
	if (values->count == 0 && request->column && !request->number)
		return find_column(request, line, &request->number, err);

	char *text = find_field(line, request->number);
	double value;

	if (!text)
		return sp_error_set(err, "%s: line %zu: no column %d",
				    request->file, number, request->number);
	if (parse_value(text, &value))
		return values_add(values, value, err);
	if (number == 1)
		return 0;
	return sp_error_set(err, "%s: line %zu: not a number: %.40s",
			    request->file, number, text);
}

static int read_series(struct forecast_request *request, struct values *values,
		       struct sp_error *err)
{
	struct log_stream *stream = log_stream_open(request->file, err);
	char *line;
	size_t length, number = 0;
	int rc = 0;

	if (!stream)
		return -1;
	while (!rc) {
		rc = log_stream_line(stream, &line, &length, err);
		number++;
		if (rc == LOG_STREAM_END)
			break;
		if (rc == LOG_STREAM_TOO_LONG)
			rc = sp_error_set(err, "%s: line %zu is too long",
					  request->file, number);
		else if (rc == LOG_STREAM_LINE)
			rc = read_line(request, line, number, values, err);
	}
	log_stream_close(stream);
	if (!rc && values->count < (size_t)request->steps + 1)
		rc = sp_error_set(err, "%s: %zu values; at least %d are needed",
				  request->file, values->count,
				  request->steps + 1);
	return rc;
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

static void forecast_series(const struct values *values, int steps,
			    struct comparison *r)
{
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

static int print_table(const struct forecast_request *request,
		       const struct values *values, const struct comparison *r,
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

	int rc = table_print(table, stdout, err);

	table_destroy(table);
	if (rc)
		return -1;
	printf("\n%zu values; %.0f%% were inside the %.0f%% intervals of "
	       "the battery\n",
	       values->count, 100 * r->inside / r->forecasts,
	       100 * ERRORS_LEVEL);
	if (request->steps > 1)
		printf("The mean of the next %d: ", request->steps);
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

static int print_json(const struct forecast_request *request,
		      const struct values *values, const struct comparison *r,
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
			       json_object_new_int(request->steps));
	add_number(all, "level", ERRORS_LEVEL);
	add_number(all, "inside", r->inside / r->forecasts);
	json_object_object_add(all, "next", next);
	json_object_object_add(all, "methods", methods);
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	json_object_put(all);
	return 0;
}

/* --- The command line ---------------------------------------------------- */

static int parse_number(const char *option, const char *text, int most,
			int *ret, struct sp_error *err)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end == text || *end || number < 1 || number > most)
		return sp_error_set(err, "--%s=%s: not a number from 1 to %d",
				    option, text, most);
	*ret = (int)number;
	return 0;
}

/* Return 0, or the status to exit with. */
static int options_parse(int argc, char **argv, struct forecast_request *r,
			 struct sp_error *err)
{
	static const struct option options[] = {
		{ "column", required_argument, NULL, 'c' },
		{ "horizon", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	int c, rc = 0;

	while (!rc && (c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'c')
			r->column = optarg;
		else if (c == 'n')
			rc = parse_number("horizon", optarg, HORIZON_MAX,
					  &r->steps, err);
		else if (c == 'j')
			r->json = true;
		else
			rc = sp_error_set(err, "see the head of its source");
	}
	if (!rc && r->column &&
	    strspn(r->column, "0123456789") == strlen(r->column))
		rc = parse_number("column", r->column, 10000, &r->number, err);
	if (optind < argc)
		r->file = argv[optind];
	return rc;
}

int main(int argc, char **argv)
{
	struct forecast_request request = { .file = "-", .steps = 1 };
	struct values values = { .of = NULL };
	struct comparison result;
	struct sp_error err;
	int status = options_parse(argc, argv, &request, &err) ? 2 : 0;

	if (!status && read_series(&request, &values, &err))
		status = 1;
	if (!status) {
		forecast_series(&values, request.steps, &result);
		status = (request.json ? print_json : print_table)(
				 &request, &values, &result, &err)
				 ? 1
				 : 0;
	}
	if (status)
		fprintf(stderr, "forecast-series: %s\n", err.text);
	free(values.of);
	return status;
}
