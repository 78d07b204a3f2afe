/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_stub.c - what slurmctld and slurmstepd have for a plugin, in a
 * unit test */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/plugin/slurm_stub.h"

slurm_conf_t slurm_conf;
char *default_part_name;
char stub_log[65536];
bool stub_no_memory;

void stub_reset(void)
{
	memset(&slurm_conf, 0, sizeof(slurm_conf));
	default_part_name = NULL;
	stub_log[0] = '\0';
	stub_no_memory = false;
}

static void log_add(const char *level, const char *format, va_list arguments)
{
	size_t used = strlen(stub_log);

	used += (size_t)snprintf(stub_log + used, sizeof(stub_log) - used,
				 "%s: ", level);
	used += (size_t)vsnprintf(stub_log + used, sizeof(stub_log) - used,
				  format, arguments);
	snprintf(stub_log + used, sizeof(stub_log) - used, "\n");
}

#define LOG_FUNCTION(type, function, result)           \
	type slurm_##function(const char *format, ...) \
	{                                              \
		va_list arguments;                     \
                                                       \
		va_start(arguments, format);           \
		log_add(#function, format, arguments); \
		va_end(arguments);                     \
		return result;                         \
	}

/* Others declare these, see log.h. */
void slurm_verbose(const char *format, ...);
void slurm_debug2(const char *format, ...);
void slurm_log_var(int level, const char *format, ...);
int slurm_get_log_level(void);

LOG_FUNCTION(void, info, )
LOG_FUNCTION(int, error, -1)
LOG_FUNCTION(void, debug, )
LOG_FUNCTION(void, verbose, )
LOG_FUNCTION(void, debug2, )

void slurm_log_var(int level, const char *format, ...)
{
	char name[16];
	va_list arguments;

	snprintf(name, sizeof(name), "%d", level);
	va_start(arguments, format);
	log_add(name, format, arguments);
	va_end(arguments);
}

int slurm_get_log_level(void)
{
	return 9; /* all */
}

void slurm_xstrfmtcat(char **text, const char *format, ...)
{
	va_list arguments;
	char *more, *both;

	va_start(arguments, format);
	if (vasprintf(&more, format, arguments) < 0)
		abort();
	va_end(arguments);
	if (asprintf(&both, "%s%s", *text ? *text : "", more) < 0)
		abort();
	free(more);
	free(*text);
	*text = both;
}

void *slurm_xcalloc(size_t count, size_t size, bool clear, bool may_fail,
		    const char *file, int line, const char *function)
{
	(void)file;
	(void)line;
	(void)function;
	if (stub_no_memory && may_fail)
		return NULL;
	return clear ? calloc(count, size) : malloc(count * size);
}

void slurm_xfree(void **pointer)
{
	free(*pointer);
	*pointer = NULL;
}
