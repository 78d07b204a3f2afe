/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_traits.c - texts that are added to traits, and any text read as traits
 *
 * The first byte counts the names and values to add, each up to a NUL; what
 * follows is merged as it is, as it may come from a history.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/parameters.h"
#include "predictor/features/secret.h"
#include "predictor/features/traits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* What the header promises: sorted, each name once, nothing but printable
 * bytes, no secret. */
static void check(const char *traits)
{
	const char *at = traits;
	struct trait before = { .name = NULL }, trait;
	int count = 0;
	size_t used = 0;

	require(strlen(traits) < TRAITS_SIZE);
	for (const char *c = traits; *c; c++)
		require(*c >= 0x20 && *c < 0x7f);
	for (; traits_next(&at, &trait); before = trait, count++) {
		size_t common = before.name_length < trait.name_length
					? before.name_length
					: trait.name_length;
		int order = before.name
				    ? memcmp(before.name, trait.name, common)
				    : -1;

		require(order < 0 ||
			(!order && before.name_length < trait.name_length));
		require(trait.name_length < PARAMETER_NAME_SIZE);
		require(trait.value_length < TRAIT_VALUE_SIZE);
		require(secret_in(trait.name, trait.name_length, trait.value,
				  trait.value_length) == SECRET_NONE);
		used += (count > 0) + trait.name_length + 1 +
			trait.value_length;
	}
	require(count <= TRAITS_MAX && used == strlen(traits));
}

/* The text at *at, which goes on behind its NUL. */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at;
	size_t length = strlen(text);

	*at = text + length < end ? text + length + 1 : end;
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char traits[TRAITS_SIZE] = "", again[TRAITS_SIZE] = "";
	char *text = malloc(size + 1);
	const char *at = text + (size > 0), *end = text + size;

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	for (int i = size ? data[0] % 16 : 0; i; i--) {
		const char *name = next_text(&at, end);
		const char *value = next_text(&at, end);

		traits_add(traits, name, strlen(name), value);
	}
	check(traits);
	traits_merge(again, traits);
	require(!strcmp(traits, again));
	traits_merge(traits, next_text(&at, end));
	check(traits);
	free(text);
	return 0;
}
