/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base64.c - bytes in a message (RFC 4648, section 4) */
#include "predictor/wire/base64.h"

size_t wire_base64_encode(const unsigned char *bytes, size_t size, char *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char *at = out;

	for (size_t i = 0; i < size; i += 3) {
		unsigned bits = (unsigned)bytes[i] << 16;

		if (i + 1 < size)
			bits |= (unsigned)bytes[i + 1] << 8;
		if (i + 2 < size)
			bits |= bytes[i + 2];
		*at++ = digits[bits >> 18];
		*at++ = digits[bits >> 12 & 63];
		*at++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
		*at++ = i + 2 < size ? digits[bits & 63] : '=';
	}
	*at = '\0';
	return (size_t)(at - out);
}

static int digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

long wire_base64_decode(const char *text, size_t size, unsigned char *out)
{
	unsigned bits = 0;
	int held = 0;
	long count = 0;

	if (size % 4)
		return -1;
	for (int i = 0; i < 2 && size && text[size - 1] == '='; i++)
		size--;
	for (size_t i = 0; i < size; i++) {
		int digit = digit_of(text[i]);

		if (digit < 0)
			return -1;
		bits = bits << 6 | (unsigned)digit;
		held += 6;
		if (held >= 8) {
			held -= 8;
			out[count++] = (unsigned char)(bits >> held);
		}
	}
	return count;
}
