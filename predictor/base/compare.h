/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - orders for qsort() and bsearch()
 *
 * Each COMPARE_... macro below defines a static function `name` that compares
 * two elements; the smaller one comes first.
 */
#pragma once

#include <string.h>

/* -1, 0 or 1.  Several keys are joined by `?:`. */
#define COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

/* Numbers of a type. */
#define COMPARE_NUMBERS(name, type)                                 \
	static int name(const void *a, const void *b)               \
	{                                                           \
		return COMPARE(*(const type *)a, *(const type *)b); \
	}

/* Structs by a number in them; of equal ones by another. */
#define COMPARE_BY(name, type, member)                \
	static int name(const void *a, const void *b) \
	{                                             \
		const type *x = a, *y = b;            \
                                                      \
		return COMPARE(x->member, y->member); \
	}
#define COMPARE_BY_BOTH(name, type, first, second)               \
	static int name(const void *a, const void *b)            \
	{                                                        \
		const type *x = a, *y = b;                       \
                                                                 \
		return COMPARE(x->first, y->first)               \
			       ?: COMPARE(x->second, y->second); \
	}

/* Structs by a text in them. */
#define COMPARE_BY_TEXT(name, type, member)           \
	static int name(const void *a, const void *b) \
	{                                             \
		const type *x = a, *y = b;            \
                                                      \
		return strcmp(x->member, y->member);  \
	}
