/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_options.h - the options of sbatch, srun and salloc */
#pragma once

#include <stddef.h>

/* Programs, as bits. */
#define SUBMIT_SBATCH 1
#define SUBMIT_SRUN   2
#define SUBMIT_SALLOC 4
/* And what an option of srun is for the order of ranks of a job: with one that
 * stays, a step has its tasks where it would have them without; one that
 * decides may also be given by a variable, SLURM_NAME. */
#define SUBMIT_STAYS   8
#define SUBMIT_DECIDES 16

enum submit_value {
	SUBMIT_VALUE_NONE,
	SUBMIT_VALUE_ONE,   /* in the same word or in the next one */
	SUBMIT_VALUE_MAYBE, /* in the same word, if at all */
};

struct submit_option {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	enum submit_value value;
	int programs; /* that have it so, and the two bits */
};

#define SUBMIT_OPTIONS_MAX 255

/* End with name NULL. */
extern struct submit_option submit_options[SUBMIT_OPTIONS_MAX + 1];

/* By the first `length` bytes of `name`, which may be the beginning of several
 * options with the same kind of value.  NULL: none. */
const struct submit_option *submit_option_find(int program, const char *name,
					       size_t length);

/* Return NULL if there is none. */
const struct submit_option *submit_option_letter(int program, char letter);
