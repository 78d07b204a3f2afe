/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spank_options.c - variables of a job's control environment */
#include <stddef.h>
#include <string.h>

#include "plugin/site/spank_options.h"

const char *spank_option_find(char *const *variables, uint32_t count,
			      const char *name)
{
	size_t length = strlen(name);

	for (uint32_t i = 0; variables && i < count; i++)
		if (variables[i] && !strncmp(variables[i], name, length) &&
		    variables[i][length] == '=')
			return variables[i] + length + 1;
	return NULL;
}
