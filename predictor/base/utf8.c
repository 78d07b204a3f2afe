/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.c - texts that JSON and PostgreSQL take
 *
 * [1] The Unicode Standard, table 3-7, Well-Formed UTF-8 Byte Sequences.
 */
#include "predictor/base/utf8.h"

/* [1]: how many bytes follow which first bytes, and what the second one may
 * be; all later ones are 80 to BF. */
static const struct {
	unsigned char first_low, first_high, second_low, second_high, length;
} forms[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

/* size > 0 */
static size_t character_length(const unsigned char *text, size_t size)
{
	if (*text < 0x80)
		return 1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (*text < forms[i].first_low || *text > forms[i].first_high)
			continue;
		if (size < forms[i].length || text[1] < forms[i].second_low ||
		    text[1] > forms[i].second_high)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

size_t utf8_character(const char *text, size_t size)
{
	return size ? character_length((const unsigned char *)text, size) : 0;
}

bool utf8_is_valid(const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;

	while (size) {
		size_t length = *at < 0x80 ? 1 : character_length(at, size);

		if (!length)
			return false;
		at += length;
		size -= length;
	}
	return true;
}

void utf8_repair(char *text, size_t size)
{
	while (size) {
		size_t length =
			character_length((const unsigned char *)text, size);

		if (!length) {
			*text = '?';
			length = 1;
		}
		text += length;
		size -= length;
	}
}
