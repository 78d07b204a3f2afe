/* engine_state.h - what the engine's files share; nobody else's */
#ifndef PREDICTOR_ENGINE_ENGINE_STATE_H
#define PREDICTOR_ENGINE_ENGINE_STATE_H

#include <pthread.h>

#include "predictor/base/index.h"
#include "predictor/engine/accuracy.h"
#include "predictor/engine/engine.h"
#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/engine/records.h"
#include "predictor/conditions/nodes.h"

/* All that comes from runs that have ended, so that it can be made anew. */
struct learned {
	struct ensemble *ensemble;
	struct accuracy *accuracy;
	struct index ended; /* fingerprints of runs that were learned from */
};

struct loading;
struct sets_assumption;
struct snapshots;

/* Of a kind of jobs: how long they run, as was last predicted. */
#define HORIZONS 4096

struct horizon {
	uint64_t kind;
	float seconds; /* 0: not predicted yet */
};

struct engine {
	pthread_mutex_t lock; /* of all below but what `loading` points to */
	struct learned learned;
	struct nodes *nodes;
	struct profiles *profiles;
	struct records *predictions;
	struct records *jobs;
	struct records *waiting;  /* waiting.h */
	struct records *rejected; /* sets.h */
	struct sets_assumption *assumption;
	struct loading *loading; /* NULL, but while the past is told */

	/* Of whom nothing else is said, because most sites have only one:
	 * the one that was last heard of. */
	char cluster[RUN_NAME_SIZE];

	uint64_t predictions_made;
	uint64_t predictions_with_history;
	uint64_t measurements;
	uint64_t link_measurements;

	struct horizon horizons[HORIZONS]; /* by hash of the kind */

	struct snapshots *snapshots; /* has locks of its own */
};

int learned_create(struct learned *l); /* -1: out of memory */
void learned_destroy(struct learned *l);

/* Whether this run was learned from; and that it was, which never fails after
 * index_reserve(&l->ended). */
bool learned_knows(const struct learned *l, const struct run *run);
void learned_note(struct learned *l, const struct run *run);

/* Remember the cluster, under the lock. */
void engine_heard_of(struct engine *engine, const char *cluster);

/* The job of a prediction, as models see it; lends its texts. */
void engine_subject(const struct prediction *p, struct subject *ret);

/* A run as models see it: asking for what its prediction says (NULL: none),
 * since a run is alike to jobs that ask for the same, however many nodes and
 * CPUs Slurm makes of it.  Lends the texts of both. */
void engine_past_job(const struct run *run, const struct prediction *p,
		     struct past_job *ret);

/* The prediction made for this run, at its submission.  An id is only a text
 * that the job carries: it must be of the same user, on the same cluster.
 * Under the lock.  -1: there is none. */
int engine_prediction_of(const struct engine *engine, const struct run *run,
			 struct prediction *ret);

/* The ensemble's name for a job: the number that its prediction's id is. */
uint64_t engine_ticket(const char *prediction_id);

/* Judge a representative run by what stands in its prediction. */
void engine_score(struct accuracy *accuracy, const struct run *run,
		  const struct prediction *p);

/* Take in a run of the past; -1 as engine_learn(). */
int loading_add(struct engine *engine, const struct run *run,
		struct sp_error *err);
void loading_destroy(struct loading *l); /* NULL is allowed */

#endif
