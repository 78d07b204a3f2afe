/* SPDX-License-Identifier: GPL-2.0-or-later */
/* other_language.h - scripts that "#!" gives to another than a shell
 *
 * Private to script.c.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_OTHER_LANGUAGE_H
#define PREDICTOR_FEATURES_SCRIPT_OTHER_LANGUAGE_H

#include "predictor/features/script/script.h"

/* The script is the command, with the job's arguments.  False, nothing read:
 * it is for a shell. */
bool other_language_read(const struct submission *job, size_t size,
			 struct script_result *ret,
			 struct file_arguments *ret_files);

#endif
