/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fold.c - long texts in lines of a terminal */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "predictor/cli/fold.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LEAST   20 /* of a text; below, more lines help nobody */
#define WIDTH_MOST    4096

size_t fold_width(void)
{
	const char *variable = getenv("COLUMNS");
	struct winsize size;
	unsigned long columns = 0;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		columns = size.ws_col;
	if (!columns && variable)
		columns = strtoul(variable, NULL, 10);
	return columns && columns <= WIDTH_MOST ? columns : WIDTH_DEFAULT;
}

static bool is_begin(char c)
{
	return (c & 0xc0) != 0x80;
}

size_t fold_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += is_begin(*text);
	return columns;
}

/* Return the bytes of the longest first line within `width` that ends before a
 * blank, or behind another character `end`; 0 if there is none.  A number keeps
 * its per cent. */
static size_t find_end(const char *text, size_t width, char end)
{
	size_t found = 0, columns = 0;

	for (size_t i = 0; text[i]; i++) {
		columns += is_begin(text[i]);
		if (columns > width + (end == ' '))
			break;
		if (i && text[i] == end && text[i + 1] != '%')
			found = i + (end != ' ');
	}
	return found;
}

size_t fold_line(const char *text, size_t width, size_t *ret_skipped)
{
	size_t length = strlen(text);

	if (fold_columns(text) > width) {
		size_t blank = find_end(text, width, ' ');
		size_t comma = find_end(text, width, ',');

		if (!blank)
			blank = comma ? comma : strcspn(text, " ");
		length = blank;
	}
	*ret_skipped = strspn(text + length, " ");
	return length;
}

void fold_print(FILE *file, const char *text, size_t indent, size_t width)
{
	size_t room = width > indent ? width - indent : 0;
	size_t skipped;

	if (room < WIDTH_LEAST)
		room = WIDTH_LEAST;
	for (;;) {
		size_t length = fold_line(text, room, &skipped);

		fprintf(file, "%.*s\n", (int)length, text);
		text += length + skipped;
		if (!*text)
			return;
		fprintf(file, "%*s", (int)indent, "");
	}
}
