/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enum_words.h - the words of an enum, in messages and in the database */
#pragma once

#define ENUM_WORDS_MAX 12

struct enum_words {
	int count;
	const char *unknown;              /* the word of any other number */
	const char *word[ENUM_WORDS_MAX]; /* of 0 to count - 1 */
	/* More words with the numbers that they stand for: read, never
	 * written.  Ends with NULL; may be NULL. */
	const struct enum_synonym {
		const char *word;
		int value;
	} * synonyms;
};

const char *enum_words_name(const struct enum_words *words, int value);

/* Set *ret_enum, of the enum's type.  Return -1 if there is no such word, and
 * it is unchanged. */
int enum_words_parse(const struct enum_words *words, const char *text,
		     void *ret_enum);
