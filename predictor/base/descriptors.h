/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descriptors.h - the file descriptors of this process */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

/* Close all from 3 up but fds[0..count-1], for a child that must not hold what
 * its parent has open.  Needs /proc. */
int descriptors_keep_only(const int fds[], size_t count, struct sp_error *err);
