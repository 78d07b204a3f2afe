/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array_size.c - how many tasks a job array has */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

#include "predictor/features/array_size.h"

#define TASKS_MAX 1000000000L

/* Digits at *at, which moves behind them. */
static bool read_number(const char **at, long *ret)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*ret = strtol(*at, &end, 10);
	*at = end;
	return *ret <= TASKS_MAX;
}

/* "5", "5-7" or "5-7:2"; 0: none of these. */
static long range_size(const char **at)
{
	long first, last, step = 1;

	if (!read_number(at, &first))
		return 0;
	if (**at != '-')
		return 1;
	++*at;
	if (!read_number(at, &last) || last < first)
		return 0;
	if (**at == ':') {
		++*at;
		if (!read_number(at, &step) || step < 1)
			return 0;
	}
	return (last - first) / step + 1;
}

int array_size(const char *text)
{
	long size = 0, at_once;

	for (;; text++) {
		long part = range_size(&text);

		size += part;
		if (!part || size > TASKS_MAX)
			return 0;
		if (*text != ',')
			break;
	}
	if (*text == '%') {
		text++;
		if (!read_number(&text, &at_once))
			return 0;
	}
	return *text ? 0 : (int)size;
}
