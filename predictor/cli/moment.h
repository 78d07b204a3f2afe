/* moment.h - points in time as people write them */
#ifndef PREDICTOR_CLI_MOMENT_H
#define PREDICTOR_CLI_MOMENT_H

#include "predictor/base/error.h"

/* "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:30" in local time,
 * seconds since the epoch, "now", or "now-30days" ("now-12hours",
 * "now-2weeks").  `now_s` is the time of now. */
int moment_parse(const char *text, double now_s, double *ret_s,
		 struct sp_error *err);

#define MOMENT_TEXT_SIZE 32

/* "2026-01-31T12:00:30" in local time.  Returns `ret_text`. */
const char *moment_format(double moment_s, char ret_text[MOMENT_TEXT_SIZE]);

#endif
