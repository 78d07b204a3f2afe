/* moment.c - points in time as people write them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "predictor/cli/moment.h"

/* The end of the year 9999. */
#define MOMENT_MAX_S 253402300799.0

static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "seconds", 1 },      { "minutes", 60 },   { "hours", 3600 },
	{ "days", 86400 },     { "weeks", 604800 }, { "months", 2629800 },
	{ "years", 31557600 }, { NULL, 0 },
};

/* "-30days", behind "now". */
static int parse_ago(const char *text, double *ret_s)
{
	char *end;

	*ret_s = 0;
	if (!*text)
		return 0;
	if (*text != '-' || text[1] < '0' || text[1] > '9')
		return -1;

	double number = strtod(text + 1, &end);
	size_t length = strlen(end);

	/* "day" and "d" are "days", too. */
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

		time_t moment = mktime(&tm);

		if (moment < 0)
			return -1;
		*ret_s = (double)moment;
		return 0;
	}
	return -1;
}

int moment_parse(const char *text, double now_s, double *ret_s,
		 struct sp_error *err)
{
	double moment_s = -1, ago_s;
	size_t digits = strspn(text, "0123456789");

	if (!strncasecmp(text, "now", 3)) {
		if (!parse_ago(text + 3, &ago_s))
			moment_s = now_s - ago_s;
	} else if (digits >= 5 && !text[digits]) {
		moment_s = strtod(text, NULL);
	} else if (parse_date(text, &moment_s)) {
		moment_s = -1;
	}
	if (!(moment_s >= 0 && moment_s <= MOMENT_MAX_S))
		return sp_error_set(err,
				    "bad time '%.40s': give YYYY-MM-DD, "
				    "YYYY-MM-DDTHH:MM:SS or now-30days",
				    text);
	*ret_s = moment_s;
	return 0;
}

const char *moment_format(double moment_s, char ret_text[MOMENT_TEXT_SIZE])
{
	time_t moment = (time_t)moment_s;
	struct tm tm;

	localtime_r(&moment, &tm);
	strftime(ret_text, MOMENT_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	return ret_text;
}
