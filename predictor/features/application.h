/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.h - what makes runs alike, and the numbers that tell them apart
 *
 * Found in what was submitted by script/identify.h.
 */
#ifndef PREDICTOR_FEATURES_APPLICATION_H
#define PREDICTOR_FEATURES_APPLICATION_H

#include "predictor/features/parameters.h"

#define APPLICATION_NAME_SIZE 96

struct application {
	char name[APPLICATION_NAME_SIZE]; /* never empty */
	struct parameters parameters;
};

#endif
