/* spoken.h - what users say themselves of their applications
 *
 * --predict-param comes as settings "param", "n=8000" (several with blanks
 * between them); variables as settings "PREDICT_n", "8000"; lines of the
 * script as `#PREDICT n=8000`, at the begin of a line, and not within a
 * here-document.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SPOKEN_H
#define PREDICTOR_FEATURES_SCRIPT_SPOKEN_H

#include "predictor/features/application.h"
#include "predictor/features/submission.h"

/* Each adds to *ret; the name stays as it is where none is said. */
void spoken_options(const struct submission *job, struct application *ret);
void spoken_variables(const struct submission *job, struct application *ret);
void spoken_lines(const char *script, size_t size, struct application *ret);

#endif
