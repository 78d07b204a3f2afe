/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - JSON, printed
 *
 * Most numbers are whole, or have a few decimals.  m / 10^k with whole m below
 * 2^53 and k up to 22 is the double nearest to that decimal number, since both
 * are doubles themselves and the division rounds correctly: where the quotient
 * is the number, its text is that of m with a point, without asking printf().
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/text.h"
#include "predictor/base/utf8.h"

#define ROOM_LEAST   2048
#define DECIMALS_MAX 15
#define WHOLE_MAX    9007199254740992.0 /* 2^53 */

static const double tens[DECIMALS_MAX + 1] = {
	1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
};

void wire_text_clear(struct wire_text *text)
{
	free(text->bytes);
	*text = (struct wire_text){ 0 };
}

void wire_text_empty(struct wire_text *text)
{
	text->size = 0;
	text->failed = false;
}

/* Room for `size` more bytes and a terminator; NULL: failed. */
static char *extend(struct wire_text *text, size_t size)
{
	size_t needed = text->size + size + 1;

	if (text->failed)
		return NULL;
	if (needed > text->room) {
		size_t room = 2 * needed > ROOM_LEAST ? 2 * needed : ROOM_LEAST;
		char *bytes = realloc(text->bytes, room);

		if (!bytes) {
			text->failed = true;
			return NULL;
		}
		text->bytes = bytes;
		text->room = room;
	}
	return text->bytes + text->size;
}

void wire_text_add(struct wire_text *text, const char *bytes, size_t size)
{
	char *at = extend(text, size);

	if (!at)
		return;
	memcpy(at, bytes, size);
	at[size] = '\0';
	text->size += size;
}

void wire_text_add_constant(struct wire_text *text, const char *constant)
{
	wire_text_add(text, constant, strlen(constant));
}

/* --- Strings ------------------------------------------------------------- */

/* Write one character of at most `size` bytes and count both sides. */
static size_t put_character(char **at, const char *from, size_t size)
{
	static const char letters[] = "\bb\tt\nn\ff\rr\"\"\\\\";
	static const char hex[] = "0123456789abcdef";
	const unsigned char c = (unsigned char)*from;
	size_t length = utf8_character(from, size);
	const char *letter;

	if (length > 1) {
		memcpy(*at, from, length);
		*at += length;
		return length;
	}
	if (length == 0) {
		*(*at)++ = '?';
		return 1;
	}
	for (letter = letters; *letter && *letter != *from; letter += 2)
		;
	*(*at)++ = '\\';
	if (*letter) {
		*(*at)++ = letter[1];
		return 1;
	}
	memcpy(*at, "u00", 3);
	(*at)[3] = hex[c >> 4];
	(*at)[4] = hex[c & 15];
	*at += 5;
	return 1;
}

static bool is_plain(char c)
{
	return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' &&
	       c != '\\';
}

/* Put a string of `size` bytes at `start`, where there is room. */
static void put_string(struct wire_text *text, char *start, const char *string,
		       size_t size)
{
	char *at = start;

	*at++ = '"';
	for (size_t i = 0; i < size;) {
		if (is_plain(string[i]))
			*at++ = string[i++];
		else
			i += put_character(&at, string + i, size - i);
	}
	*at++ = '"';
	*at = '\0';
	text->size += (size_t)(at - start);
}

void wire_text_add_string(struct wire_text *text, const char *string,
			  size_t max)
{
	size_t size = strnlen(string, max);
	char *start = extend(text, 6 * size + 2); /* \u0001 for each byte */

	if (start)
		put_string(text, start, string, size);
}

void wire_text_add_typed(struct wire_text *text, const char *string, size_t max,
			 struct secret_scan *scan)
{
	size_t size = strnlen(string, max);
	char *start = extend(text, 7 * size + 2);

	if (!start)
		return;

	/* Behind what is put, until then. */
	char *copy = start + 6 * size + 2;

	memcpy(copy, string, size);
	put_string(text, start, copy, secret_mask(scan, copy, size));
}

/* --- Numbers ------------------------------------------------------------- */

/* `value` with a point before its last `decimals` digits, but no zeros at the
 * end behind it. */
static void add_decimal(struct wire_text *text, int64_t value, int decimals)
{
	char digits[40];
	char *at = digits + sizeof(digits);
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;

	while (decimals > 0 && left % 10 == 0) {
		left /= 10;
		decimals--;
	}
	for (int i = decimals; i > 0; i--, left /= 10)
		*--at = (char)('0' + left % 10);
	if (decimals > 0)
		*--at = '.';
	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	if (value < 0)
		*--at = '-';
	wire_text_add(text, at, (size_t)(digits + sizeof(digits) - at));
}

void wire_text_add_integer(struct wire_text *text, int64_t value)
{
	add_decimal(text, value, 0);
}

static bool add_short(struct wire_text *text, double value, int decimals)
{
	double whole = value * tens[decimals];

	if (!(fabs(whole) < WHOLE_MAX))
		return false;
	whole = rint(whole);
	if (whole / tens[decimals] != value)
		return false;
	add_decimal(text, (int64_t)whole, decimals);
	return true;
}

void wire_text_add_number(struct wire_text *text, double value)
{
	char digits[40];

	if (!isfinite(value)) {
		wire_text_add_constant(text, "null");
		return;
	}
	if (add_short(text, value, 0) || add_short(text, value, 3) ||
	    add_short(text, value, 6))
		return;
	for (int count = 15; count <= 17; count++) {
		snprintf(digits, sizeof(digits), "%.*g", count, value);
		if (count == 17 || strtod(digits, NULL) == value)
			break;
	}
	wire_text_add_constant(text, digits);
}

void wire_text_add_time(struct wire_text *text, double seconds)
{
	double us = rint(seconds * 1e6);

	if (fabs(us) < WHOLE_MAX)
		add_decimal(text, (int64_t)us, 6);
	else
		wire_text_add_number(text, seconds);
}

void wire_text_add_estimate(struct wire_text *text, double value)
{
	int decimals = WIRE_DIGITS - 1;

	if (!(value >= 1e-6 && value < 1e15)) {
		wire_text_add_number(text, value);
		return;
	}
	while (decimals > 0 && value >= tens[WIRE_DIGITS - decimals])
		decimals--;
	while (decimals < DECIMALS_MAX &&
	       value * tens[decimals] < tens[WIRE_DIGITS - 1])
		decimals++;
	add_decimal(text, (int64_t)rint(value * tens[decimals]), decimals);
}
