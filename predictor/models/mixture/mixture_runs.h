/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_runs.h - finished runs, in rings of those that share traits
 *
 * Runs are in slots.  A ring holds the last few runs that have some traits in
 * common; there is one ring for each combination of traits and their values.
 * A run is kept as long as a ring holds it.  The numbers of runs and of rings
 * are bounded: when one is reached, rings that were not used lately are removed
 * (the clock algorithm).  The same calls lead to the same state in every
 * process.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What two jobs can share, one value for each; 0: not given. */
enum mixture_trait {
	TRAIT_USER,
	TRAIT_APPLICATION,
	TRAIT_SIZE,
	TRAIT_LIMIT,
	TRAIT_PARTITION,
	TRAIT_ACCOUNT,
	TRAIT_MEMORY,
	MIXTURE_TRAITS
};

#define TRAIT_BIT(trait)  (1u << TRAIT_##trait)
#define MIXTURE_PATTERNS  (1u << MIXTURE_TRAITS) /* sets of traits */
#define MIXTURE_RING_MAX  32                     /* runs in a ring */
#define MIXTURE_RUNS_MAX  (1u << 19)
#define MIXTURE_RINGS_MAX (1u << 19)

/* One cache line. */
struct mixture_run {
	uint32_t traits[MIXTURE_TRAITS];
	uint32_t sequence; /* number in the order of ends */
	uint32_t job_id;
	uint32_t submitted_s; /* since the epoch */
	uint32_t ended_s;
	float ln_runtime; /* >= 0: shorter than a second is a second */
	float ln_limit;   /* NAN: none */
	float ln_size;
	uint8_t end; /* enum outcome_end */
	uint8_t rings;
	/* At its submission, see mixture_sessions.h; and the error of its
	 * prediction, in half units of ln, MIXTURE_SURPRISES - 1: there was
	 * none. */
	uint8_t gap, in_flight, last;
	uint8_t surprise;
};

#define MIXTURE_SURPRISES 32

/* The rings, in the order in which they are read. */
struct mixture_ring_kind {
	uint8_t traits; /* TRAIT_BITs in common */
	uint8_t needs;  /* TRAIT_BITs that must be known */
	uint8_t length; /* runs */
	bool fallback;  /* read when others have few runs */
};

#define MIXTURE_RING_KINDS 10
extern const struct mixture_ring_kind mixture_ring_kinds[MIXTURE_RING_KINDS];

struct mixture_runs;

struct mixture_runs *mixture_runs_create(void); /* NULL: out of memory */
void mixture_runs_destroy(struct mixture_runs *runs);

/* Return the traits that are known: user, application and account must not be
 * 0; a limit or memory that was not given is a value like others. */
unsigned mixture_traits_known(const uint32_t traits[MIXTURE_TRAITS]);

/* Add a run to its rings; its sequence and number of rings are set.  Left out
 * if out of memory.  Rings are of one cluster each. */
void mixture_runs_add(struct mixture_runs *runs, uint32_t cluster,
		      const struct mixture_run *run);

/* Find the keys of the rings of each kind for these traits.  Also prefetches
 * the rings, so that their cache misses overlap. */
void mixture_runs_keys(const struct mixture_runs *runs, uint32_t cluster,
		       const uint32_t traits[MIXTURE_TRAITS],
		       uint64_t ret[MIXTURE_RING_KINDS]);

/* Slots of the runs of the ring with that key, newest first. */
int mixture_runs_ring(struct mixture_runs *runs, uint64_t key,
		      uint32_t ret[MIXTURE_RING_MAX]);

/* Valid until the next mixture_runs_add(). */
const struct mixture_run *mixture_runs_at(const struct mixture_runs *runs,
					  uint32_t slot);
