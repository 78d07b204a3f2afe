/* SPDX-License-Identifier: GPL-2.0-or-later */
/* distribution.c - weighted values as a distribution */
#include <math.h>

#include "predictor/stats/distribution.h"

int distribution_add(struct distribution *d, double value, double weight)
{
	if (d->count >= DISTRIBUTION_ATOMS_MAX || !isfinite(value) ||
	    !isfinite(weight) || weight <= 0)
		return -1;
	d->atoms[d->count++] = (struct distribution_atom){ value, weight };
	return 0;
}

/* By insertion: values mostly come in order, and then this takes one pass. */
static void sort_atoms(struct distribution *d)
{
	for (int i = 1; i < d->count; i++) {
		struct distribution_atom atom = d->atoms[i];
		int at = i;

		for (; at && d->atoms[at - 1].value > atom.value; at--)
			d->atoms[at] = d->atoms[at - 1];
		d->atoms[at] = atom;
	}
}

void distribution_quantiles(struct distribution *d, const double *p, int count,
			    double *ret)
{
	double total = 0;

	sort_atoms(d);
	for (int i = 0; i < d->count; i++)
		total += d->atoms[i].weight;

	double before = 0; /* weight of the atoms below this one */
	double last = 0,
	       last_at = 0; /* the atom below: its middle, its value */
	int q = 0;

	for (int i = 0; i < d->count && q < count; i++) {
		const struct distribution_atom *atom = &d->atoms[i];
		double middle = before + atom->weight / 2;

		for (; q < count && p[q] * total <= middle; q++) {
			double share =
				i ? (p[q] * total - last) / (middle - last) : 1;

			ret[q] = i ? last_at + share * (atom->value - last_at)
				   : atom->value;
		}
		before += atom->weight;
		last = middle;
		last_at = atom->value;
	}
	for (; q < count; q++)
		ret[q] = d->count ? last_at : NAN;
}

double distribution_quantile(struct distribution *d, double p)
{
	double ret;

	distribution_quantiles(d, &p, 1, &ret);
	return ret;
}
