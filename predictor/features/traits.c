/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traits.c - the texts that a user gave to an application */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/parameters.h"
#include "predictor/features/secret.h"
#include "predictor/features/traits.h"

/* Bytes of a value in which secrets are looked for. */
#define VALUE_READ 1024

/* A longer trait, which we never stored, is cut. */
#define OPTION_SIZE 1024

bool traits_next(const char **at, struct trait *ret)
{
	while (**at) {
		const char *name = *at + strspn(*at, " ");
		size_t length = strcspn(name, " ");
		const char *equals = memchr(name, '=', length);

		*at = name + length;
		if (!equals || equals == name || equals + 1 == name + length)
			continue;
		*ret = (struct trait){
			.name = name,
			.value = equals + 1,
			.name_length = (size_t)(equals - name),
			.value_length = (size_t)(name + length - equals - 1),
		};
		return true;
	}
	return false;
}

static bool is_name(const char *name, size_t length)
{
	if (!length || length >= PARAMETER_NAME_SIZE)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c >= 0x80 ||
		    (!isalnum(c) && (!c || !strchr(i ? "_.-" : "_", c))))
			return false;
	}
	return true;
}

/* Return where a trait of that name belongs; NULL: there is one, or no more
 * may be added. */
static char *find_place(char traits[TRAITS_SIZE], const char *name,
			size_t length)
{
	const char *at = traits;
	char *place = NULL;
	struct trait trait;
	int count = 0;

	for (; traits_next(&at, &trait); count++) {
		size_t common =
			trait.name_length < length ? trait.name_length : length;
		int order = memcmp(name, trait.name, common);

		if (!order && length == trait.name_length)
			return NULL;
		if (!place &&
		    (order < 0 || (!order && length < trait.name_length)))
			place = traits + (trait.name - traits);
	}
	if (count >= TRAITS_MAX)
		return NULL;
	return place ? place : traits + strlen(traits);
}

/* Make what is stored of a value: its first bytes, all printable. */
static size_t clean_value(const char *value, char ret[TRAIT_VALUE_SIZE])
{
	size_t size = strnlen(value, TRAIT_VALUE_SIZE - 1);

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)value[i];

		ret[i] = c > 0x20 && c < 0x7f ? (char)c : '_';
	}
	ret[size] = '\0';
	return size;
}

bool traits_add(char traits[TRAITS_SIZE], const char *name, size_t length,
		const char *value)
{
	char clean[TRAIT_VALUE_SIZE];
	size_t size = clean_value(value, clean);
	size_t used = strlen(traits);
	size_t needed = length + 1 + size + (used > 0);
	char *at =
		is_name(name, length) ? find_place(traits, name, length) : NULL;

	if (!size || !at || used + needed >= TRAITS_SIZE ||
	    strstr(value, SECRET_MARK) ||
	    secret_in(name, length, value, strnlen(value, VALUE_READ)) ||
	    secret_in(name, length, clean, size)) /* as merged later */
		return false;

	bool last = !*at;

	memmove(at + needed, at, strlen(at) + 1);
	if (last && used)
		*at++ = ' ';
	memcpy(at, name, length);
	at += length;
	*at++ = '=';
	memcpy(at, clean, size);
	at += size;
	if (!last)
		*at = ' ';
	return true;
}

bool traits_mask(char *traits, long counts[])
{
	const char *at = traits;
	char *to = traits;
	struct trait trait;
	bool found = false;

	while (traits_next(&at, &trait)) {
		char option[OPTION_SIZE];

		snprintf(option, sizeof(option), "-%.*s",
			 (int)(at - trait.name), trait.name);
		found |= counts && secret_count(option, counts);
		secret_mask_text(option);
		if (to > traits)
			*to++ = ' ';
		memcpy(to, option + 1, strlen(option + 1));
		to += strlen(option + 1);
	}
	*to = '\0';
	return found;
}

void traits_merge(char traits[TRAITS_SIZE], const char *weak)
{
	struct trait trait;

	while (traits_next(&weak, &trait)) {
		char value[TRAIT_VALUE_SIZE];

		snprintf(value, sizeof(value), "%.*s", (int)trait.value_length,
			 trait.value);
		traits_add(traits, trait.name, trait.name_length, value);
	}
}
