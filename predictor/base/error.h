/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error.h - one sentence that a person can act on
 *
 * A function that can fail returns 0, or -1 with *err set and nothing changed.
 * err may be NULL where the caller does not want the sentence.
 */
#pragma once

struct sp_error {
	char text[256]; /* always terminated; empty: no error */
};

/* Set *err (cut at its size) and return -1, so that a failing function ends
 * with `return sp_error_set(err, "job %u: no start time", id);`. */
int sp_error_set(struct sp_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Compilers and analyzers cannot look into the function; this lets them see
 * that what follows a failure is never reached with its results unset. */
static inline int sp_error_minus_one(int always)
{
	(void)always;
	return -1;
}
#define sp_error_set(...) sp_error_minus_one(sp_error_set(__VA_ARGS__))

/* The same for a function that returns a pointer. */
#define sp_error_null(...) (sp_error_set(__VA_ARGS__), NULL)
