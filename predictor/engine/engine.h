/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - answers predictions from memory, and learns
 *
 * Holds the finished runs, the last predictions, the jobs that run and the
 * state of the nodes.  Several threads may call these functions at once, but
 * for those that say otherwise.  Locks are held briefly, none during I/O, and
 * none when a function returns; engine_state.h has their order.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/link.h"
#include "predictor/features/measurement.h"
#include "predictor/features/prediction.h"
#include "predictor/features/profile.h"
#include "predictor/features/run.h"
#include "predictor/features/submission.h"
#include "predictor/features/topology.h"

struct engine;
struct node_facts;     /* node_facts.h */
struct partition_list; /* partition_sums.h */

struct engine *engine_create(void); /* NULL: out of memory */
void engine_destroy(struct engine *engine);

/* Have predictions begin with what other clusters have taught, as
 * ensemble_print_learned() prints it, else they begin with what comes with the
 * program.  Called before anything is learned, by the only thread.  Fails on a
 * text that is none; nothing was changed then. */
int engine_set_start(struct engine *engine, const char *text,
		     struct sp_error *err);

/* Predict the run time of `job` under the conditions at `now_s`.  With
 * `remember` the prediction gets an id and schedulers may ask for it; it is
 * then to be kept, too, by engine_keep().  That nothing is known is an answer
 * (BASIS_NOTHING). */
void engine_predict(struct engine *engine, const struct submission *job,
		    enum prediction_mode mode, double quantile, double now_s,
		    bool remember, struct prediction *ret);

/* Keep it for later requests.  Best called after the reply, which need not wait
 * for this.  Fails when memory ran out. */
int engine_keep(struct engine *engine, const struct prediction *p,
		struct sp_error *err);

/* A prediction made by another predictd, or before a restart. */
int engine_remember(struct engine *engine, const struct prediction *p,
		    struct sp_error *err);

/* The job of a running run has started: predict it again, on the nodes that it
 * was given, in the conditions measured there, from what is known by now.
 * False: nothing was made, since no prediction is known or this was made
 * already, or because memory ran out. */
bool engine_predict_start(struct engine *engine, const struct run *run,
			  struct prediction *ret);

/* Predict one of the waiting jobs again, which refresh.h chooses, from what is
 * known by now, on the nodes that were assumed.  Return whether that changes
 * its prediction, which is to be stored then; *ret_due: others are due, since a
 * run has ended.  Holds the engine's lock as long as a prediction. */
bool engine_refresh(struct engine *engine, double now_s, struct prediction *ret,
		    bool *ret_due);

/* Return the seconds that a job which has run for elapsed_s will go on, not
 * exceeded with that probability (0.5: the median); NAN: nothing is known. */
double engine_remaining_s(const struct prediction *p, double elapsed_s,
			  double probability);

int engine_measure(struct engine *engine, const char *cluster,
		   const struct measurement *m, struct sp_error *err);
int engine_measure_link(struct engine *engine, const char *cluster,
			const struct link_measurement *m, struct sp_error *err);

/* Which leaf switch nodes hang on, of whatever cluster; copied.  NULL: not
 * known, as it is at first. */
int engine_set_topology(struct engine *engine, const struct topology *topology,
			struct sp_error *err);

/* What Slurm says of the nodes of a cluster; the reference is taken over.  From
 * then on a prediction assumes, and best sets have, only nodes that the job may
 * have.  NULL: not known, as it is at first. */
void engine_set_node_facts(struct engine *engine, struct node_facts *facts);

/* Return whether users of that cluster may see the jobs of others, by
 * PrivateData of its slurm.conf.  Where that is not known: no. */
bool engine_shows_jobs(struct engine *engine, const char *cluster);

/* Return whether that is known, and no. */
bool engine_hides_jobs(struct engine *engine, const char *cluster);

/* Return whether that hides the state of its nodes from users.  Where it is
 * not known: yes.  Empty: of predictd's own cluster. */
bool engine_hides_nodes(struct engine *engine, const char *cluster);

/* Return whether users get advice on memory: predict_memory. */
bool engine_advises_memory(struct engine *engine, const char *cluster);

/* Find the name of predictd's own cluster; empty: not known. */
void engine_own_cluster(struct engine *engine, char ret[RUN_NAME_SIZE]);

/* Return whether the history, a collector, Slurm or slurmctld has named that
 * cluster. Empty: yes. */
bool engine_knows_cluster(struct engine *engine, const char *cluster);

/* Fill in what predictd knows of a run that a collector sent: application and
 * parameters (from its prediction; else as the collector found them, where it
 * knows that predictd missed the submission; else from its name), and the
 * conditions before its start.  Returns whether it has ended, is new, and
 * belongs to a job whose submission predictd missed. */
bool engine_complete_run(struct engine *engine, struct run *run);

/* Count jobs whose submission was missed, once their runs are stored. */
void engine_note_missed(struct engine *engine, uint64_t jobs);

/* A run that has been stored, running or ended.  Once it has ended, the
 * prediction made for it is scored and, if the run is representative, models
 * learn.  The same run again changes nothing. */
int engine_learn(struct engine *engine, const struct run *run,
		 struct sp_error *err);

/* Fill in the setting in which a profile was measured: the CPU of the node and
 * the links to its peers, as they were before the run. */
void engine_complete_profile(struct engine *engine,
			     struct profile_share *share);

/* Return whether the job of a new prediction should be profiled: there is no
 * undisturbed profile of its application and size, or it is one in `every` of
 * those that have one (0: none).  Never for jobs of unknown application, or of
 * too many nodes.  *ret_mpi: by the MPI library, as packets left open which
 * kind of farm it is. */
bool engine_wants_profile(struct engine *engine, const struct prediction *p,
			  uint32_t every, bool *ret_mpi);

/* Return whether it should be traced: one in `every` with several tasks or
 * nodes (0: none). */
bool engine_wants_trace(const struct prediction *p, uint32_t every);

/* Make the profile of a run, and whether that was a farm, of the shares of its
 * nodes.  Fails as profile_of_run() does. */
int engine_make_profile(const struct run *run,
			const struct profile_share shares[], size_t count,
			struct profile *ret, struct sp_error *err);

/* What a stored run did; joins what is known of its application.  Its size
 * and parameters are those requested, as far as the run's prediction
 * is known. */
int engine_learn_profile(struct engine *engine, const struct run *run,
			 const struct profile *profile, struct sp_error *err);

/* --- The past ---------------------------------------------------------
 *
 * Between the two, engine_learn() gets all that has ever been stored, in
 * the order of ends, which takes the place of what was learned before; until
 * then the engine answers from that.  All from one thread.  Only the newest
 * runs are replayed as they happened; of older ones only the run itself is
 * learned, which is faster.  -1: out of memory; what was learned stays. */
int engine_load_begin(struct engine *engine, struct sp_error *err);
int engine_load_end(struct engine *engine, struct sp_error *err);

/* Between the first two, past measurements are added in the
 * order of times, for nodes and links each; what is measured meanwhile waits
 * (nodes.h). */
void engine_reload_begin(struct engine *engine);
void engine_reload_end(struct engine *engine);
int engine_reload_measurement(struct engine *engine, const char *cluster,
			      const struct measurement *m,
			      struct sp_error *err);
int engine_reload_speed(struct engine *engine, const char *cluster,
			const char *node, double time_s, double speed,
			struct sp_error *err);
int engine_reload_link(struct engine *engine, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err);

/* --- Reading ------------------------------------------------------- */

/* Return -1 if it is not in memory. */
int engine_prediction(struct engine *engine, const char *id,
		      enum prediction_stage stage, struct prediction *ret);

/* Find the newest one that was made before the job started. */
int engine_prediction_waiting(struct engine *engine, const char *id,
			      struct prediction *ret);

/* Find the prediction that was made for this run.  -1: not in memory, or the
 * one that it names is of another user or cluster. */
int engine_prediction_of_run(struct engine *engine, const struct run *run,
			     enum prediction_stage stage,
			     struct prediction *ret);

/* Keep in the evidence of `p` only runs that are known to be this user's. */
void engine_evidence_of_user(struct engine *engine, uint32_t user_id,
			     struct prediction *p);

/* Find the newest run of a job.  `cluster` may be NULL or empty: the one that
 * reported a run last.  -1: none is in memory. */
int engine_job(struct engine *engine, const char *cluster, uint32_t job_id,
	       struct run *ret);

#define ENGINE_NAMES_SIZE 128

struct engine_application {
	char name[APPLICATION_NAME_SIZE];
	char cluster[RUN_NAME_SIZE];
	uint32_t runs; /* that teach something */
	double median_s;
	double last_ended_at_s;
	/* Pairs of runs of the same size and parameters, and the factor by
	 * which they differ (a geometric standard deviation, >= 1; NAN: none):
	 * no parameter that is known explains it. */
	uint32_t alike_pairs;
	double alike_factor;
	char parameters[ENGINE_NAMES_SIZE]; /* with blanks between; may end
					       early */
};

/* How good a model has been, on predictions made at submission. */
struct engine_accuracy {
	char model[PREDICTION_MODEL_NAME_SIZE]; /* "chosen": what predictd chose
						   from history */
	uint32_t runs;
	double error; /* sum |predicted - actual| / sum actual */
	/* Share of runs within the predicted quantile; NAN unless it is the
	 * chosen one. */
	double coverage;
};

/* Call `visit` for each, under the engine's lock: it must be quick, and takes
 * no lock itself.  Applications come sorted by name, only as far as `user_id`
 * has run them (UINT32_MAX: all). */
void engine_visit_applications(
	struct engine *engine, uint32_t user_id,
	void (*visit)(void *context, const struct engine_application *app),
	void *context);
/* Over the runs of `user_id`, or all (UINT32_MAX). */
void engine_visit_accuracy(
	struct engine *engine, uint32_t user_id,
	void (*visit)(void *context, const struct engine_accuracy *accuracy),
	void *context);

/* Call `visit` likewise for the profiles of an application (empty: of all). */
void engine_visit_profiles(struct engine *engine, const char *application,
			   void (*visit)(void *context,
					 const struct profile *profile),
			   void *context);

/* Keep the figures of partitions up to PARTITION_LATE, and find them, or, with
 * `judged`, those from PARTITION_JUDGED on. */
void engine_set_partitions(struct engine *engine,
			   const struct partition_list *list);
void engine_partitions(struct engine *engine, bool judged,
		       struct partition_list *ret);

struct engine_counts {
	uint64_t predictions;  /* answered since the start */
	uint64_t with_history; /* of these, BASIS_HISTORY */
	uint64_t missed;       /* jobs that were submitted without a reply */
	uint64_t runs;         /* finished, in memory */
	uint64_t running;      /* jobs under way */
	uint64_t nodes, links;
	uint64_t measurements, link_measurements;
};

void engine_count(struct engine *engine, struct engine_counts *ret);
