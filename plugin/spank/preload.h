/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preload.h - LD_PRELOAD with our library before those of the user */
#pragma once

/* Linux has no longer strings in an environment: 32 pages, with the name. */
#define PRELOAD_TEXT_MAX (131072 - sizeof("LD_PRELOAD="))

/* Return the value of LD_PRELOAD, which the caller frees; NULL: leave it as it
 * is, since the library is there already, or the text would be too long. */
char *preload_join(const char *library, const char *loaded);
