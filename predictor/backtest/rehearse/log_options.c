/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_options.c - options of rehearse's programs, as tables */
#include <getopt.h>
#include <stdlib.h>

#include "predictor/backtest/rehearse/log_options.h"

#define ROWS_MAX 32 /* less than '?', which getopt_long() returns */

static void member_set(const struct option_row *row, const char *text,
		       void *member)
{
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		break;
	case OPTION_TEXT:
		*(const char **)member = text;
		break;
	case OPTION_COUNT:
		*(uint32_t *)member = (uint32_t)strtoul(text, NULL, 10);
		break;
	case OPTION_NUMBER:
		*(double *)member = row->factor * strtod(text, NULL);
		break;
	case OPTION_LOG:
		((struct log_options *)member)->format = row->name;
		((struct log_options *)member)->path = text;
		break;
	}
}

bool options_read(const struct option_row rows[], int argc, char **argv,
		  void *into)
{
	struct option known[ROWS_MAX + 1] = { { 0 } };

	for (int i = 0; i < ROWS_MAX && rows[i].name; i++)
		known[i] =
			(struct option){ rows[i].name,
					 rows[i].kind != OPTION_FLAG, NULL, i };
	for (int i; (i = getopt_long(argc, argv, "", known, NULL)) != -1;) {
		if (i == '?')
			return false;
		member_set(&rows[i], optarg, (char *)into + rows[i].offset);
	}
	return true;
}
