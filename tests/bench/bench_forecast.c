/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_forecast.c - how good forecasts of resources are, and how fast
 *
 * usage: bench-forecast FOLDER...
 *
 * Reads each FOLDER/NAME.series, one series of numbers a line, and forecasts
 * each value from those before it: by the battery, by the Network Weather
 * Service's and by the last value.  Over longer horizons the mean of the values
 * is forecast; the others then hold what they say of the next.
 *
 * Errors are absolute, and means are over all forecasts of a set.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/forecast/battery.h"
#include "tests/bench/nws.h"

#define SETS_MAX 32
#define HORIZONS 4

static const struct {
	int steps;
	const char *name; /* in a bar */
} horizons[HORIZONS] = {
	{ 1, "" },
	{ 5, "_h5" },
	{ 30, "_h30" },
	{ 120, "_h120" },
};

/* The reference errors of the Network Weather Service's battery: absolute, and
 * the root of the mean square. */
static const struct {
	const char *set;
	double mae, rmse;
} references[] = {
	{ "planetlab", 4.789, 9.121 },       { "nab-cpu", 3.194, 9.786 },
	{ "nab-network", 2.752e5, 3.251e6 }, { "nab-disk", 1.195e7, 5.986e7 },
	{ "nab-requests", 40.43, 54.64 },    { "hsdpa", 0.2468, 0.4237 },
	{ "seattle", 0.04439, 0.3178 },
};

struct set {
	char name[64];
	struct judged {
		double ours, nws, last; /* sums of absolute errors */
		double count;
		/* Within intervals: plainly, and of the next value as
		 * battery_covered() reports. */
		double inside, covered;
	} at[HORIZONS];
	double nws_squares;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct speed {
	double updates, updates_s;
	double nws_s;
};

static void judge(const struct battery *b, double nws, double last, int h,
		  double came, struct judged *j)
{
	struct battery_forecast f;

	if (battery_forecast(b, b->time_s, horizons[h].steps, ERRORS_LEVEL, &f))
		return;
	j->ours += fabs(came - f.value);
	j->nws += fabs(came - nws);
	j->last += fabs(came - last);
	j->inside += came >= f.low && came <= f.high;
	j->covered +=
		h ? came >= f.low && came <= f.high : battery_covered(b, came);
	j->count++;
}

static void forecast_all(struct set *set, const double *values, int count)
{
	static struct battery b;
	static struct nws nws;

	battery_init(&b, -HUGE_VAL, HUGE_VAL);
	memset(&nws, 0, sizeof(nws));
	for (int t = 0; t < count; t++) {
		for (int h = 0; t && h < HORIZONS; h++) {
			int steps = horizons[h].steps;
			double came = 0;

			if (t + steps > count)
				continue;
			for (int i = 0; i < steps; i++)
				came += values[t + i] / steps;
			judge(&b, nws_forecast(&nws, NWS_ABSOLUTE, NULL),
			      values[t - 1], h, came, &set->at[h]);
		}
		if (t) {
			double error = values[t] -
				       nws_forecast(&nws, NWS_SQUARED, NULL);

			set->nws_squares += error * error;
		}
		battery_update(&b, t, values[t]);
		nws_update(&nws, values[t]);
	}
}

/* Once more without looking. */
static void time_all(const double *values, int count, struct speed *speed)
{
	static struct battery b;
	static struct nws nws;
	double begin = seconds();

	battery_init(&b, -HUGE_VAL, HUGE_VAL);
	for (int t = 0; t < count; t++)
		battery_update(&b, t, values[t]);

	double middle = seconds();

	memset(&nws, 0, sizeof(nws));
	for (int t = 0; t < count; t++)
		nws_update(&nws, values[t]);
	speed->nws_s += seconds() - middle;
	speed->updates_s += middle - begin;
	speed->updates += count;
}

/* --- Reading ------------------------------------------------------------- */

static int parse_line(char *line, double **values, size_t *room)
{
	int count = 0;

	for (char *at = line, *end;; at = end) {
		double value = strtod(at, &end);

		if (end == at)
			return count;
		if ((size_t)count == *room) {
			*room = *room ? 2 * *room : 1024;
			*values = realloc(*values, *room * sizeof(**values));
			if (!*values)
				abort();
		}
		/* As forecasters keep them: what repeats is equal. */
		(*values)[count++] = (double)(float)value;
	}
}

static int read_set(const char *folder, const char *name, struct set *ret,
		    struct speed *speed)
{
	char path[4096], *line = NULL;
	size_t size = 0, room = 0;
	double *values = NULL;

	snprintf(path, sizeof(path), "%s/%s", folder, name);

	FILE *file = fopen(path, "re");

	if (!file) {
		fprintf(stderr, "bench-forecast: %s: %s\n", path,
			strerror(errno));
		return -1;
	}
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)strcspn(name, "."),
		 name);
	while (getline(&line, &size, file) > 0) {
		int count = parse_line(line, &values, &room);

		forecast_all(ret, values, count);
		time_all(values, count, speed);
	}
	free(line);
	free(values);
	fclose(file);
	return 0;
}

static int is_set(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 7 && !strcmp(entry->d_name + length - 7, ".series");
}

/* --- What it comes to ---------------------------------------------------- */

static void print_horizon(const struct set *sets, int count, int h)
{
	double product = 0, worst = 0, least = 1, most = 0;

	printf("\nMean of the next %d: mean absolute error\n"
	       "%-14s %11s %11s %11s %8s %8s %8s\n",
	       horizons[h].steps, "set", "ours", "NWS", "last value",
	       "ours/NWS", "covered", "inside");
	for (int i = 0; i < count; i++) {
		const struct judged *j = &sets[i].at[h];
		double ratio = j->ours / j->nws;
		double covered = 100 * j->covered / j->count;

		printf("%-14s %11.5g %11.5g %11.5g %8.3f %7.1f%% %7.1f%%\n",
		       sets[i].name, j->ours / j->count, j->nws / j->count,
		       j->last / j->count, ratio, covered,
		       100 * j->inside / j->count);
		product += log(ratio);
		worst = fmax(worst, ratio);
		least = i ? fmin(least, covered) : covered;
		most = fmax(most, covered);
	}
	printf("bar forecast_vs_nws%s %.4f\n", horizons[h].name,
	       exp(product / count));
	printf("bar forecast_worst_set%s %.4f\n", horizons[h].name, worst);
	printf("bar forecast_coverage_min%s %.1f\n", horizons[h].name, least);
	printf("bar forecast_coverage_max%s %.1f\n", horizons[h].name, most);
}

static void print_references(const struct set *sets, int count)
{
	double worst = 0;
	int found = 0;

	for (int i = 0; i < count; i++) {
		const struct judged *j = &sets[i].at[0];

		for (size_t r = 0;
		     r < sizeof(references) / sizeof(references[0]); r++) {
			if (strcmp(references[r].set, sets[i].name) != 0)
				continue;

			double mae = j->nws / j->count / references[r].mae;
			double rmse = sqrt(sets[i].nws_squares / j->count) /
				      references[r].rmse;

			if (!found++)
				puts("\nNWS against its reference");
			printf("%-14s MAE %+.2f%%  RMSE %+.2f%%\n",
			       sets[i].name, 100 * (mae - 1), 100 * (rmse - 1));
			worst = fmax(worst, fabs(mae - 1));
			worst = fmax(worst, fabs(rmse - 1));
		}
	}
	if (found)
		printf("bar nws_reproduced_pct %.2f\n", 100 * worst);
}

static int read_folder(const char *folder, struct set *sets, int *count,
		       struct speed *speed)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_set, alphasort);
	int rc = 0;

	if (n < 0) {
		fprintf(stderr, "bench-forecast: %s: %s\n", folder,
			strerror(errno));
		return -1;
	}
	for (int i = 0; i < n; i++) {
		if (!rc && *count < SETS_MAX)
			rc = read_set(folder, entries[i]->d_name,
				      &sets[(*count)++], speed);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

int main(int argc, char **argv)
{
	static struct set sets[SETS_MAX];
	struct speed speed = { 0 };
	int count = 0;

	for (int i = 1; i < argc; i++)
		if (read_folder(argv[i], sets, &count, &speed))
			return 1;
	if (!count) {
		fputs("bench-forecast: no FOLDER/*.series\n", stderr);
		return 1;
	}
	for (int h = 0; h < HORIZONS; h++)
		print_horizon(sets, count, h);
	print_references(sets, count);
	printf("\n%.0f updates, processor time: battery %.2f us each, NWS "
	       "%.2f us; a battery takes %zu bytes\n",
	       speed.updates, 1e6 * speed.updates_s / speed.updates,
	       1e6 * speed.nws_s / speed.updates, sizeof(struct battery));
	printf("bar forecast_updates_per_s %.0f\n",
	       speed.updates / (speed.updates_s + speed.nws_s));
	printf("bar forecast_battery_updates_per_s %.0f\n",
	       speed.updates / speed.updates_s);
	printf("bar forecast_bytes_per_series %zu\n", sizeof(struct battery));
	return 0;
}
