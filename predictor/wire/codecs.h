/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codecs.h - codecs of what several messages share
 *
 * Private to predictor/wire/.
 */
#ifndef PREDICTOR_WIRE_CODECS_H
#define PREDICTOR_WIRE_CODECS_H

#include "predictor/wire/fields.h"

extern const struct codec codec_id;    /* char[PREDICTION_ID_SIZE] */
extern const struct codec codec_stage; /* enum prediction_stage */
extern const struct codec codec_mode;  /* enum prediction_mode */
extern const struct codec codec_basis; /* enum prediction_basis */
extern const struct codec codec_evidence_level;
extern const struct codec codec_unlike;     /* enum prediction_unlike */
extern const struct codec codec_state;      /* enum run_state */
extern const struct codec codec_parameters; /* struct parameters */

extern const struct field conditions_fields[]; /* of struct conditions */

#endif
