/* SPDX-License-Identifier: GPL-2.0-or-later */
/* roster.c - the nodes that take part in probes of links
 *
 * Entries are sorted by cluster and name.  A node that has not polled for long
 * expires, but only when another one is added.  Collectors poll more
 * often after a change, and less often the more they are.  One lock
 * guards everything.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/hostlist.h"
#include "predictor/base/index.h"
#include "predictor/base/log.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/conditions/roster.h"
#include "predictor/features/run.h"
#include "predictor/features/topology_file.h"

#define POLL_UNSETTLED_S 5.0  /* interval soon after a change */
#define POLL_SETTLED_S   60.0 /* interval otherwise */
#define POLLS_PER_S_MAX  50.0 /* of all nodes together */
#define SETTLED_S        30.0 /* without a change */
#define MISSED_POLLS_MAX 15   /* before a node expires */
#define TOPOLOGY_CHECK_S 30.0 /* how often the file is checked for changes */

struct roster_entry {
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	double polled_s;
};

struct roster {
	struct ordered_lock lock;
	uint32_t count, room;
	struct roster_entry *entries; /* by cluster and name */
	double changed_s;
	char *topology_path; /* NULL: none */
	char *topology;      /* NULL: none, or it has an error */
	struct topology_file topology_file;
	double topology_checked_s;
};

struct roster *roster_create(const char *topology_path)
{
	struct roster *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	ordered_lock_init(&r->lock, LOCK_ROSTER);
	r->topology_checked_s = r->changed_s = -HUGE_VAL;
	if (topology_path && *topology_path &&
	    !(r->topology_path = strdup(topology_path))) {
		roster_destroy(r);
		return NULL;
	}
	r->topology_file.path = r->topology_path;
	return r;
}

void roster_destroy(struct roster *r)
{
	if (!r)
		return;
	ordered_lock_destroy(&r->lock);
	free(r->entries);
	free(r->topology_path);
	free(r->topology);
	free(r);
}

/* --- Topology ------------------------------------------------------------ */

/* A file with an error is ignored. */
static char *topology_read(const char *path)
{
	struct sp_error err;
	char *text = topology_file_read(path, NULL, &err);

	if (!text)
		log_warning("%s: %s; links are probed as if all nodes were on "
			    "one switch",
			    path, err.text);
	return text;
}

static void topology_refresh(struct roster *r, double now_s)
{
	if (!r->topology_path ||
	    now_s < r->topology_checked_s + TOPOLOGY_CHECK_S)
		return;
	r->topology_checked_s = now_s;
	if (!topology_file_changed(&r->topology_file))
		return;
	free(r->topology);
	r->topology = topology_read(r->topology_path);
	r->changed_s = now_s;
}

/* --- Nodes ---------------------------------------------------------------- */

static double poll_interval_s(const struct roster *r, double now_s)
{
	double settled_s =
		fmax(POLL_SETTLED_S, (double)r->count / POLLS_PER_S_MAX);

	return now_s < r->changed_s + SETTLED_S
		       ? fmin(POLL_UNSETTLED_S, settled_s)
		       : settled_s;
}

static void entries_expire(struct roster *r, double now_s)
{
	double keep_s =
		MISSED_POLLS_MAX *
		fmax(POLL_SETTLED_S, (double)r->count / POLLS_PER_S_MAX);
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++)
		if (now_s - r->entries[i].polled_s < keep_s)
			r->entries[kept++] = r->entries[i];
	if (kept < r->count)
		r->changed_s = now_s;
	r->count = kept;
}

static int entry_compare(const struct roster_entry *e, const char *cluster,
			 const char *node)
{
	int order = strcmp(e->cluster, cluster);

	return order ? order : strcmp(e->node, node);
}

/* Return the first entry that is not less. */
static size_t entry_position(const struct roster *r, const char *cluster,
			     const char *node)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entry_compare(&r->entries[middle], cluster, node) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int entries_reserve(struct roster *r, struct sp_error *err)
{
	if (r->count >= ROSTER_NODES_MAX)
		return sp_error_set(err, "more than %d nodes probe",
				    ROSTER_NODES_MAX);
	return index_grow(&r->entries, &r->room, r->count, sizeof(*r->entries))
		       ? sp_error_set(err, "out of memory")
		       : 0;
}

static int entry_renew(struct roster *r, const char *cluster, const char *node,
		       double now_s, struct sp_error *err)
{
	size_t at = entry_position(r, cluster, node);

	if (at == r->count ||
	    entry_compare(&r->entries[at], cluster, node) != 0) {
		entries_expire(r, now_s);
		if (entries_reserve(r, err))
			return -1;
		at = entry_position(r, cluster, node);
		memmove(r->entries + at + 1, r->entries + at,
			(r->count - at) * sizeof(*r->entries));
		r->count++;
		snprintf(r->entries[at].cluster, sizeof(r->entries->cluster),
			 "%s", cluster);
		snprintf(r->entries[at].node, sizeof(r->entries->node), "%s",
			 node);
		r->changed_s = now_s;
	}
	r->entries[at].polled_s = now_s;
	return 0;
}

/* --- The reply ------------------------------------------------------------ */

/* FNV-1a; it only has to show that something changed. */
static uint64_t hash_text(uint64_t h, const char *text)
{
	do
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	while (*text++);
	return h;
}

static char *nodes_print(const struct roster *r, size_t first, size_t end)
{
	struct hostlist list = { .count = end - first };
	size_t size = 64;
	char *text;

	list.names = calloc(list.count + 1, sizeof(*list.names));
	if (!list.names)
		return NULL;
	for (size_t i = 0; i < list.count; i++) {
		memcpy(list.names[i], r->entries[first + i].node,
		       sizeof(*list.names));
		size += strlen(list.names[i]) + 4;
	}
	text = malloc(size);
	if (text)
		hostlist_compress(&list, text, size);
	hostlist_clear(&list);
	return text;
}

static int roster_reply(const struct roster *r, const char *cluster,
			const char *known, double now_s,
			struct probe_roster *ret, struct sp_error *err)
{
	size_t first = entry_position(r, cluster, ""), end = first;
	const char *topology = r->topology ? r->topology : "";
	struct probe_roster reply = { .ask_again_s =
					      poll_interval_s(r, now_s) };
	uint64_t id = hash_text(0xcbf29ce484222325, topology);

	while (end < r->count && !strcmp(r->entries[end].cluster, cluster))
		id = hash_text(id, r->entries[end++].node);
	snprintf(reply.id, sizeof(reply.id), "%016" PRIx64, id);
	if (strcmp(reply.id, known) != 0) {
		reply.nodes = nodes_print(r, first, end);
		reply.topology = strdup(topology);
		if (!reply.nodes || !reply.topology) {
			probe_roster_clear(&reply);
			return sp_error_set(err, "out of memory");
		}
	}
	*ret = reply;
	return 0;
}

int roster_poll(struct roster *r, const char *cluster, const char *node,
		const char *known, double now_s, struct probe_roster *ret,
		struct sp_error *err)
{
	int rc = 0;

	ORDERED_LOCK_HOLD(&r->lock);

	topology_refresh(r, now_s);
	if (*node)
		rc = entry_renew(r, cluster, node, now_s, err);
	if (!rc)
		rc = roster_reply(r, cluster, known, now_s, ret, err);
	return rc;
}
