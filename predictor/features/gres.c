/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - generic resources (GPUs and the like), as Slurm's texts have them
 *
 * A text is split into entries, each entry into name, type and count, and
 * entered in order into a list without duplicates.  Sums of types that stand
 * beside the types are dropped at the end.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/piece.h"
#include "predictor/features/gres.h"

#define COUNT_MAX ((uint64_t)1 << 40)

/* --- An entry of a text --------------------------------------------------- */

/* "2", "4K": with Slurm's suffixes.  -1: no count. */
static int count_parse(const char *text, size_t length, uint64_t *ret)
{
	static const char units[] = "KMGTP";
	char *end;
	const char *unit = NULL;

	if (!length || !isdigit((unsigned char)*text))
		return -1;

	uint64_t count = strtoull(text, &end, 10);

	if ((size_t)(end - text) + 1 == length)
		unit = strchr(units, toupper((unsigned char)*end));
	if (end + (unit != NULL) != text + length)
		return -1;
	for (const char *u = units; unit && u <= unit; u++)
		count *= 1024;
	*ret = count < COUNT_MAX ? count : COUNT_MAX;
	return 0;
}

static int word_copy(const char *text, size_t length, char ret[GRES_NAME_SIZE])
{
	return length && piece_copy(ret, GRES_NAME_SIZE, text, length) ? 0 : -1;
}

/* "gpu", "gpu:2", "gpu:a100", "gpu:a100:2", with '=' before the count in a list
 * of TRES. */
static int entry_parse(const char *text, size_t length, struct gres *ret)
{
	bool named = length > 4 && !strncasecmp(text, "gres", 4) &&
		     (text[4] == ':' || text[4] == '/');

	*ret = (struct gres){ .count = 1 };
	if (named) {
		text += 5;
		length -= 5;
	}
	for (int part = 0; length; part++) {
		size_t word = 0;

		while (word < length && !strchr(":=/(", text[word]))
			word++;

		char stop = word < length ? text[word] : '\0';

		/* Other TRES: "mem=4G", "license/matlab=1". */
		if (!named && (stop == '=' || stop == '/'))
			return -1;
		if (part == 0 ? word_copy(text, word, ret->name)
			      : count_parse(text, word, &ret->count) &&
					(part > 1 ||
					 word_copy(text, word, ret->type)))
			return -1;
		/* "(IDX:0-1)": which ones a job got. */
		if (stop == '(')
			break;
		word += stop != '\0';
		text += word;
		length -= word;
	}
	return *ret->name && ret->count ? 0 : -1;
}

/* --- Lists ---------------------------------------------------------------- */

static int compare_entries(const struct gres *a, const struct gres *b)
{
	int names = strcmp(a->name, b->name);

	return names ? names : strcmp(a->type, b->type);
}

static void entry_add(struct gres_list *list, const struct gres *entry)
{
	int at = 0;

	while (at < list->count && compare_entries(&list->of[at], entry) < 0)
		at++;
	if (at < list->count && !compare_entries(&list->of[at], entry)) {
		list->of[at].count += entry->count;
		return;
	}
	if (list->count == GRES_MAX)
		return;
	memmove(&list->of[at + 1], &list->of[at],
		(size_t)(list->count - at) * sizeof(*entry));
	list->of[at] = *entry;
	list->count++;
}

/* Drop the count of all types where those of each type make it up.  An entry
 * without type stands before those with one. */
static void drop_sums(struct gres_list *list)
{
	int kept = 0;

	for (int i = 0; i < list->count; i++) {
		const struct gres *entry = &list->of[i];
		uint64_t typed = 0;

		for (int j = i + 1; !*entry->type && j < list->count; j++)
			if (!strcmp(list->of[j].name, entry->name))
				typed += list->of[j].count;
		if (typed != entry->count)
			list->of[kept++] = *entry;
	}
	list->count = kept;
}

void gres_list_add(struct gres_list *list, const char *text, uint64_t times)
{
	struct gres_list added = { .count = 0 };

	while (text && *text) {
		size_t length = strcspn(text, ",");
		struct gres entry;

		if (!entry_parse(text, length, &entry))
			entry_add(&added, &entry);
		text += length + (text[length] == ',');
	}
	drop_sums(&added);
	for (int i = 0; i < added.count; i++) {
		added.of[i].count *= times;
		entry_add(list, &added.of[i]);
	}
}

void gres_list_print(const struct gres_list *list, char *ret, size_t size)
{
	size_t used = 0;

	ret[0] = '\0';
	for (int i = 0; i < list->count; i++) {
		const struct gres *e = &list->of[i];
		int length =
			snprintf(ret + used, size - used, "%s%s%s%s:%llu",
				 i ? "," : "", e->name, *e->type ? ":" : "",
				 e->type, (unsigned long long)e->count);

		if (length < 0 || (size_t)length >= size - used) {
			ret[used] = '\0';
			return;
		}
		used += (size_t)length;
	}
}

/* --- Requests of jobs ----------------------------------------------------- */

void gres_request_total(const struct gres_request *request, uint32_t nodes,
			uint32_t tasks, char *ret, size_t size)
{
	struct gres_list list = { .count = 0 };

	gres_list_add(&list, request->per_node, nodes);
	gres_list_add(&list, request->per_socket, nodes);
	gres_list_add(&list, request->per_task, tasks);
	gres_list_add(&list, request->per_job, 1);
	gres_list_print(&list, ret, size);
}

void gres_request_on_node(const struct gres_request *request, uint32_t tasks,
			  struct gres_list *ret)
{
	struct gres_list any = { .count = 0 };

	*ret = (struct gres_list){ .count = 0 };
	gres_list_add(ret, request->per_node, 1);
	gres_list_add(ret, request->per_socket, 1);
	gres_list_add(ret, request->per_task, tasks);
	gres_list_add(&any, request->per_job, 1);
	for (int i = 0; i < any.count; i++) {
		any.of[i].count = 1;
		entry_add(ret, &any.of[i]);
	}
}
