/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_pattern.c - patterns of the shell: `*`, `?`, `[a-z]`
 *
 * A star first matches nothing, then one byte more each time that the rest does
 * not match.  Steps are counted: a pattern that takes too many is not known.
 */
#include <string.h>

#include "predictor/features/script/shell/shell_pattern.h"

/* Bytes compared; a path of 60 bytes takes up to 2000. */
#define STEPS_MAX 4000

/* Return the length of the set at `p` if it has the byte c, 0: it has not, or
 * has no end. */
static size_t match_set(const char *p, const char *end, unsigned char c,
			bool *ret_closed)
{
	const char *at = p + 1;
	bool negated = at < end && strchr("!^", *at), found = false;

	at += negated;

	/* A ']' that is the first is in the set. */
	const char *close =
		at < end ? memchr(at + 1, ']', (size_t)(end - at - 1)) : NULL;

	*ret_closed = close != NULL;
	for (; close && at < close; at++) {
		bool range = at + 2 < close && at[1] == '-';
		unsigned char last = (unsigned char)(range ? at[2] : *at);

		found |= c >= (unsigned char)*at && c <= last;
		at += range ? 2 : 0;
	}
	return close && found != negated ? (size_t)(close + 1 - p) : 0;
}

/* Return the length of the element at `p` if it matches the byte, else 0. */
static size_t match_element(const char *p, const char *end, char c)
{
	bool closed = false;
	size_t length =
		*p == '[' ? match_set(p, end, (unsigned char)c, &closed) : 0;

	if (closed)
		return length;
	if (*p == '\\' && p + 1 < end)
		return p[1] == c ? 2 : 0;
	return *p == '?' || *p == c;
}

static bool match_whole(const char *p, const char *end, const char *text,
			const char *stop, int *steps)
{
	const char *star = NULL, *from = NULL;

	while (text < stop || p < end) {
		if (p < end && *p == '*') {
			star = ++p;
			from = text;
			continue;
		}

		size_t length = p < end && text < stop
					? match_element(p, end, *text)
					: 0;

		if (--*steps < 0 || (!length && (!star || from == stop)))
			return false;
		p = length ? p + length : star;
		text = length ? text + 1 : ++from;
	}
	return true;
}

bool shell_pattern_match(const char *pattern, size_t size, const char *text,
			 size_t length, enum shell_pattern_part part,
			 bool longest, size_t *ret_length)
{
	int steps = STEPS_MAX;
	size_t elements = size;

	*ret_length = SHELL_PATTERN_NONE;
	for (size_t i = 0; i < size; i++)
		elements -= pattern[i] == '*';
	if (elements > SHELL_PATTERN_MAX || memmem(pattern, size, "[:", 2))
		return false;
	for (size_t i = 0; i <= length && *ret_length == SHELL_PATTERN_NONE;
	     i++) {
		bool whole = part == SHELL_PATTERN_WHOLE;
		size_t cut = longest || whole ? length - i : i;
		const char *start =
			part == SHELL_PATTERN_TAIL ? text + length - cut : text;

		if (match_whole(pattern, pattern + size, start, start + cut,
				&steps))
			*ret_length = cut;
		if (whole)
			break;
	}
	return steps >= 0;
}
