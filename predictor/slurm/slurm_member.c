/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_member.c - a value as Slurm prints it, into a member of a struct */
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "predictor/base/duration.h"
#include "predictor/slurm/slurm_member.h"
#include "predictor/slurm/slurm_values.h"

int slurm_member_read(const struct slurm_member *member, const char *value,
		      void *into)
{
	return member->read(value, (char *)into + member->offset, member->size);
}

#define READ(reader, function)                                            \
	int slurm_read_##reader(const char *value, void *to, size_t size) \
	{                                                                 \
		(void)size;                                               \
		return function(value, to);                               \
	}

READ(count, slurm_count_parse)
READ(amount, slurm_amount_parse)
READ(user_id, slurm_user_id_parse)
READ(time, slurm_time_parse)

int slurm_read_text(const char *value, void *to, size_t size)
{
	slurm_text_copy(value, to, size);
	return 0;
}

int slurm_read_copy(const char *value, void *to, size_t size)
{
	snprintf(to, size, "%s", value);
	return 0;
}

int slurm_read_number(const char *value, void *to, size_t size)
{
	(void)size;
	return isdigit((unsigned char)*value) ? slurm_count_parse(value, to)
					      : -1;
}

int slurm_read_duration(const char *value, void *to, size_t size)
{
	(void)size;
	return duration_parse(value, to, NULL);
}

int slurm_read_begin(const char *value, void *to, size_t size)
{
	if (slurm_read_time(value, to, size))
		*(double *)to = NAN;
	return 0;
}

int slurm_read_limit(const char *value, void *to, size_t size)
{
	if (slurm_read_duration(value, to, size))
		*(double *)to = HUGE_VAL;
	return 0;
}

int slurm_read_prediction(const char *value, void *to, size_t size)
{
	(void)size;
	*(char *)to = '\0';
	slurm_comment_prediction(value, to);
	return 0;
}
