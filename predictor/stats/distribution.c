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

double distribution_quantile(struct distribution *d, double p)
{
	double total = 0;

	sort_atoms(d);
	for (int i = 0; i < d->count; i++)
		total += d->atoms[i].weight;

	double before = 0;      /* weight of the atoms below this one */
	double last_middle = 0; /* of the atom below */

	for (int i = 0; i < d->count; i++) {
		const struct distribution_atom *atom = &d->atoms[i];
		double middle = before + atom->weight / 2;

		if (p * total <= middle && i == 0)
			return atom->value;
		if (p * total <= middle)
			return atom[-1].value +
			       (p * total - last_middle) /
				       (middle - last_middle) *
				       (atom->value - atom[-1].value);
		before += atom->weight;
		last_middle = middle;
	}
	return d->count ? d->atoms[d->count - 1].value : NAN;
}
