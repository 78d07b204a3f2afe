/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_member.h - a value as Slurm prints it, into a member of a struct
 *
 * A row of a table of columns or keys names the member and how its value is
 * read:
 *
 *     { "account", 63, SLURM_MEMBER(text, struct slurm_job, run.account) },
 *
 * `read` is one of the functions below, without slurm_read_, or one of that
 * kind.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/unused.h"

struct slurm_member {
	/* Read the value into *to, of `size` bytes; -1: it makes no sense.
	 * NULL: there is no member. */
	int (*read)(const char *value, void *to, size_t size);
	size_t offset, size;
};

#define SLURM_MEMBER(reader, type, member_)                       \
	.member = { slurm_read_##reader, offsetof(type, member_), \
		    sizeof(((type *)NULL)->member_) }

/* Define a reader, `static` or of all files, by a function of the value and of
 * where it goes. */
#define SLURM_READER(scope, reader, function)                      \
	scope int slurm_read_##reader(const char *value, void *to, \
				      size_t size UNUSED)          \
	{                                                          \
		return function(value, to);                        \
	}

/* Define a reader of a file's own by an expression of `value`, which cannot
 * fail. */
#define SLURM_READ_AS(reader, type, expression)                     \
	static int slurm_read_##reader(const char *value, void *to, \
				       size_t size UNUSED)          \
	{                                                           \
		*(type *)to = (expression);                         \
		return 0;                                           \
	}

/* Define a reader that gives `otherwise` where another one fails. */
#define SLURM_READ_OR(scope, reader, other, type, otherwise)       \
	scope int slurm_read_##reader(const char *value, void *to, \
				      size_t size)                 \
	{                                                          \
		if (slurm_read_##other(value, to, size))           \
			*(type *)to = (otherwise);                 \
		return 0;                                          \
	}

/* Read a value into the member of *into. */
int slurm_member_read(const struct slurm_member *member, const char *value,
		      void *into);

/* A char[]: slurm_text_copy(), and as it is. */
int slurm_read_text(const char *value, void *to, size_t size);
int slurm_read_copy(const char *value, void *to, size_t size);
/* A uint32_t: slurm_count_parse(), slurm_amount_parse() and
 * slurm_user_id_parse(); a number is one digit at least, and count_or_0 is 0
 * where there is none. */
int slurm_read_count(const char *value, void *to, size_t size);
int slurm_read_amount(const char *value, void *to, size_t size);
int slurm_read_user_id(const char *value, void *to, size_t size);
int slurm_read_number(const char *value, void *to, size_t size);
int slurm_read_count_or_0(const char *value, void *to, size_t size);
/* A double in seconds: slurm_time_parse() and duration_parse(); a begin and a
 * span are NAN, and a limit HUGE_VAL, where the value is nothing of
 * that kind. */
int slurm_read_time(const char *value, void *to, size_t size);
int slurm_read_duration(const char *value, void *to, size_t size);
int slurm_read_begin(const char *value, void *to, size_t size);
int slurm_read_limit(const char *value, void *to, size_t size);
int slurm_read_span(const char *value, void *to, size_t size);
int slurm_read_span_or_0(const char *value, void *to, size_t size);
/* An id of a prediction: slurm_comment_prediction(), empty where there is none.
 */
int slurm_read_prediction(const char *value, void *to, size_t size);
