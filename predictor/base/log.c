/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - log of the daemons */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "predictor/base/log.h"

static struct {
	pthread_mutex_t lock;
	FILE *file; /* NULL: the standard error */
	atomic_int level;
} sink = { .lock = PTHREAD_MUTEX_INITIALIZER, .level = LOG_LEVEL_INFO };

int log_open(const char *path, enum log_level level, struct sp_error *err)
{
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (path && !file)
		return sp_error_set(err, "log file %s: %s", path,
				    strerror(errno));
	pthread_mutex_lock(&sink.lock);
	FILE *old = sink.file;
	sink.file = file;
	atomic_store(&sink.level, (int)level);
	pthread_mutex_unlock(&sink.lock);
	if (old)
		fclose(old);
	return 0;
}

void log_close(void)
{
	log_open(NULL, LOG_LEVEL_INFO, NULL);
}

int log_descriptor(void)
{
	pthread_mutex_lock(&sink.lock);

	int fd = fileno(sink.file ? sink.file : stderr);

	pthread_mutex_unlock(&sink.lock);
	return fd;
}

__attribute__((format(printf, 3, 0))) static void
log_write(enum log_level level, const char *prefix, const char *format,
	  va_list arguments)
{
	struct timespec now;
	struct tm local;
	char stamp[32];
	char text[2048];

	/* Before anything is formatted: each request is logged, at a level
	 * that is seldom enabled. */
	if ((int)level > atomic_load(&sink.level))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &local);
	vsnprintf(text, sizeof(text), format, arguments);

	pthread_mutex_lock(&sink.lock);
	FILE *file = sink.file ? sink.file : stderr;

	fprintf(file, "[%s.%03ld] %s%s\n", stamp, now.tv_nsec / 1000000, prefix,
		text);
	fflush(file);
	pthread_mutex_unlock(&sink.lock);
}

#define LOG_FUNCTION(name, level, prefix)                    \
	void name(const char *format, ...)                   \
	{                                                    \
		va_list arguments;                           \
                                                             \
		va_start(arguments, format);                 \
		log_write(level, prefix, format, arguments); \
		va_end(arguments);                           \
	}

LOG_FUNCTION(log_error, LOG_LEVEL_ERROR, "error: ")
LOG_FUNCTION(log_warning, LOG_LEVEL_ERROR, "warning: ")
LOG_FUNCTION(log_info, LOG_LEVEL_INFO, "")
LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG, "debug: ")
