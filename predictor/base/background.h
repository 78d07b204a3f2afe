/* background.h - become a daemon, but only once everything works
 *
 * The process that was started waits until its child has come up, so that
 * whoever started it sees the errors and a true exit status.
 */
#ifndef PREDICTOR_BASE_BACKGROUND_H
#define PREDICTOR_BASE_BACKGROUND_H

#include "predictor/base/error.h"

/* Go on in a child with a session of its own; before any thread is started.
 * The parent ends with status 0 after background_ready(), and with 1 if the
 * child ends before. */
int background_begin(struct sp_error *err);

/* Everything works: let the parent end, and leave the terminal.  Does nothing
 * without background_begin(). */
void background_ready(void);

/* Write our process id; an empty path is none. */
int background_write_pid(const char *path, struct sp_error *err);

#endif
