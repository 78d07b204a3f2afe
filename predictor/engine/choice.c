/* choice.c - which model is believed */
#include <math.h>

#include "predictor/engine/choice.h"

int choice_make(const struct choice *choice)
{
	for (int i = 0; i < choice->count; i++)
		if (isfinite(choice->answers[i].median_s))
			return i;
	return -1;
}
