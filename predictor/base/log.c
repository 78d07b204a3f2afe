/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - log of the daemons */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/log_repeats.h"
#include "predictor/base/ordered_lock.h"

static struct {
	struct ordered_lock lock;
	FILE *file; /* NULL: the standard error */
	atomic_int level;
	struct log_repeats repeats; /* of errors and warnings */
	void (*mask)(char *line);   /* NULL: none */
} sink = { .lock = ORDERED_LOCK_INITIALIZER(LOCK_LOG),
	   .level = LOG_LEVEL_INFO };

/* Under the lock. */
static void line_print(const char *text, unsigned repeated)
{
	FILE *file = sink.file ? sink.file : stderr;
	struct timespec now;
	struct tm local;
	char stamp[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &local);
	fprintf(file, "[%s.%03ld] %s", stamp, now.tv_nsec / 1000000, text);
	if (repeated)
		fprintf(file, " (repeated %u times)", repeated);
	fputc('\n', file);
	fflush(file);
}

/* Under the lock: lines that have to go, before `text` is printed if given. */
static void repeats_print(const char *text, double now_s)
{
	struct log_repeats_line line;

	while (log_repeats_expire(&sink.repeats, text, now_s, &line))
		line_print(line.text, line.count);
}

int log_open(const char *path, enum log_level level, struct sp_error *err)
{
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (path && !file)
		return sp_error_set(err, "log file %s: %s", path,
				    strerror(errno));
	ordered_lock_take(&sink.lock);
	FILE *old = sink.file;
	sink.file = file;
	atomic_store(&sink.level, (int)level);
	ordered_lock_give(&sink.lock);
	if (old)
		fclose(old);
	return 0;
}

void log_set_mask(void (*mask)(char *line))
{
	sink.mask = mask;
}

void log_close(void)
{
	ordered_lock_take(&sink.lock);
	repeats_print("", HUGE_VAL);
	ordered_lock_give(&sink.lock);
	log_open(NULL, LOG_LEVEL_INFO, NULL);
}

void log_tick(void)
{
	ORDERED_LOCK_HOLD(&sink.lock);

	repeats_print(NULL, clock_monotonic_s());
}

int log_descriptor(void)
{
	ORDERED_LOCK_HOLD(&sink.lock);

	return fileno(sink.file ? sink.file : stderr);
}

__attribute__((format(printf, 3, 0))) static void
log_write(enum log_level level, const char *prefix, const char *format,
	  va_list arguments)
{
	char text[2048];

	/* Before anything is formatted: each request is logged, at a level
	 * that is seldom enabled. */
	if ((int)level > atomic_load(&sink.level))
		return;

	int used = snprintf(text, sizeof(text), "%s", prefix);

	vsnprintf(text + used, sizeof(text) - (size_t)used, format, arguments);
	if (sink.mask)
		sink.mask(text);
	ORDERED_LOCK_HOLD(&sink.lock);

	double now_s = clock_monotonic_s();

	repeats_print(level == LOG_LEVEL_ERROR ? text : NULL, now_s);
	if (level == LOG_LEVEL_ERROR) {
		if (log_repeats_note(&sink.repeats, text, now_s))
			line_print(text, 0);
	} else {
		line_print(text, 0);
	}
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
