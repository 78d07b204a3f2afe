/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_weights.c - the work of each node of a job, where ranks are
 * in blocks */
#include <math.h>
#include <string.h>

#include "predictor/snapshot/placement_weights.h"

static const char letters_of[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* Nodes whose work differs by less count as equal: what is measured of them
 * does not differ by less either. */
#define ALIKE 0.05

void placement_weights_of(const double work[], uint32_t count,
			  struct placement_weights *ret)
{
	double least = HUGE_VAL, most = 0;

	*ret = (struct placement_weights){ .count = 0 };
	for (uint32_t k = 0; k < count; k++) {
		least = fmin(least, work[k]);
		most = fmax(most, work[k]);
	}
	if (count < 2 || count > PLACEMENT_WEIGHTS_MAX || !(least >= 0) ||
	    !(most > 0) || !isfinite(most) || least > most * (1 - ALIKE))
		return;
	ret->count = (uint8_t)count;
	for (uint32_t k = 0; k < count; k++)
		ret->of[k] =
			(uint8_t)ceil(work[k] / most * PLACEMENT_WEIGHT_ONE);
}

void placement_weights_print(const struct placement_weights *weights,
			     char ret[PLACEMENT_WEIGHTS_SIZE])
{
	for (uint32_t k = 0; k < weights->count; k++)
		ret[k] = letters_of[weights->of[k]];
	ret[weights->count] = '\0';
}

static int letter_value(char letter)
{
	if (letter >= '0' && letter <= '9')
		return letter - '0';
	if (letter >= 'A' && letter <= 'Z')
		return letter - 'A' + 10;
	if (letter >= 'a' && letter <= 'z')
		return letter - 'a' + 36;
	return -1;
}

int placement_weights_parse(const char *letters, uint32_t count,
			    struct placement_weights *ret)
{
	struct placement_weights weights = { .count = 0 };
	int most = 0;

	if (count < 2 || count > PLACEMENT_WEIGHTS_MAX ||
	    strnlen(letters, PLACEMENT_WEIGHTS_SIZE) != count)
		return -1;
	weights.count = (uint8_t)count;
	for (uint32_t k = 0; k < count; k++) {
		int value = letter_value(letters[k]);

		if (value < 0)
			return -1;
		most = value > most ? value : most;
		weights.of[k] = (uint8_t)value;
	}
	if (most != PLACEMENT_WEIGHT_ONE)
		return -1;
	*ret = weights;
	return 0;
}
