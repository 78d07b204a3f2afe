/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error.c - one sentence that a person can act on */
#include <stdarg.h>
#include <stdio.h>

#include "predictor/base/error.h"

int(sp_error_set)(struct sp_error *err, const char *format, ...)
{
	if (!err)
		return -1;

	va_list arguments;

	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return -1;
}
