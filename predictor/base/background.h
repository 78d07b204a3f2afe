/* SPDX-License-Identifier: GPL-2.0-or-later */
/* background.h - run in the background; the parent exits once we are ready
 *
 * The parent waits until its child is ready or has failed, so that the shell or
 * systemd sees errors and the right exit status.
 */
#pragma once

#include "predictor/base/error.h"

/* Continue in a child with its own session; call it before any thread is
 * started.  The parent exits with status 0 after background_ready(), and with 1
 * if the child exits before. */
int background_begin(struct sp_error *err);

/* Let the parent exit, and detach from the terminal.  Does nothing
 * without background_begin(). */
void background_ready(void);

/* Write our process id; an empty path is none. */
int background_write_pid(const char *path, struct sp_error *err);
