/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_hostlist.c - node lists and time spans
 *
 * A list that was compressed expands to the same names, sorted and once each.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/base/hostlist.h"

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void sort_unique(struct hostlist *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->names, list->count, sizeof(*list->names), compare);
	for (size_t i = 0; i < list->count; i++)
		if (!kept || strcmp(list->names[kept - 1], list->names[i]))
			memmove(list->names[kept++], list->names[i],
				sizeof(*list->names));
	list->count = kept;
}

static void check_hostlist(const char *text)
{
	struct hostlist list, back;
	size_t room;

	if (hostlist_expand(text, &list, NULL) < 0)
		return;
	room = (list.count + 1) * HOSTLIST_NAME_SIZE;

	char *short_form = malloc(room);
	char tiny[8];

	assert(short_form);
	hostlist_compress(&list, tiny, sizeof(tiny));
	assert(strlen(tiny) < sizeof(tiny));
	hostlist_compress(&list, short_form, room);

	int rc = hostlist_expand(short_form, &back, NULL);

	assert(!rc);
	sort_unique(&list);
	sort_unique(&back);
	assert(list.count == back.count);
	for (size_t i = 0; i < list.count; i++)
		assert(!strcmp(list.names[i], back.names[i]));
	hostlist_clear(&list);
	hostlist_clear(&back);
	free(short_form);
}

static void check_duration(const char *text)
{
	char shown[DURATION_TEXT_SIZE];
	double seconds, back;

	if (duration_parse(text, &seconds, NULL) < 0)
		return;
	assert(seconds >= 0);
	assert(duration_format_brief(seconds, shown)[0]);
	if (!duration_parse(duration_format(seconds, shown), &back, NULL))
		assert(back == seconds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_hostlist(text);
	check_duration(text);
	free(text);
	return 0;
}
