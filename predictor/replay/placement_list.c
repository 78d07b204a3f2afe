/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_list.c - which ranks are on which node, as text */
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/placement_list.h"
#include "predictor/trace/matched_trace.h"

/* To the comma that ends the first element, or to the end. */
static size_t element_length(const char *text)
{
	size_t i = 0;

	for (int inside = 0; text[i] && (inside || text[i] != ','); i++)
		inside += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
	return i;
}

/* "n[1-2]:3" to its nodes and its count. */
static int parse_element(char *element, struct hostlist *ret_names,
			 int *ret_count, struct sp_error *err)
{
	char *colon = strrchr(element, ':');
	long count = 1;

	if (colon) {
		char *end;

		*colon = '\0';
		count = strtol(colon + 1, &end, 10);
		if (end == colon + 1 || *end || count < 1 ||
		    count > TRACE_RANKS_MAX)
			return sp_error_set(err,
					    "%.60s: not 1 to %d ranks, but "
					    "%.60s",
					    element, TRACE_RANKS_MAX,
					    colon + 1);
	}
	*ret_count = (int)count;
	return hostlist_expand(element, ret_names, err);
}

/* The nodes of an element to the list. */
static int append(struct placement_list *list, const struct hostlist *names,
		  int count, struct sp_error *err)
{
	size_t total = list->names.count + names->count;
	void *more = realloc(list->names.names,
			     (total + 1) * sizeof(*list->names.names));

	if (more)
		list->names.names = more;

	int *counts = realloc(list->counts, (total + 1) * sizeof(*counts));

	if (counts)
		list->counts = counts;
	if (!more || !counts)
		return sp_error_set(err, "out of memory for a placement");
	for (size_t i = 0; i < names->count; i++) {
		if (list->ranks > TRACE_RANKS_MAX - count)
			return sp_error_set(err, "more than %d ranks",
					    TRACE_RANKS_MAX);
		memcpy(list->names.names[list->names.count], names->names[i],
		       HOSTLIST_NAME_SIZE);
		list->counts[list->names.count++] = count;
		list->ranks += count;
	}
	return 0;
}

int placement_list_parse(const char *text, struct placement_list *ret,
			 struct sp_error *err)
{
	struct placement_list list = { 0 };
	char *copy = strdup(text);
	char *at = copy;
	int rc = copy ? 0 : sp_error_set(err, "out of memory for a placement");

	while (!rc && *at) {
		struct hostlist names = { 0 };
		size_t length = element_length(at);
		bool last = !at[length];
		int count;

		at[length] = '\0';
		rc = parse_element(at, &names, &count, err);
		if (!rc)
			rc = append(&list, &names, count, err);
		hostlist_clear(&names);
		at += length + !last;
	}
	if (!rc && !list.ranks)
		rc = sp_error_set(err, "a placement without nodes");
	free(copy);
	if (rc)
		placement_list_clear(&list);
	else
		*ret = list;
	return rc;
}

void placement_list_clear(struct placement_list *list)
{
	hostlist_clear(&list->names);
	free(list->counts);
	*list = (struct placement_list){ 0 };
}

void placement_write_hostfile(FILE *file, const char *const names[], int ranks)
{
	for (int r = 0; r < ranks; r++)
		fprintf(file, "%s\n", names[r]);
}

void placement_write_rankfile(FILE *file, const char *const names[], int ranks)
{
	for (int r = 0; r < ranks; r++) {
		int slot = 0;

		for (int i = 0; i < r; i++)
			slot += !strcmp(names[i], names[r]);
		fprintf(file, "rank %d=%s slot=%d\n", r, names[r], slot);
	}
}
