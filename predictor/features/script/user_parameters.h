/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_parameters.h - application and parameters that the user gives
 *
 * --predict-param comes as settings "param", "n=8000" (several with blanks
 * between them); variables as settings "PREDICT_n", "8000"; lines of the script
 * as `#PREDICT n=8000`, at the beginning of a line, outside of
 * here-documents.  A value that is no number makes a trait.
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/submission.h"

/* Each adds to *ret; the name is unchanged if none is given. */
void user_parameters_options(const struct submission *job,
			     struct application *ret);
void user_parameters_variables(const struct submission *job,
			       struct application *ret);
void user_parameters_lines(const char *script, size_t size,
			   struct application *ret);
