/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction.h - what was predicted for a submission, and what it rests on
 *
 * Plain data: made by the engine, sent over the wire, stored, and compared
 * with the run in the end.  NAN stands for "not known".
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/enum_words.h"
#include "predictor/features/job_size.h"
#include "predictor/features/measurement.h"
#include "predictor/features/run.h"

/* What AdminComment has instead of "predict=ID" where predictd did not reply
 * at the submission. */
#define PREDICTION_MISSED "predict=missed"

#define PREDICTION_MODELS_MAX      24
#define PREDICTION_MODEL_NAME_SIZE 24

/* What a prediction rests on, from best to nothing at all. */
enum prediction_basis {
	BASIS_HISTORY, /* finished runs */
	BASIS_LIMIT,   /* only the user's own limit */
	BASIS_NOTHING, /* median_s and quantile_s are NAN */
	BASIS_COUNT
};

extern const struct enum_words prediction_basis_words;
const char *prediction_basis_name(enum prediction_basis basis); /* "history" */

/* Whose runs a prediction rests on, from none to those that tell most. */
enum evidence_level {
	EVIDENCE_NONE,        /* no run, or not recorded */
	EVIDENCE_SITE,        /* other users' only */
	EVIDENCE_USER,        /* this user's, of other applications */
	EVIDENCE_APPLICATION, /* completed, of this application: this user's,
				 or where there are none other users' with
				 the same parameters; own_runs says which */
	EVIDENCE_COUNT
};

extern const struct enum_words evidence_level_words; /* "user" */

/* The runs of the evidence in words: "3 similar runs", "3 similar runs of other
 * users", "3 runs of your other programs", "other users' jobs".  `whose` is
 * "your", or as a third person says it. */
#define EVIDENCE_WORDS_SIZE 64
const char *evidence_words(enum evidence_level level, uint32_t evidence_runs,
			   uint32_t own_runs, const char *whose,
			   char ret_text[EVIDENCE_WORDS_SIZE]);

/* Return whether a time is known but no run of the application: people get it
 * as a guess, without a quantile, and no limit is set by it. */
bool prediction_is_guess(enum prediction_basis basis,
			 enum evidence_level level);

/* Why a prediction is far from all runs of the same application and parameters,
 * as the believed model said when the query was changed. */
enum prediction_unlike {
	UNLIKE_NOT,        /* it is within .5 to 2 times these */
	UNLIKE_LAST,       /* the last runs had such errors */
	UNLIKE_CONDITIONS, /* the nodes' load or links are others */
	UNLIKE_SIZE,       /* so are nodes, tasks or CPUs */
	UNLIKE_TRAITS,     /* so are texts among the arguments and the like */
	UNLIKE_FEW,        /* it is too few runs */
	UNLIKE_MODEL,      /* the model weighs other runs more */
	UNLIKE_COUNT
};

extern const struct enum_words prediction_unlike_words; /* "few" */

/* The policy under which it was made. */
enum prediction_mode {
	MODE_OFF,     /* no prediction is made */
	MODE_OBSERVE, /* stored only */
	MODE_ADVISE,  /* shown to the user */
	MODE_ACT,     /* given to Slurm, too */
	MODE_COUNT
};

extern const struct enum_words prediction_mode_words;
const char *prediction_mode_name(enum prediction_mode mode); /* "advise" */

/* When it was made, of the times that count. */
enum prediction_stage {
	STAGE_SUBMISSION, /* on nodes assumed */
	STAGE_WAITING,    /* again, after other runs have ended: the newest */
	STAGE_START,      /* again, on the nodes given */
	STAGE_COUNT
};

extern const struct enum_words prediction_stage_words;

/* The run time as a distribution: its quantiles at these probabilities. */
#define PREDICTION_KNOTS 21
extern const double prediction_knots[PREDICTION_KNOTS];
#define PREDICTION_LEVELS 6

/* A finished run that it rests on. */
struct prediction_evidence {
	uint32_t job_id;
	double runtime_s;
	double weight; /* share of the prediction, 0 to 1 */
};

#define PREDICTION_EVIDENCE_MAX 8 /* those of most weight */

/* What one model predicted. */
struct prediction_candidate {
	char model[PREDICTION_MODEL_NAME_SIZE];
	double median_s; /* NAN: it had no prediction */
};

#define PREDICTION_NODES_SHOWN_SIZE 40
#define PREDICTION_OUTSIDE_SIZE     72

/* Return whether judged predictions have been right about a quantile often
 * enough to act by it: at least PREDICTION_JUDGED_MIN, and as many runs `held`
 * within it as it promises, but for chance. */
#define PREDICTION_JUDGED_MIN 5
bool prediction_quantile_holds(uint32_t judged, uint32_t held, double quantile);

struct prediction {
	char id[PREDICTION_ID_SIZE]; /* the same at all stages */
	enum prediction_stage stage;
	double made_at_s; /* since the epoch */
	enum prediction_mode mode;

	/* The query point. */
	char cluster[RUN_NAME_SIZE];
	uint32_t user_id;
	char account[RUN_NAME_SIZE], partition[RUN_NAME_SIZE];
	char qos[RUN_NAME_SIZE];
	char features[RUN_FEATURES_SIZE]; /* of nodes, requested */
	char gres[RUN_GRES_SIZE];         /* requested over all nodes, as
				     gres_list_print() has it */
	char job_name[RUN_NAME_SIZE];
	struct application application;
	uint32_t nodes, tasks, cpus;
	double memory_mb; /* requested over all nodes; 0: not given */
	double limit_s;   /* NAN: none given, HUGE_VAL: unlimited */
	char assumed_nodes[RUN_NODES_SIZE]; /* hostlist; empty: none known */
	struct conditions conditions;       /* assumed, on these nodes */
	bool unfit; /* the cluster has no nodes for it: Slurm rejects it */
	/* If a job leaves the number of nodes open, and the select plugin
	 * chooses it: the best number, which is assumed.  0: not known. */
	uint32_t nodes_best;
	/* The assumed nodes, where the run time depends on which it
	 * gets; empty: it does not, or they are too long for the line
	 * at submission. */
	char nodes_shown[PREDICTION_NODES_SHOWN_SIZE];

	/* At the start: the best set of free nodes that the job did not get,
	 * empty: not known; and the median on it, NAN: not known. */
	char rejected_nodes[RUN_NODES_SIZE];
	double rejected_s;

	/* Changes of runs below this number were learned (struct run);
	 * 0: not known. */
	int64_t seen;

	/* The result. */
	enum prediction_basis basis;
	char model[PREDICTION_MODEL_NAME_SIZE]; /* empty: nothing known */
	double median_s;
	double quantile;   /* 0 to 1, as requested */
	double quantile_s; /* run time not exceeded with that probability */
	uint32_t runs;     /* finished runs that the model rests on, whosever */
	enum evidence_level evidence_level;
	uint32_t evidence_runs; /* at that level; people see this number */
	uint32_t own_runs;      /* completed, of this user and application */
	/* How many of the last predictions for this user and application
	 * have been judged, and how many of these runs completed within
	 * their quantile. */
	uint32_t judged, held;
	/* The size, a parameter or the value of a trait is outside of all runs
	 * of the application; what is, for people ("steps 3000, 200 to 600
	 * seen"), and whether that leaves quantile_s no better than a guess. */
	bool extrapolated;
	char outside[PREDICTION_OUTSIDE_SIZE];
	bool unbounded;
	/* Newest runs of the same application, size and parameters, and those
	 * that took longer than the job's limit. */
	uint32_t similar_runs, over_limit;
	double limit_chance; /* that it reaches the limit; NAN: not known */
	/* And the runs of the same application and parameters that it is
	 * unlike, of any size. */
	enum prediction_unlike unlike;
	uint32_t unlike_runs;
	double unlike_shortest_s, unlike_longest_s;
	/* At submission, as it is stored: what its user would have been advised
	 * to request; 0: nothing. */
	double advised_s, advised_memory_mb;
	uint32_t advised_cpus;
	bool memory_unadvised; /* predict_memory=off */
	double start_cost_s; /* of a job on one node, see start_costs.h; 0: not
				known, or little against the median */
	double last_error; /* of this model on this application, the last time:
			      |predicted - actual| / actual */
	double knots_s[PREDICTION_KNOTS]; /* NAN: nothing known */
	/* At which they were read by calibration (calibration.h); NAN: not
	 * known. */
	double levels[PREDICTION_LEVELS];
	int evidence_count;
	struct prediction_evidence evidence[PREDICTION_EVIDENCE_MAX];
	int candidates_count;
	struct prediction_candidate candidates[PREDICTION_MODELS_MAX];
};

/* Return the quantile that people may rest a time limit on; NAN: none. */
double prediction_sure_quantile_s(const struct prediction *p);

/* Set nodes, tasks, CPUs and memory: those that a job of this size would get
 * now, as for job_size_nodes(). */
void prediction_size(struct prediction *p, const struct job_size *size,
		     uint32_t cpus_per_node);

/* When a job would start, by its priority.  The first number is that of a job
 * like the newest one of its partition.  Then come four times a priority, and
 * for a job above it low, median and high, in seconds from now; the last ones
 * are for any. */
#define PREDICTION_STARTS 17

/* What the submitter of a job gets of it. */
struct prediction_answer {
	char id[PREDICTION_ID_SIZE];
	enum prediction_basis basis;
	uint32_t runs;
	bool unfit;
	uint32_t nodes_best;
	char nodes_shown[PREDICTION_NODES_SHOWN_SIZE];
	enum evidence_level evidence_level;
	uint32_t evidence_runs, own_runs, judged, held;
	bool extrapolated, unbounded;
	char outside[PREDICTION_OUTSIDE_SIZE];
	uint32_t similar_runs, over_limit;
	double limit_s;
	double median_s;
	double quantile;
	double quantile_s;
	double start_cost_s;
	double last_error;
	bool starts_known;
	double starts[PREDICTION_STARTS];
};
