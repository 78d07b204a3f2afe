/* mixture_runs.h - the finished runs that the mixture finds likeness in
 *
 * Runs lie in slots.  A ring holds the last few runs that have some traits in
 * common; there is one ring for each combination of traits and their values.
 * A run lives as long as a ring holds it.  The number of runs and of rings is
 * bounded: when either is used up, rings that nobody asked for lately go (the
 * clock algorithm).  All decisions follow from the calls alone: two processes
 * that are told the same hold the same.
 */
#ifndef PREDICTOR_MODELS_MIXTURE_MIXTURE_RUNS_H
#define PREDICTOR_MODELS_MIXTURE_MIXTURE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

/* What two jobs can have in common, one value for each; 0: not given. */
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
	uint32_t sequence; /* ends are counted */
	uint32_t job_id;
	uint32_t submitted_s; /* since the epoch */
	uint32_t ended_s;
	float ln_runtime; /* >= 0: shorter than a second is a second */
	float ln_limit;   /* NAN: none */
	float ln_size;
	uint8_t end; /* enum outcome_end */
	uint8_t rings;
	/* As they stood when it was submitted, as mixture_sessions.h has
	 * them; and how far what was said of it was off, in half units of ln,
	 * MIXTURE_SURPRISES - 1: nothing was said. */
	uint8_t gap, in_flight, last;
	uint8_t surprise;
};

#define MIXTURE_SURPRISES 32

/* The rings, in the order in which they are read. */
struct mixture_ring_kind {
	uint8_t traits; /* TRAIT_BITs in common */
	uint8_t needs;  /* TRAIT_BITs that must be known */
	uint8_t length; /* runs */
	bool fallback;  /* read when others gave little */
};

#define MIXTURE_RING_KINDS 10
extern const struct mixture_ring_kind mixture_ring_kinds[MIXTURE_RING_KINDS];

struct mixture_runs;

struct mixture_runs *mixture_runs_create(void); /* NULL: out of memory */
void mixture_runs_destroy(struct mixture_runs *runs);

/* The traits that are known: those who name somebody or something must not
 * be 0; that no limit or memory was given is as good a likeness as another. */
unsigned mixture_traits_known(const uint32_t traits[MIXTURE_TRAITS]);

/* Enter a run into its rings; sequence and rings are filled in.  Without
 * memory it is left out.  Runs are told apart by cluster only in rings. */
void mixture_runs_add(struct mixture_runs *runs, uint32_t cluster,
		      const struct mixture_run *run);

/* By which a ring of each kind is found for one who has these traits.  Also has
 * the processor fetch the rings: found one after the other, each would be
 * waited for by itself. */
void mixture_runs_keys(const struct mixture_runs *runs, uint32_t cluster,
		       const uint32_t traits[MIXTURE_TRAITS],
		       uint64_t ret[MIXTURE_RING_KINDS]);

/* Slots of the runs of the ring with that key, newest first. */
int mixture_runs_ring(struct mixture_runs *runs, uint64_t key,
		      uint32_t ret[MIXTURE_RING_MAX]);

/* Valid until the next mixture_runs_add(). */
const struct mixture_run *mixture_runs_at(const struct mixture_runs *runs,
					  uint32_t slot);

#endif
