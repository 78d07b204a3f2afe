/* SPDX-License-Identifier: GPL-2.0-or-later */
/* masked_name.c - names without what changes from run to run
 *
 * At each place of the text the first of these is masked: an expansion of the
 * shell, a temporary name, a class, a hash, a number or date.  Masks that only
 * separators part become one.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "predictor/features/script/command/masked_name.h"
#include "predictor/features/script/shell/shell_unknown.h"

#define HASH_MIN      8 /* digits of a hash; fewer may be a word */
#define TEMPORARY_MIN 6 /* random letters in names that are temporary */

static const char digits[] = "0123456789";

struct mask {
	char *name;
	size_t used, size;
	bool hash; /* the last '#' was a hash */
};

static bool is_separator(char c)
{
	return c && strchr("-._:T", c);
}

static void append_char(struct mask *mask, char c)
{
	if (mask->used < mask->size - 1)
		mask->name[mask->used++] = c > 0x20 && c < 0x7f ? c : '_';
}

/* One mask for numbers that only separators part: of a date, of a version. */
static void append_mask(struct mask *mask)
{
	const char *end = mask->name + mask->used;

	if (mask->used >= 1 && end[-1] == '#')
		return;
	if (mask->used >= 2 && end[-2] == '#' && is_separator(end[-1]))
		mask->used--;
	else
		append_char(mask, '#');
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]))
		length++;
	return length;
}

/* Return the length of a hash: digits and letters, hexadecimal; later parts of
 * a UUID are shorter. */
static size_t hash_length(const char *text, bool after_hash)
{
	size_t length = word_length(text);
	size_t letters = 0, numbers = 0;

	for (size_t i = 0; i < length; i++) {
		letters += !!isalpha((unsigned char)text[i]);
		numbers += !!isdigit((unsigned char)text[i]);
		if (!isxdigit((unsigned char)text[i]))
			return 0;
	}
	if (after_hash)
		return length >= 4 ? length : 0;
	return length >= HASH_MIN && letters && numbers >= 2 ? length : 0;
}

/* "tmp.Xa81bcQz9P", "tmpab12cd34": the length, and that of the part to keep. */
static size_t temporary_length(const char *text, size_t *ret_kept)
{
	size_t length = word_length(text);

	if (strncmp(text, "tmp", 3))
		return 0;
	if (length == 3 && text[3] == '.') {
		size_t random = word_length(text + 4);

		*ret_kept = 4;
		return random >= TEMPORARY_MIN ? 4 + random : 0;
	}
	*ret_kept = 3;
	for (size_t i = 3; length >= 3 + TEMPORARY_MIN && i < length; i++)
		if (isdigit((unsigned char)text[i]))
			return length;
	return 0;
}

/* "Jan2024" and "-Jan-2024" after a number: the length up to the year. */
static size_t month_length(const char *text)
{
	static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	size_t before = strchr("-_.", *text) && *text ? 1 : 0;

	if (strnlen(text + before, 4) < 4)
		return 0;

	size_t after = strchr("-_.", text[before + 3]) ? 1 : 0;

	if (!isdigit((unsigned char)text[before + 3 + after]))
		return 0;
	for (const char *month = months; *month; month += 3)
		if (!strncasecmp(text + before, month, 3))
			return before + 3 + after;
	return 0;
}

/* "heat3d", "cp2k": a digit that belongs to a word. */
static bool is_letter_like(const char *text, const char *start)
{
	bool letter_before = text > start && isalpha((unsigned char)text[-1]);

	if (strspn(text, digits) != 1)
		return false;
	if (*text >= '1' && *text <= '3' && (text[1] | 0x20) == 'd' &&
	    !isalnum((unsigned char)text[2]))
		return true;
	return *text == '2' && letter_before && isalpha((unsigned char)text[1]);
}

/* A capital letter alone between dots: the class of a benchmark. */
static bool is_class(const char *text, const char *start)
{
	return *text >= 'A' && *text <= 'Z' && text > start &&
	       text[-1] == '.' && text[1] == '.' && text[2];
}

/* Mask what is at `text`; returns its length, 0: nothing is masked. */
static size_t mask_next(struct mask *mask, const char *text, const char *start)
{
	bool at_word = text == start || !isalnum((unsigned char)text[-1]);
	size_t kept = 0, length = 0;

	if (*text == '$' || *text == '`')
		length = shell_unknown_length(text,
					      strnlen(text, SHELL_UNKNOWN_MAX));

	if (!length && at_word && (length = temporary_length(text, &kept)))
		for (size_t i = 0; i < kept; i++)
			append_char(mask, text[i]);
	if (length) {
		append_mask(mask);
		return length;
	}
	if (is_class(text, start)) {
		append_mask(mask);
		return 1;
	}
	length = at_word ? hash_length(text, mask->hash) : 0;
	mask->hash = length || (mask->hash && *text == '-');
	if (!length && !is_letter_like(text, start) &&
	    (length = strspn(text, digits)) > 0)
		length += month_length(text + length);
	if (length)
		append_mask(mask);
	return length;
}

void masked_name_append(char *name, size_t size, const char *text)
{
	struct mask mask = { .name = name, .used = strlen(name), .size = size };

	for (const char *at = text; *at && mask.used < size - 1;) {
		size_t length = mask_next(&mask, at, text);

		if (!length)
			append_char(&mask, *at++);
		at += length;
	}
	name[mask.used] = '\0';
}
