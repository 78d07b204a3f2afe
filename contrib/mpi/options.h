/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - what the options of the MPI programs hold */
#ifndef CONTRIB_MPI_OPTIONS_H
#define CONTRIB_MPI_OPTIONS_H

#include <errno.h>
#include <stdlib.h>

/* A whole number in [min, max], or -1. */
static inline int option_number(const char *text, long min, long max, int *ret)
{
	char *end;

	errno = 0;

	long value = strtol(text, &end, 10);

	if (errno || end == text || *end || value < min || value > max)
		return -1;
	*ret = (int)value;
	return 0;
}

#endif
