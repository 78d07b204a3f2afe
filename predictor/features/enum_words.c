/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enum_words.c - the words of an enum, in messages and in the database */
#include <string.h>

#include "predictor/features/enum_words.h"

const char *enum_words_name(const struct enum_words *words, int value)
{
	return value >= 0 && value < words->count ? words->word[value]
						  : words->unknown;
}

int enum_words_parse(const struct enum_words *words, const char *text,
		     void *ret_enum)
{
	const struct enum_synonym *s = words->synonyms;
	int i = 0;

	while (i < words->count && strcmp(words->word[i], text) != 0)
		i++;
	for (; i == words->count && s && s->word; s++)
		if (!strcmp(s->word, text))
			i = s->value;
	if (i == words->count)
		return -1;
	memcpy(ret_enum, &i, sizeof(i));
	return 0;
}
