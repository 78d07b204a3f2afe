/* policy.h - what a site wants of predictions at submission
 *
 * Plain data, filled from the tokens of slurm.conf (tokens.h).  Knows nothing
 * of Slurm's own types.
 */
#ifndef PLUGIN_SITE_POLICY_H
#define PLUGIN_SITE_POLICY_H

#include <stdint.h>

#include "predictor/client/client.h"
#include "predictor/features/prediction.h"
#include "predictor/features/submission.h"

#define POLICY_PARTITIONS_MAX 64

enum policy_message {
	MESSAGE_OFF,   /* the user is told nothing */
	MESSAGE_KNOWN, /* silent unless finished runs say something */
	MESSAGE_ON
};

/* Whether the select plugin gives jobs the nodes where they run best. */
enum policy_place {
	PLACE_OFF,     /* Slurm chooses, as ever */
	PLACE_OBSERVE, /* Slurm chooses; what we would have is logged */
	PLACE_ON,
	PLACE_BY_MODE /* nothing is said: on if the mode is act, else as the
			 mode is */
};

/* What is different for one partition. */
struct policy_partition {
	char name[RUN_NAME_SIZE];
	enum prediction_mode mode; /* MODE_COUNT: as everywhere */
	enum policy_place place;   /* PLACE_BY_MODE: as everywhere */
	uint32_t limit_max_min;    /* minutes; 0: as everywhere */
};

struct policy {
	char url[CLIENT_URL_SIZE];
	long timeout_ms;
	enum prediction_mode mode;
	double quantile; /* 0 to 1 */
	enum policy_message message;
	enum policy_place place;
	double margin;          /* of a limit we set, above the quantile */
	uint32_t limit_min_min; /* least limit we set, in minutes */
	uint32_t limit_max_min; /* greatest one; 0: none configured */
	int partitions_count;

	/* Behind these nothing is set. */
	struct policy_partition partitions[POLICY_PARTITIONS_MAX];
};

/* What holds where slurm.conf says nothing. */
void policy_init(struct policy *ret);

/* What is said of partitions, and no more than that: this is done for each
 * submission. */
void policy_copy(const struct policy *policy, struct policy *ret);

/* The entry for a partition, made if need be.  NULL: no room. */
struct policy_partition *policy_partition_get(struct policy *policy,
					      const char *name);

/* The mode for a job in `partitions` ("a,b": the least intrusive of them
 * counts), or in `default_partition` if that is NULL or empty, or everywhere
 * if both are. */
enum prediction_mode policy_mode(const struct policy *policy,
				 const char *partitions,
				 const char *default_partition);

/* What is to be done about nodes for a job in one partition: what is said of
 * the partition, else what is said for all, else as the partition's mode is.
 * Never PLACE_BY_MODE. */
enum policy_place policy_place(const struct policy *policy,
			       const char *partition);

/* The user's own wish (setting "mode" or PREDICT_MODE) may lower a mode, never
 * raise it; a wish that is no mode is none. */
enum prediction_mode policy_lower_mode(enum prediction_mode mode,
				       const struct submission *job);

/* The limit in minutes that suits a prediction: its quantile with the margin
 * on top, within the policy's bounds for these partitions.  0: none, for it
 * does not rest on finished runs or is beyond what Slurm can take. */
uint32_t policy_limit_min(const struct policy *policy, const char *partitions,
			  const char *default_partition,
			  const struct prediction_answer *prediction);

#endif
