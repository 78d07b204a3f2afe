/* users.h - numbers for users of whom only the names are known
 *
 * Private to predictor/logs/.  Asks the system once for each name, if it is
 * asked at all; a user whom it does not know gets a number above 2^31 that
 * follows from the name alone, so that the same log gives the same numbers
 * everywhere.
 */
#ifndef PREDICTOR_LOGS_USERS_H
#define PREDICTOR_LOGS_USERS_H

#include <stdbool.h>
#include <stdint.h>

struct users;

struct users *users_create(bool ask_system); /* NULL: out of memory */
void users_destroy(struct users *users);     /* NULL is allowed */

uint32_t users_number(struct users *users, const char *name);

/* A number of 2^31 or more, and below UINT32_MAX, for a text. */
uint32_t users_made_number(const char *text);

#endif
