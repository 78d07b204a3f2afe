/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing.c - table of framings */
#include <stddef.h>

#include "collectors/profilers/framing.h"

const struct framing *const framings[] = {
	&framing_openmpi,
	&framing_plain, /* matches everything: the last */
	NULL,
};
