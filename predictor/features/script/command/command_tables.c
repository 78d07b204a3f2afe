/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_tables.c - find names in the tables of commands
 *
 * Open addressing; a name of several kinds has several entries.
 */
#include <assert.h>
#include <string.h>

#include "predictor/features/script/command/command_tables.h"

#define ENTRIES_SIZE 2048 /* a power of 2, more than twice the entries */

struct table_entry {
	const char *name; /* NULL: free */
	size_t length;
	enum command_kind kind;
	const void *row;
};

static struct table_entry entries[ENTRIES_SIZE];

/* FNV-1a. */
static uint32_t name_hash(const char *name, size_t length)
{
	uint32_t value = 2166136261u;

	for (size_t i = 0; i < length; i++)
		value = (value ^ (unsigned char)name[i]) * 16777619u;
	return value ^ value >> 15;
}

static void entry_add(const char *name, size_t length, enum command_kind kind,
		      const void *row)
{
	static size_t count;
	uint32_t at = name_hash(name, length);

	count++;
	assert(count < ENTRIES_SIZE / 2);
	while (entries[at % ENTRIES_SIZE].name)
		at++;
	entries[at % ENTRIES_SIZE] =
		(struct table_entry){ name, length, kind, row };
}

/* All words of a list. */
static void entries_add(const char *names, enum command_kind kind,
			const void *row)
{
	for (const char *at = names; *(at += strspn(at, " "));) {
		size_t length = strcspn(at, " ");

		entry_add(at, length, kind, row);
		at += length;
	}
}

/* Once, before any thread reads. */
__attribute__((constructor)) static void entries_fill(void)
{
	for (const struct wrapper *w = wrappers; w->name; w++)
		entries_add(w->name, KIND_WRAPPER, w);
	for (const struct interpreter *i = interpreters; i->name; i++)
		entries_add(i->name, KIND_INTERPRETER, i);
	for (const struct program *p = programs; p->name; p++)
		entries_add(p->name, KIND_PROGRAM, p);
	for (const struct command_words *l = command_words; l->words; l++)
		entries_add(l->words, l->kind, NULL);
}

bool command_tables_find(const char *name, size_t length,
			 enum command_kind kind, const void **ret_row)
{
	uint32_t at = name_hash(name, length);

	for (; entries[at % ENTRIES_SIZE].name; at++) {
		const struct table_entry *entry = &entries[at % ENTRIES_SIZE];

		if (entry->kind != kind || entry->length != length ||
		    memcmp(entry->name, name, length))
			continue;
		if (ret_row)
			*ret_row = entry->row;
		return true;
	}
	return false;
}

bool command_tables_list(const char *list, const char *word)
{
	size_t length = strlen(word);

	if (!list || !length || strchr(word, ' '))
		return false;
	for (const char *at = list; (at = strstr(at, word)); at++)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

bool command_tables_option(const char *list, const char *option)
{
	size_t dashes = strspn(option, "-+");

	return dashes && command_tables_list(list, option + dashes);
}
