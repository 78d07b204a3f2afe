/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_keys.c - the traits of a job, as models compare them */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/models/trait_keys.h"

/* "k", "m", "b" directly after the digits, and not the start of a word. */
static double unit_factor(const char *at, const char *end)
{
	static const char units[] = "kKmMbBgG";
	static const double factors[] = { 1e3, 1e6, 1e9, 1e9 };
	const char *unit =
		at < end ? memchr(units, *at, sizeof(units) - 1) : NULL;

	if (!unit || (at + 1 < end && isalnum((unsigned char)at[1])))
		return 1;
	return factors[(unit - units) / 2];
}

float trait_number(const char *value, size_t length)
{
	const char *dot = memrchr(value, '.', length);
	const char *end = value + length;
	char digits[24];
	size_t size = 0;

	if (dot && dot > value && dot + 1 < end &&
	    isalpha((unsigned char)dot[1]))
		end = dot;

	const char *stop = end;

	while (stop > value && !isdigit((unsigned char)stop[-1]))
		stop--;

	const char *start = stop;

	while (start > value &&
	       (isdigit((unsigned char)start[-1]) || start[-1] == '.'))
		start--;
	for (; start < stop && *start == '.';)
		start++;
	for (; start + size < stop && size < sizeof(digits) - 1; size++)
		digits[size] = start[size];
	digits[size] = '\0';
	return size ? (float)(strtod(digits, NULL) * unit_factor(stop, end))
		    : 0;
}

static uint32_t hash_bytes(const char *bytes, size_t size)
{
	uint32_t hash = (uint32_t)(index_hash(0, bytes, size) >> 32);

	return hash ? hash : 1;
}

static void add_key(struct trait_keys *keys, const char *name, size_t length,
		    const char *value, size_t size)
{
	if (!size || keys->count == TRAIT_KEYS_MAX)
		return;
	keys->of[keys->count++] = (struct trait_key){
		.name = hash_bytes(name, length),
		.value = hash_bytes(value, size),
		.number = trait_number(value, size),
	};
}

void trait_keys_of(const struct subject *subject, struct trait_keys *ret)
{
	/* No name of a trait ends in a blank. */
	const struct {
		const char *name, *value;
	} requests[] = {
		{ "gres ", subject->gres },
		{ "constraint ", subject->features },
		{ "qos ", subject->qos },
	};
	const char *at = subject->traits;
	struct trait trait;

	ret->count = 0;
	while (ret->count < TRAITS_MAX && traits_next(&at, &trait))
		add_key(ret, trait.name, trait.name_length, trait.value,
			trait.value_length);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		add_key(ret, requests[i].name, strlen(requests[i].name),
			requests[i].value, strlen(requests[i].value));
}

const struct trait_key *trait_keys_find(const struct trait_key of[], int count,
					uint32_t name)
{
	for (int i = 0; i < count; i++)
		if (of[i].name == name)
			return &of[i];
	return NULL;
}
