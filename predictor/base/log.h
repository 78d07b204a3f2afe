/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.h - log of the daemons
 *
 * Lines as Slurm writes them: `[2026-01-31T12:00:00.123] error: text`.  Errors
 * and warnings carry their level, the rest does not.  Threads may call these
 * at any time; one call writes one line.  An error or a warning that is
 * the same as one of the last minute is counted, and written once more
 * with "(repeated N times)" when the minute is over: with the next line,
 * or by log_tick().
 *
 * Nothing that is loaded into Slurm uses this: plugins have Slurm's own log.
 */
#pragma once

#include "predictor/base/error.h"

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Write lines up to `level` to the file at `path` (appended), or to the
 * standard error if it is NULL.  May be called again, as at SIGHUP. */
int log_open(const char *path, enum log_level level, struct sp_error *err);

void log_close(void);

/* Call `mask`, which may shorten it, with each line before it is written.  To
 * be set before any thread is started. */
void log_set_mask(void (*mask)(char *line));

/* To be called now and then. */
void log_tick(void);

/* The file descriptor of the log, for a child that closes all others. */
int log_descriptor(void);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
