/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_unknown.c - pieces of a word whose value is not known */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_unknown.h"

/* From an opening bracket to the closing one; all, if there is none. */
static size_t brackets_length(const char *text, size_t size, char open,
			      char close)
{
	int depth = 0;

	for (size_t i = 0; i < size; i++) {
		depth += (text[i] == open) - (text[i] == close);
		if (!depth)
			return i + 1;
	}
	return size;
}

size_t shell_unknown_length(const char *text, size_t size)
{
	size_t length = 1;

	if (size < 2 || (*text != '$' && *text != '`'))
		return 0;
	if (size > SHELL_UNKNOWN_MAX)
		size = SHELL_UNKNOWN_MAX;
	if (*text == '`') {
		const char *end = memchr(text + 1, '`', size - 1);

		return end ? (size_t)(end - text) + 1 : 0;
	}
	if (text[1] == '(')
		return 1 + brackets_length(text + 1, size - 1, '(', ')');
	if (text[1] == '{')
		return 1 + brackets_length(text + 1, size - 1, '{', '}');
	while (length < size &&
	       (text[length] == '_' || isalnum((unsigned char)text[length])))
		length++;
	return length > 1 ? length : 0;
}

bool shell_is_unknown(const char *word)
{
	size_t length = strlen(word);

	return length && shell_unknown_length(word, length) == length;
}

bool shell_has_unknown(const char *word)
{
	size_t size = strlen(word);

	for (size_t i = 0; i < size; i++)
		if (shell_unknown_length(word + i, size - i))
			return true;
	return false;
}

bool shell_known_part(const char *path, char *ret, size_t size)
{
	size_t end = strlen(path), start = 0, length;

	while (end && path[end - 1] == '/')
		end--;
	for (size_t i = 0; i < end; i += length ? length : 1) {
		length = shell_unknown_length(path + i, end - i);
		if (path[i] == '/')
			start = i + 1;
		else if (length) /* unless a '/' follows */
			start = end;
	}
	length = end - start;
	return strspn(path + start, ".") < length &&
	       piece_copy(ret, size, path + start, length);
}
