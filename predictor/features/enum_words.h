/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enum_words.h - the words of an enum, in messages and in the database */
#pragma once

struct enum_words {
	int count;
	const char *unknown;     /* the word of any other number */
	const char *const *word; /* of 0 to count - 1 */
	/* More words with the numbers that they stand for: read, never
	 * written.  Ends with NULL; may be NULL. */
	const struct enum_synonym {
		const char *word;
		int value;
	} * synonyms;
};

const char *enum_words_name(const struct enum_words *words, int value);

/* Return -1 if there is no such word, and *ret is unchanged. */
int enum_words_parse(const struct enum_words *words, const char *text,
		     int *ret);
