/* peer_counts.h - how many connections each local user holds
 *
 * So that no user can take all of those on which submissions are predicted.
 * Belongs to the one thread that serves the socket.
 */
#ifndef PREDICTOR_HTTP_PEER_COUNTS_H
#define PREDICTOR_HTTP_PEER_COUNTS_H

#include <stdbool.h>
#include <sys/types.h>

struct peers;

struct peers *peers_create(void); /* NULL: out of memory */
void peers_destroy(struct peers *peers);

/* One more connection of `uid`; false: that is too many, don't count it. */
bool peers_enter(struct peers *peers, uid_t uid, int limit);
void peers_leave(struct peers *peers, uid_t uid);

#endif
