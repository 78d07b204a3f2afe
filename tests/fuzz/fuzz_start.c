/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_start.c - any text as start tables */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "predictor/models/mixture/mixture_start.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct mixture_start start, again;

/* What was read is finite, and reads the same once printed. */
static void check(void)
{
	size_t size;
	char *text = mixture_start_print(&start, &size);

	if (!text)
		return;
	if (mixture_start_parse(text, size, &again, NULL))
		abort();
	for (int i = 0; i < MIXTURE_ENTRIES; i++)
		if (!isfinite(start.theta[i]) || !(start.squares[i] >= 0) ||
		    fabsf(start.theta[i] - again.theta[i]) > 0.06f)
			abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!mixture_start_parse((const char *)data, size, &start, NULL))
		check();
	return 0;
}
