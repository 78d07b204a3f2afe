/* distribution.c - weighted values as a distribution */
#include <math.h>
#include <stdlib.h>

#include "predictor/stats/distribution.h"

int distribution_add(struct distribution *d, double value, double weight)
{
	if (d->count >= DISTRIBUTION_ATOMS_MAX || !isfinite(value) ||
	    !isfinite(weight) || weight <= 0)
		return -1;
	d->atoms[d->count++] = (struct distribution_atom){ value, weight };
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct distribution_atom *)a)->value;
	double y = ((const struct distribution_atom *)b)->value;

	return (x > y) - (x < y);
}

double distribution_quantile(struct distribution *d, double p)
{
	if (!d->count)
		return NAN;
	qsort(d->atoms, (size_t)d->count, sizeof(d->atoms[0]), by_value);

	double total = 0;

	for (int i = 0; i < d->count; i++)
		total += d->atoms[i].weight;

	double target = p * total;
	double before = 0; /* weight of the atoms below this one */
	double last = 0;   /* where the atom below stands */

	for (int i = 0; i < d->count; i++) {
		const struct distribution_atom *atom = &d->atoms[i];
		double middle = before + atom->weight / 2;

		if (target <= middle) {
			if (!i)
				return atom->value;

			double share = (target - last) / (middle - last);

			return atom[-1].value +
			       share * (atom->value - atom[-1].value);
		}
		before += atom->weight;
		last = middle;
	}
	return d->atoms[d->count - 1].value;
}
