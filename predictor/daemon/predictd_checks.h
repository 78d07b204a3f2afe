/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_checks.h - `predictd --check`: what is wrong with this site */
#pragma once

#include <stdbool.h>

/* Print what is found with the configuration file at `path`, as text or as
 * JSON. Gives how many errors there are. */
int predictd_check(const char *path, bool json);
