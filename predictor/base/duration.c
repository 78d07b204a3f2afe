/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.c - time spans as Slurm and people write them
 *
 * Printing: Slurm's form and a brief one in two units.  Parsing: numbers are
 * split at '-' and ':', then each is multiplied by the unit of its place.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/duration.h"

#define MINUTE_S 60.0
#define HOUR_S   3600.0
#define DAY_S    86400.0

/* A longer span is a mistake: Slurm itself ends at a year by default. */
#define PARSED_DAYS_MAX 10000

/* A longer span (30 000 years) is printed as unlimited, which keeps the
 * arithmetic on whole seconds exact. */
#define SHOWN_MAX_S 1e12

static const char *put_word(char ret_text[DURATION_TEXT_SIZE], const char *word)
{
	snprintf(ret_text, DURATION_TEXT_SIZE, "%s", word);
	return ret_text;
}

const char *duration_format(double seconds, char ret_text[DURATION_TEXT_SIZE])
{
	if (!(seconds >= 0))
		return put_word(ret_text, "-");
	if (seconds > SHOWN_MAX_S)
		return put_word(ret_text, "UNLIMITED");

	long long whole = llround(seconds);
	long long days = whole / 86400;
	int rest = (int)(whole % 86400);
	size_t used = 0;

	if (days)
		used = (size_t)snprintf(ret_text, DURATION_TEXT_SIZE, "%lld-",
					days);
	snprintf(ret_text + used, DURATION_TEXT_SIZE - used, "%02d:%02d:%02d",
		 rest / 3600, rest / 60 % 60, rest % 60);
	return ret_text;
}

/* A span below `below_s`, rounded to the minor unit, is printed in these two
 * units. */
static const struct brief {
	double below_s, major_s, minor_s;
	const char *format;
} briefs[] = {
	{ HOUR_S, MINUTE_S, 1, "%.0fm%02.0f" },
	{ DAY_S, HOUR_S, MINUTE_S, "%.0fh%02.0f" },
	{ HUGE_VAL, DAY_S, HOUR_S, "%.0fd %.0fh" },
};

const char *duration_format_brief(double seconds,
				  char ret_text[DURATION_TEXT_SIZE])
{
	const struct brief *row = briefs;

	if (!(seconds >= 0))
		return put_word(ret_text, "-");
	if (seconds > SHOWN_MAX_S)
		return put_word(ret_text, "unlimited");
	/* A span that rounds to 10.0s or 60s takes the next form. */
	if (seconds < 9.95)
		snprintf(ret_text, DURATION_TEXT_SIZE, "%.1fs", seconds);
	else if (seconds < 59.5)
		snprintf(ret_text, DURATION_TEXT_SIZE, "%.0fs", round(seconds));
	if (seconds < 59.5)
		return ret_text;

	double rounded = round(seconds);

	while (rounded >= row->below_s) {
		row++;
		rounded = round(seconds / row->minor_s) * row->minor_s;
	}
	double major = floor(rounded / row->major_s);
	double minor = (rounded - major * row->major_s) / row->minor_s;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(ret_text, DURATION_TEXT_SIZE, row->format, major, minor);
#pragma GCC diagnostic pop
	return ret_text;
}

/* Reads the digits at *text and moves behind them; -1: none, or too many. */
static int read_digits(const char **text, double *ret)
{
	const char *start = *text;
	double value = 0;

	while (**text >= '0' && **text <= '9' && *text - start < 10)
		value = value * 10 + (*(*text)++ - '0');
	if (*text == start || (**text >= '0' && **text <= '9'))
		return -1;
	*ret = value;
	return 0;
}

/* Reads at most `max` numbers separated by ':' up to the end of `text`.
 * Returns their number; -1: bad syntax. */
static int read_numbers(const char *text, int max, double fields[])
{
	int count = 0;

	for (;;) {
		if (count == max || read_digits(&text, &fields[count]) < 0)
			return -1;
		count++;
		if (!*text)
			return count;
		if (*text++ != ':')
			return -1;
	}
}

int duration_parse(const char *text, double *ret_seconds, struct sp_error *err)
{
	/* Seconds in the n-th of `count` fields, without and with days. */
	static const double unit_s[][3] = { { MINUTE_S },
					    { MINUTE_S, 1 },
					    { HOUR_S, MINUTE_S, 1 } };
	static const double unit_after_days_s[] = { HOUR_S, MINUTE_S, 1 };
	double fields[3];
	double seconds = 0;
	const char *rest = text;

	if (!strcasecmp(text, "INFINITE") || !strcasecmp(text, "UNLIMITED")) {
		*ret_seconds = HUGE_VAL;
		return 0;
	}
	if (strchr(text, '-')) {
		if (read_digits(&rest, &seconds) < 0 || *rest++ != '-')
			goto bad;
		seconds *= DAY_S;
	}
	int count = read_numbers(rest, 3, fields);

	if (count < 0)
		goto bad;
	const double *units_s =
		rest == text ? unit_s[count - 1] : unit_after_days_s;

	for (int i = 0; i < count; i++)
		seconds += fields[i] * units_s[i];
	if (seconds > PARSED_DAYS_MAX * DAY_S)
		return sp_error_set(err, "time '%.40s' is above %d days", text,
				    PARSED_DAYS_MAX);
	*ret_seconds = seconds;
	return 0;
bad:
	return sp_error_set(err,
			    "bad time '%.40s': give minutes, M:S, H:M:S, D-H, "
			    "D-H:M, D-H:M:S or UNLIMITED",
			    text);
}
