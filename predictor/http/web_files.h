/* SPDX-License-Identifier: GPL-2.0-or-later */
/* web_files.h - files that are part of the program
 *
 * The page for people (predictor/web) and the description of the API.  The
 * assembler puts them into predictd, so that no installed file has to be found,
 * no path of a request leads to a file, and what is served is always of the
 * same version.
 */
#pragma once

#include <stdint.h>

struct web_file {
	const char *path; /* of its route */
	const char *type, *text;
	const uint32_t *size;
};
