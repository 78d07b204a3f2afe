/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family.h - the rows of Lee and Schopf at work, for their tests */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

struct fixture {
	void *family;
	struct history *h;
};

static inline struct fixture setup(void)
{
	struct fixture f = { lee_schopf_rows[0].create(), history_create() };

	ck_assert_ptr_nonnull(f.family);
	return f;
}

static inline void teardown(struct fixture *f)
{
	lee_schopf_rows[0].destroy(f->family);
	lee_schopf_rows[0].destroy(NULL);
	history_destroy(f->h);
}

static inline int predict_run(struct fixture *f, const char *name,
			      const struct run *run, struct model_result *ret)
{
	const struct model *row = model_named(name);
	struct query q = query_of(f->h, run);
	struct sp_error err;
	int rc = row->predict(f->family, f->h, &q, ret, &err);

	if (!rc) {
		ck_assert_double_finite(ret->median_s);
		ck_assert_double_gt(ret->median_s, 0);
		ck_assert_double_finite(ret->sigma);
		ck_assert_double_gt(ret->sigma, 0);
		ck_assert_double_gt(ret->degrees, 0);
		ck_assert_uint_ge(ret->runs, 3);
		ck_assert_int_gt(ret->evidence_count, 0);
	}
	return rc;
}

static inline void predict_all(struct fixture *f, const struct run *run)
{
	for (int i = 0; i < LEE_SCHOPF_ROWS; i++) {
		struct model_result result;

		predict_run(f, lee_schopf_rows[i].name, run, &result);
	}
}

/* The run ends, and is learned from. */
static inline void end(struct fixture *f, const struct run *run)
{
	static const struct outcome completed = { .end = OUTCOME_COMPLETED };

	ck_assert_int_eq(history_add_run(f->h, run, NULL), 0);

	struct query q = query_of(f->h, run);

	lee_schopf_rows[0].learn(f->family, f->h, &q, &completed);
}

static inline void live(struct fixture *f, const struct run *run)
{
	struct model_result result;

	predict_run(f, "dp", run, &result);
	end(f, run);
}

static inline const struct settings *settings(struct fixture *f,
					      const struct run *run)
{
	struct query q = query_of(f->h, run);

	return lee_schopf_settings(f->family, &q);
}

/* T = c n^2 / p (1 + load), as [1] has its N-body program. */
static inline struct run random_run(struct random *r, uint32_t i)
{
	uint32_t nodes = 1u << random_below(r, 3);
	double bodies = 2000 + (double)random_below(r, 11000);
	double max = 2.5 * random_unit(r);
	struct run run = nbody_run(i, nodes, bodies,
				   3e-6 * bodies * bodies / nodes * (1 + max) *
					   (1 + 0.02 * random_normal(r)));

	run_set_load(&run, max * (0.4 + 0.6 * random_unit(r)), max);
	return run;
}
