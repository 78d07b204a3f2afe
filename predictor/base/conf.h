/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - configuration files in Slurm's syntax
 *
 * Lines of Key=Value; a # starts a comment; blank lines are skipped; keys are
 * case-insensitive; a value may be quoted with ".  A key may be given once
 * unless its row is repeatable.  An unknown key is refused with file and line.
 *
 * The caller parses into a fresh struct and swaps it in if there was no error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/base/unused.h"

#define CONF_LINE_MAX  4096
#define CONF_BYTES_MAX (1 << 20)

struct conf_key {
	const char *name;
	/* Check `value` and store it in *into. */
	int (*set)(void *into, const struct conf_key *key, const char *value,
		   struct sp_error *err);

	/* The member of *into that holds the value: CONF_MEMBER().  The setters
	 * below need it, and so does conf_differences(). */
	size_t offset, size;
	double min, max; /* of a number */

	bool repeatable;
	bool restart;     /* a change takes effect at a restart only */
	const char *help; /* one line, for --help and the manual page */
	/* Why the key counts no more; NULL: it counts.  A file may still have
	 * it: a warning is logged.  Such a row has a name and nothing else. */
	const char *removed;
};

#define CONF_MEMBER(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

/* `keys` ends with a row whose name is NULL.  Errors begin with "PATH:LINE: ".
 * After a failure *into is of no use. */
int conf_read_file(const char *path, const struct conf_key keys[], void *into,
		   struct sp_error *err);

/* The same from memory; `name` stands for the path. */
int conf_read_text(const char *name, const char *text, size_t size,
		   const struct conf_key keys[], void *into,
		   struct sp_error *err);

/* Names of the keys that are marked `restart` and whose members differ between
 * two structs, separated by blanks and cut at `size`; empty: none.  Members
 * are compared byte by byte: the structs were zeroed before anything
 * was set. */
void conf_differences(const struct conf_key keys[], const void *old,
		      const void *fresh, char *ret_text, size_t size);

/* Setters for rows: of a char[], an int, a double and a bool. */
int conf_set_text(void *into, const struct conf_key *key, const char *value,
		  struct sp_error *err);
int conf_set_int(void *into, const struct conf_key *key, const char *value,
		 struct sp_error *err);
int conf_set_double(void *into, const struct conf_key *key, const char *value,
		    struct sp_error *err);
int conf_set_bool(void *into, const struct conf_key *key, const char *value,
		  struct sp_error *err);

/* Parsers for setters of other kinds. */
int conf_integer(const char *value, long min, long max, long *ret,
		 struct sp_error *err);
int conf_number(const char *value, double min, double max, double *ret,
		struct sp_error *err);
int conf_bool(const char *value, bool *ret, struct sp_error *err);
/* Find the index of the value among `words`, which end with NULL. */
int conf_word(const char *value, const char *const words[], int *ret,
	      struct sp_error *err);
/* Refuses a text that does not fit; fills the rest with zeros. */
int conf_text(const char *value, char *ret_text, size_t size,
	      struct sp_error *err);
