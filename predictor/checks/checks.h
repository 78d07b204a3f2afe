/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.h - what may be wrong with a site, and how to mend it
 *
 * A check is a row of a table: a name, and a function that says what it found
 * and, if that is wrong, what an admin can do.  `predictd --check` and
 * `spredict doctor` run the rows below (site_checks) and rows of their own.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/slurm/slurm_conf_file.h"

enum check_verdict {
	CHECK_OK,
	CHECK_UNUSED,  /* not set up, and nothing requires it */
	CHECK_WARNING, /* works, but not as it should */
	CHECK_ERROR
};

struct check_finding {
	enum check_verdict verdict;
	char found[256];
	char mend[256]; /* empty: nothing to be done */
};

/* What is checked. */
struct check_site {
	const char *slurm_conf_path;              /* NULL: there is none */
	const struct slurm_conf_file *slurm_conf; /* NULL: cannot be read */
	struct sp_error slurm_conf_error;         /* why */
	const char *munge_socket;                 /* NULL: MUNGE's default */
	void *own; /* for the rows of the program that runs the checks */
};

struct check {
	const char *name;
	void (*run)(const struct check_site *site, struct check_finding *ret);
};

/* Slurm's configuration, our plugins, MUNGE, the clock; ends with a
 * NULL name. */
extern const struct check site_checks[];

/* Read slurm.conf: `configured` or where Slurm's commands find it.  Free with
 * check_site_close(). */
void check_site_open(struct check_site *ret, const char *configured);
void check_site_close(struct check_site *site);

/* Run the rows of both tables (NULL: none) and print what they find to the
 * standard output, as text or as JSON.  Gives how many errors there are. */
int checks_run(const struct check first[], const struct check second[],
	       const struct check_site *site, bool json);

/* For the rows: set what was found, and how to mend it (NULL: nothing to be
 * done). */
void check_set(struct check_finding *finding, enum check_verdict verdict,
	       const char *mend, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The user exists; a name or a uid. */
bool check_user_exists(const char *user);
