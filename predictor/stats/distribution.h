/* SPDX-License-Identifier: GPL-2.0-or-later */
/* distribution.h - weighted values as a distribution
 *
 * A fixed number of atoms, no allocation.
 */
#pragma once

#define DISTRIBUTION_ATOMS_MAX 128

struct distribution {
	int count;
	struct distribution_atom {
		double value, weight;
	} atoms[DISTRIBUTION_ATOMS_MAX];
};

/* Add an atom.  -1, left out: it is not finite, its weight is not positive, or
 * there are too many. */
int distribution_add(struct distribution *d, double value, double weight);

/* Return the p-quantile, 0 < p < 1: atom i stands at the middle of its weight,
 * the quantile is interpolated between neighbours, and is the outermost atom
 * beyond them.  Sorts the atoms, which costs little if they are in order.  NAN
 * if there are none. */
double distribution_quantile(struct distribution *d, double p);
