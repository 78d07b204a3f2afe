/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantity.h - numbers with three digits and a prefix of their unit */
#pragma once

#define QUANTITY_SIZE 48

/* "3.62 Gbit/s" or "10.8 us"; with the unit "" "3.62G".  A value below zero or
 * NAN is "-".  Returns `ret_text`. */
const char *quantity_format(double value, const char *unit,
			    char ret_text[QUANTITY_SIZE]);

/* The same in a text of the enclosing block, as an argument of printf(). */
#define QUANTITY(value, unit) \
	quantity_format(value, unit, (char[QUANTITY_SIZE]){ "" })
