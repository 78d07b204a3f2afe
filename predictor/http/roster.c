/* roster.c - the nodes that take part in probes of links */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/base/hostlist.h"
#include "predictor/features/run.h"
#include "predictor/features/topology_file.h"
#include "predictor/http/roster.h"

#define AGAIN_SOON_S  5.0  /* while nodes come and go */
#define AGAIN_S       60.0 /* when none does */
#define AGAIN_PER_S   50.0 /* all nodes together ask so often, at most */
#define SETTLED_S     30.0 /* without a change */
#define KEEP_ASKS     15   /* a node may miss so many */
#define TOPOLOGY_LOOK 30.0 /* seconds until the file is looked at again */

struct entry {
	char cluster[RUN_NAME_SIZE];
	char node[HOSTLIST_NAME_SIZE];
	double asked_s;
};

struct roster {
	pthread_mutex_t lock;
	size_t count, room;
	struct entry *entries; /* by cluster and name */
	double changed_s;
	char *topology_path; /* NULL: none */
	char *topology;      /* NULL: none that is any good */
	struct topology_file topology_file;
	double looked_s;
};

struct roster *roster_create(const char *topology_path)
{
	struct roster *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	r->looked_s = r->changed_s = -HUGE_VAL;
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
	pthread_mutex_destroy(&r->lock);
	free(r->entries);
	free(r->topology_path);
	free(r->topology);
	free(r);
}

/* --- Topology ------------------------------------------------------------ */

/* A file that is wrong is as none. */
static char *read_topology(const char *path)
{
	struct sp_error err;
	char *text = topology_file_read(path, NULL, &err);

	if (!text)
		log_warning("%s: %s; links are probed as if all nodes hung on "
			    "one switch",
			    path, err.text);
	return text;
}

static void look_at_topology(struct roster *r, double now_s)
{
	if (!r->topology_path || now_s < r->looked_s + TOPOLOGY_LOOK)
		return;
	r->looked_s = now_s;
	if (!topology_file_changed(&r->topology_file))
		return;
	free(r->topology);
	r->topology = read_topology(r->topology_path);
	r->changed_s = now_s;
}

/* --- Nodes ------------------------------------------------------------------ */

static double again_s(const struct roster *r, double now_s)
{
	double calm_s = fmax(AGAIN_S, (double)r->count / AGAIN_PER_S);

	return now_s < r->changed_s + SETTLED_S ? fmin(AGAIN_SOON_S, calm_s)
						: calm_s;
}

static void forget_silent(struct roster *r, double now_s)
{
	double keep_s =
		KEEP_ASKS * fmax(AGAIN_S, (double)r->count / AGAIN_PER_S);
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++)
		if (now_s - r->entries[i].asked_s < keep_s)
			r->entries[kept++] = r->entries[i];
	if (kept < r->count)
		r->changed_s = now_s;
	r->count = kept;
}

static int compare(const struct entry *e, const char *cluster, const char *node)
{
	int order = strcmp(e->cluster, cluster);

	return order ? order : strcmp(e->node, node);
}

/* The first that does not stand before. */
static size_t position(const struct roster *r, const char *cluster,
		       const char *node)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&r->entries[middle], cluster, node) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int make_room(struct roster *r, struct sp_error *err)
{
	size_t room = r->room ? 2 * r->room : 64;
	struct entry *entries;

	if (r->count < r->room)
		return 0;
	if (r->count >= ROSTER_NODES_MAX)
		return sp_error_set(err, "more than %d nodes probe",
				    ROSTER_NODES_MAX);
	entries = realloc(r->entries, room * sizeof(*entries));
	if (!entries)
		return sp_error_set(err, "out of memory");
	r->entries = entries;
	r->room = room;
	return 0;
}

static int put(struct roster *r, const char *cluster, const char *node,
	       double now_s, struct sp_error *err)
{
	size_t at = position(r, cluster, node);

	if (at == r->count || compare(&r->entries[at], cluster, node) != 0) {
		forget_silent(r, now_s);
		if (make_room(r, err))
			return -1;
		at = position(r, cluster, node);
		memmove(r->entries + at + 1, r->entries + at,
			(r->count - at) * sizeof(*r->entries));
		r->count++;
		snprintf(r->entries[at].cluster, sizeof(r->entries->cluster),
			 "%s", cluster);
		snprintf(r->entries[at].node, sizeof(r->entries->node), "%s",
			 node);
		r->changed_s = now_s;
	}
	r->entries[at].asked_s = now_s;
	return 0;
}

/* --- What is told --------------------------------------------------------------- */

/* FNV-1a: not against an enemy, only to see that something changed. */
static uint64_t hash(uint64_t h, const char *text)
{
	do
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	while (*text++);
	return h;
}

static char *list_nodes(const struct roster *r, size_t first, size_t end)
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

static int tell(const struct roster *r, const char *cluster, const char *known,
		double now_s, struct wire_roster *ret, struct sp_error *err)
{
	size_t first = position(r, cluster, ""), end = first;
	const char *topology = r->topology ? r->topology : "";
	struct wire_roster told = { .ask_again_s = again_s(r, now_s) };
	uint64_t id = hash(0xcbf29ce484222325, topology);

	while (end < r->count && !strcmp(r->entries[end].cluster, cluster))
		id = hash(id, r->entries[end++].node);
	snprintf(told.id, sizeof(told.id), "%016" PRIx64, id);
	if (strcmp(told.id, known) != 0) {
		told.nodes = list_nodes(r, first, end);
		told.topology = strdup(topology);
		if (!told.nodes || !told.topology) {
			wire_roster_clear(&told);
			return sp_error_set(err, "out of memory");
		}
	}
	*ret = told;
	return 0;
}

int roster_ask(struct roster *r, const char *cluster, const char *node,
	       const char *known, double now_s, struct wire_roster *ret,
	       struct sp_error *err)
{
	int rc = 0;

	pthread_mutex_lock(&r->lock);
	look_at_topology(r, now_s);
	if (*node)
		rc = put(r, cluster, node, now_s, err);
	if (!rc)
		rc = tell(r, cluster, known, now_s, ret, err);
	pthread_mutex_unlock(&r->lock);
	return rc;
}
