/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traits.h - the texts that a user gave to an application
 *
 * What drives a run time is often no number: model=llama-70b, method=CCSD, the
 * name of an input file.  Traits are named texts, kept as one text:
 *
 *	dataset=imagenet model=llama-70b
 *
 * sorted by name, each name once, with one blank between them; empty: none.
 * Names are those of parameters.  Values have printable ASCII characters
 * without blanks; others become '_', and long values are cut.  What may be a
 * secret (secret.h) is never kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define TRAITS_MAX       8
#define TRAITS_SIZE      256
#define TRAIT_VALUE_SIZE 48

/* One of them, in the text. */
struct trait {
	const char *name, *value;
	size_t name_length, value_length;
};

/* Add a trait, by the first `length` bytes of `name`.  False: left out, since
 * there is one of that name, or no room, or it is none, or a secret. */
bool traits_add(char traits[TRAITS_SIZE], const char *name, size_t length,
		const char *value);

/* Add those of `weak` that are not there. */
void traits_merge(char traits[TRAITS_SIZE], const char *weak);

/* Put marks for secrets into any text of traits, each read as the option that
 * it came from.  Unless `counts` is NULL, add them to these, by form; returns
 * whether there was one then. */
bool traits_mask(char *traits, long counts[]);

/* Find the trait at *at, which goes on behind it.  False: there is none.  Any
 * text may be read: pieces that are no traits are passed over. */
bool traits_next(const char **at, struct trait *ret);
