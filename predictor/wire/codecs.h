/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codecs.h - codecs of what several messages share
 *
 * Private to predictor/wire/.
 */
#ifndef PREDICTOR_WIRE_CODECS_H
#define PREDICTOR_WIRE_CODECS_H

#include "predictor/wire/fields.h"

extern const struct codec codec_id;   /* char[PREDICTION_ID_SIZE] */
extern const struct codec codec_word; /* an enum, by field->words */

#endif
