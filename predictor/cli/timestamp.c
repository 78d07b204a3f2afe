/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timestamp.c - times of day as people write them */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "predictor/cli/timestamp.h"

/* The end of the year 9999. */
#define TIMESTAMP_MAX_S 253402300799.0

static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "seconds", 1 },      { "minutes", 60 },   { "hours", 3600 },
	{ "days", 86400 },     { "weeks", 604800 }, { "months", 2629800 },
	{ "years", 31557600 }, { NULL, 0 },
};

/* "-30days", after "now". */
static int parse_offset(const char *text, double *ret_s)
{
	char *end;

	*ret_s = 0;
	if (!*text)
		return 0;
	if (*text != '-' || text[1] < '0' || text[1] > '9')
		return -1;

	double number = strtod(text + 1, &end);
	size_t length = strlen(end);

	/* Abbreviations are allowed: "day", "d". */
	for (int i = 0; length > 0 && units[i].name; i++)
		if (!strncasecmp(end, units[i].name, length)) {
			*ret_s = number * units[i].seconds;
			return 0;
		}
	return -1;
}

static int parse_date(const char *text, double *ret_s)
{
	static const char *const forms[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%M",
					     "%Y-%m-%dT%H:%M:%S",
					     "%Y-%m-%d %H:%M:%S", NULL };

	for (int i = 0; forms[i]; i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);

		if (!end || *end)
			continue;
		tm.tm_isdst = -1;

		time_t timestamp = mktime(&tm);

		if (timestamp < 0)
			return -1;
		*ret_s = (double)timestamp;
		return 0;
	}
	return -1;
}

int timestamp_parse(const char *text, double now_s, double *ret_s,
		    struct sp_error *err)
{
	double time_s = -1, ago_s;
	size_t digits = strspn(text, "0123456789");

	if (!strncasecmp(text, "now", 3)) {
		if (!parse_offset(text + 3, &ago_s))
			time_s = now_s - ago_s;
	} else if (digits >= 5 && !text[digits]) {
		time_s = strtod(text, NULL);
	} else if (parse_date(text, &time_s)) {
		time_s = -1;
	}
	if (!(time_s >= 0 && time_s <= TIMESTAMP_MAX_S))
		return sp_error_set(err,
				    "bad time '%.40s': give YYYY-MM-DD, "
				    "YYYY-MM-DDTHH:MM:SS or now-30days",
				    text);
	*ret_s = time_s;
	return 0;
}

int timestamp_parse_range(const char *since, const char *until, double now_s,
			  double *ret_since_s, double *ret_until_s,
			  struct sp_error *err)
{
	double since_s = NAN, until_s = NAN;

	if (since && timestamp_parse(since, now_s, &since_s, err))
		return -1;
	if (until && timestamp_parse(until, now_s, &until_s, err))
		return -1;
	if (since_s >= until_s)
		return sp_error_set(err, "--since is not before --until");
	*ret_since_s = since_s;
	*ret_until_s = until_s;
	return 0;
}

const char *timestamp_format(double time_s, char ret_text[TIMESTAMP_TEXT_SIZE])
{
	/* Numbers beyond the range of time_t must not be converted. */
	bool known = fabs(time_s) <= TIMESTAMP_MAX_S;
	time_t timestamp = known ? (time_t)time_s : 0;
	struct tm tm;

	if (!known || !localtime_r(&timestamp, &tm) ||
	    !strftime(ret_text, TIMESTAMP_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(ret_text, "-");
	return ret_text;
}

const char *timestamp_format_near(double time_s, double now_s,
				  char ret_text[TIMESTAMP_TEXT_SIZE])
{
	static const struct {
		double within_s;
		const char *form;
	} forms[] = { { 12 * 3600, "%H:%M" },
		      { 6 * 86400, "%a %H:%M" },
		      { 300 * 86400.0, "%d %b" },
		      { HUGE_VAL, "%Y-%m-%d" } };
	bool known = fabs(time_s) <= TIMESTAMP_MAX_S;
	time_t timestamp = known ? (time_t)time_s : 0;
	struct tm tm;
	int i = 0;

	strcpy(ret_text, "-");
	if (!known || !localtime_r(&timestamp, &tm))
		return ret_text;
	while (fabs(time_s - now_s) >= forms[i].within_s)
		i++;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	strftime(ret_text, TIMESTAMP_TEXT_SIZE, forms[i].form, &tm);
#pragma GCC diagnostic pop
	return ret_text;
}
