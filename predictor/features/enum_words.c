/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enum_words.c - the words of an enum, in messages and in the database */
#include <string.h>

#include "predictor/features/enum_words.h"

const char *enum_words_name(const struct enum_words *words, int value)
{
	return value >= 0 && value < words->count ? words->word[value]
						  : words->unknown;
}

int enum_words_parse(const struct enum_words *words, const char *text, int *ret)
{
	const struct enum_synonym *s = words->synonyms;

	for (int i = 0; i < words->count; i++)
		if (!strcmp(words->word[i], text)) {
			*ret = i;
			return 0;
		}
	while (s && s->word && strcmp(s->word, text) != 0)
		s++;
	if (!s || !s->word)
		return -1;
	*ret = s->value;
	return 0;
}
