/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_keys.h - the traits of a job, as models compare them
 *
 * Those of its application (features/traits.h), and what it requests that is no
 * number either: "gres" (GPUs by count and type), "constraint" and "qos".
 */
#pragma once

#include "predictor/features/subject.h"

#define TRAIT_KEYS_MAX (TRAITS_MAX + 3)

struct trait_key {
	uint32_t name, value; /* hashes, not 0 */
	float number; /* the last one in the value, > 0; 0: there is none */
};

struct trait_keys {
	int count;
	struct trait_key of[TRAIT_KEYS_MAX]; /* each name once */
};

void trait_keys_of(const struct subject *subject, struct trait_keys *ret);

/* Return NULL if none has that name. */
const struct trait_key *trait_keys_find(const struct trait_key of[], int count,
					uint32_t name);

/* Return the last number in the first `length` bytes of a value, > 0, or 0.
 * What follows a last '.' and begins with a letter is the suffix of a file.
 *
 *	wing_512.vtk 512   resnet101 101   llama-7b 7e9   gpu:a100:4 4 */
float trait_number(const char *value, size_t length);
