/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependency.c - on which jobs of the log a job depends
 *
 * "afterok:12:13_4,after:15+10": terms between commas (all) or question
 * marks (any).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/backtest/rehearse/dependency.h"

static const struct {
	const char *name;
	bool on_start;
} kinds[] = {
	{ "after", true },
	{ "afterany", false },
	{ "afterok", false },
	{ "afternotok", false },
	{ "aftercorr", false }, /* a task for its task: here for all of them */
	{ "afterburstbuffer", false },
	{ NULL, false },
};

/* Find a number below 2^32 - 1 at *text, which goes behind it; false: none. */
static bool number_cut(const char **text, uint32_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;

	unsigned long number = strtoul(*text, &end, 10);

	*text = end;
	*ret = (uint32_t)number;
	return number < UINT32_MAX;
}

/* "12", "12_4", "12+10"; a component of a heterogeneous job stands for
 * it all. */
static bool item_read(const char *text, const char *end, bool on_start,
		      struct dependency_item *ret)
{
	*ret = (struct dependency_item){ .task = DEPENDENCY_NO_TASK,
					 .on_start = on_start };
	if (!number_cut(&text, &ret->log_id))
		return false;
	if (*text == '_' && *++text != '*' && !number_cut(&text, &ret->task))
		return false;
	text += *text == '*';
	if (*text == '+' && (text++, !number_cut(&text, &ret->minutes)))
		return false;
	return text == end;
}

static void term_read(const char *term, size_t length, struct dependency *ret)
{
	size_t name = strcspn(term, ":,?"), kind = 0;
	const char *end = term + length;

	while (kinds[kind].name &&
	       (strlen(kinds[kind].name) != name ||
		strncasecmp(kinds[kind].name, term, name) != 0))
		kind++;
	/* "--dependency=12" is an old way to say afterany. */
	if (!kinds[kind].name && isdigit((unsigned char)*term)) {
		kind = 1;
		name = 0;
	} else if (!kinds[kind].name || name == length) {
		ret->left_out += length > 0;
		return;
	}
	for (const char *at = term + name; at < end;) {
		at += *at == ':';

		const char *next = at + strcspn(at, ":,?");

		if (ret->count < DEPENDENCY_MAX &&
		    item_read(at, next, kinds[kind].on_start,
			      &ret->of[ret->count]))
			ret->count++;
		else
			ret->left_out++;
		at = next;
	}
}

void dependency_read(const char *text, struct dependency *ret)
{
	*ret = (struct dependency){ .any = strchr(text, '?') != NULL };
	while (*text) {
		size_t length = strcspn(text, ",?");

		term_read(text, length, ret);
		text += length + (text[length] != '\0');
	}
}
