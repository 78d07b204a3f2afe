/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing.c - the framings there are */
#include <stddef.h>

#include "collectors/profilers/framing.h"

const struct framing *const framings[] = {
	&framing_openmpi,
	&framing_plain, /* takes everything: the last */
	NULL,
};
