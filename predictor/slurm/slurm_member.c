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
	return member->read ? member->read(value, (char *)into + member->offset,
					   member->size)
			    : 0;
}

SLURM_READER(, count, slurm_count_parse)
SLURM_READER(, amount, slurm_amount_parse)
SLURM_READER(, user_id, slurm_user_id_parse)
SLURM_READER(, time, slurm_time_parse)

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

int slurm_read_number(const char *value, void *to, size_t size UNUSED)
{
	return isdigit((unsigned char)*value) ? slurm_count_parse(value, to)
					      : -1;
}

int slurm_read_duration(const char *value, void *to, size_t size UNUSED)
{
	return duration_parse(value, to, NULL);
}

SLURM_READ_OR(, count_or_0, number, uint32_t, 0)
SLURM_READ_OR(, begin, time, double, NAN)
SLURM_READ_OR(, limit, duration, double, HUGE_VAL)
SLURM_READ_OR(, span, duration, double, NAN)
SLURM_READ_OR(, span_or_0, duration, double, 0)

int slurm_read_prediction(const char *value, void *to, size_t size UNUSED)
{
	*(char *)to = '\0';
	slurm_comment_prediction(value, to);
	return 0;
}
