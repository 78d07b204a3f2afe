/* sharing.h - the run time of a profiled application on given nodes and links
 *
 * From how an application used CPUs and links when it was profiled, and how
 * long it then took, follows how long it takes where there is less of them, or
 * more.  As [2] section 3.3 says: first what slower links add, with its effect
 * on how long CPUs are idle, then what slower CPUs add to that.
 *
 * A link: messages of mean size s take (newL + s / newB) - (L + s / B) longer
 * each ([2] section 2.2).  Of the messages that a node sends one follows the
 * other, and so do those that it gets; the two directions go on at once.  But
 * of a long message MPI sends only a first part before the other side has said
 * that it takes the rest; where two nodes exchange long messages this answer
 * waits behind first parts, on either way.  Where a node lags behind the others,
 * what these send of their own accord is there when it comes to send, of long
 * messages the first parts; replies are not: they come after all that it sends.
 * Nodes that send each other as many messages, but not as much, ask and answer:
 * one direction after the other, but with several nodes at the same time.
 * Messages that nobody answers are sent ahead, while both ends compute: they add
 * nothing until they take longer than all the rest.
 *
 * A CPU: a cycle of a busy phase b (CPU seconds) and an idle phase i lasts
 * max(b + i, b / a) if the process may have the share a of the CPU: what others
 * got while it slept it gets back.  With one competitor, a = 1/2, this is the
 * formula of [2] section 2.1, a growth by (b - i) / (b + i) for b > i.  But a
 * scheduler remembers a sleep only so long: of a longer one the process gets
 * back `credit_s` and no more, and the cycle comes near to i + b / a.  Linux
 * from 6.6 on remembers nothing.  Who spins while it waits gets nothing back
 * anywhere.  A task that had more than its share while it was busy in the profile
 * missed that later, unless the node had some left over; competitors take their
 * part of that share, whatever it was.  Where others compete, a process that
 * wakes may have to wait for its turn, `turn_s` in the mean for each of them, and
 * one that looks for its next message may lose its turn, though the message is
 * there.
 *
 * Past [2]: any share; several nodes and links at once, where the slowest node
 * and the slowest link decide, as in programs whose processes go in step; nodes
 * of other speed.  Of two nodes about as slow the one has its turn last now and
 * the other then, which in the mean takes longer than either.  A node that
 * waited for slower ones in the profile has that much time to lose before it
 * holds up the others.  One to which messages only come, as in a pipeline, need
 * not wait once it is the slowest; one that gets answers to its own messages
 * waits as before.
 *
 * [2] S. Venkataramaiah, J. Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, LACSI Symposium 2002.
 */
#ifndef PREDICTOR_MODELS_SHARING_SHARING_H
#define PREDICTOR_MODELS_SHARING_SHARING_H

#include "predictor/features/profile.h"

/* A node as it is now; NAN: as in the profile. */
struct sharing_node {
	double cpu_available; /* 0 to 1: share of a CPU that a process gets */
	double cpu_speed;     /* relative to the site's reference; 1: equal */
};

/* The way from one node to another as it is now; NAN: as in the profile. */
struct sharing_link {
	double bandwidth_bps; /* bits per second, of a new stream */
	double latency_s;     /* one way */
};

/* Where the application would run.  Nodes are in the order of the job's node
 * list, as those of the profile are. */
struct sharing_setting {
	int node_count; /* 1 to PROFILE_NODES_MAX */
	const struct sharing_node *nodes;

	/* The link between two of these; NULL: all as in the profile.  Called
	 * once for each pair that exchanges messages. */
	void (*link_of)(const void *context, int from, int to,
			struct sharing_link *ret);
	const void *context;

	/* What the scheduler of the nodes does, see above.  0 is right for
	 * Linux from 6.6 on without CPU quotas. */
	double credit_s; /* CPU seconds; HUGE_VAL: as [2] has it */
	double turn_s;   /* seconds for each competitor and idle phase, or
			    message that is an answer, if these are more; for
			    who gets no answers, messages after more work
			    than a turn */

	/* Longer messages are sent in parts, of which the first is so long.
	 * 0: as [2] has it. */
	double first_part_bytes;
};

/* Open MPI's over TCP (btl_tcp_eager_limit). */
#define SHARING_FIRST_PART 65536

/* How a run time comes about. */
struct sharing_why {
	double cpu_factor; /* it is so many times what it were with the CPUs of
			      the profile */
	double link_s;     /* what links add, negative: they are faster */
	int node;          /* that the others wait for; -1: none more than in
			      the profile */
	int link_node;     /* whose links they wait for; -1: none */
};

/* Seconds; `ret_why` may be NULL.  NAN if the profile does not have what it
 * takes: a run time, and phases or messages, or if the setting is impossible.
 *
 * With another number of nodes than the profile's, the same work is taken to
 * be spread evenly over these, and each node to have as many messages of the
 * same size as a node of the profile has in the mean: a guess, for who has
 * nothing better.
 *
 * Takes a few microseconds for 4 nodes; allocates nothing. */
double sharing_runtime(const struct profile *profile,
		       const struct sharing_setting *now,
		       struct sharing_why *ret_why);

#endif
