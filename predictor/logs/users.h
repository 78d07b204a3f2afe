/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.h - user ids for users whose names alone are in a log
 *
 * Private to predictor/logs/.  With look_up_users the system is asked, once for
 * each name.  A user whom it does not know gets a number above 2^31, a hash of
 * the name, so that the same log gives the same numbers everywhere.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct users;

struct users *users_create(bool look_up_users); /* NULL: out of memory */
void users_destroy(struct users *users);        /* NULL is allowed */

uint32_t users_number(struct users *users, const char *name);

/* Return a number of 2^31 or more, and below UINT32_MAX, for a text. */
uint32_t users_made_number(const char *text);
