/* SPDX-License-Identifier: GPL-2.0-or-later */
/* communicator.c - a communicator's number in traces, and its ranks of the run
 *
 * Kept as an attribute of the communicator, which MPI drops with it, so that a
 * handle that is used again brings nothing of the earlier one.
 *
 * Two communicators of the same members have different numbers only if each was
 * reported by communicator_made().  Else messages with equal tags between the
 * same ranks may be matched across them, in the order of their calls.
 */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/communicator.h"
#include "collectors/profilers/mpi/weak_symbols.h"
#include "predictor/base/hash_mix.h"
#include "predictor/base/unused.h"

#define SETS_MAX 256 /* of members, whose communicators are counted */

static struct communicator *world;
static int key = MPI_KEYVAL_INVALID;

/* How many communicators of the same members were made. */
static struct {
	uint64_t members, made;
} sets[SETS_MAX];
static int sets_count;

static int drop_attribute(MPI_Comm comm UNUSED, int keyval UNUSED, void *value,
			  void *extra UNUSED)
{
	communicator_release(value);
	return MPI_SUCCESS;
}

/* A duplicate has an attribute of its own. */
static int copy_nothing(MPI_Comm comm UNUSED, int keyval UNUSED,
			void *extra UNUSED, void *value UNUSED,
			void *copy UNUSED, int *flag)
{
	*flag = 0;
	return MPI_SUCCESS;
}

int communicators_begin(void)
{
	int size;

	if (world)
		return 0;
	if (PMPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS ||
	    PMPI_Comm_create_keyval(copy_nothing, drop_attribute, &key, NULL) !=
		    MPI_SUCCESS)
		return -1;
	world = calloc(1, sizeof(*world) + (size_t)size * sizeof(int));
	if (!world)
		return -1;
	world->uses = 1;
	world->size = size;
	for (int i = 0; i < size; i++)
		world->world[i] = i;
	return 0;
}

/* Return the members' ranks in MPI_COMM_WORLD, added up as they come: both
 * sides of an inter-communicator get the same. */
static uint64_t members_hash(const int ranks[], int count)
{
	uint64_t hash = 0;

	for (int i = 0; i < count; i++)
		hash += hash_mix((uint64_t)ranks[i] + 1);
	return hash;
}

static int translate(MPI_Group group, int size, int ret_world[])
{
	MPI_Group all;
	int rc = -1;
	int *own = malloc((size_t)size * sizeof(*own) + 1);

	if (own && PMPI_Comm_group(MPI_COMM_WORLD, &all) == MPI_SUCCESS) {
		for (int i = 0; i < size; i++)
			own[i] = i;
		rc = PMPI_Group_translate_ranks(group, size, own, all,
						ret_world) == MPI_SUCCESS
			     ? 0
			     : -1;
		PMPI_Group_free(&all);
	}
	free(own);
	return rc;
}

/* Return its ranks, and the hash of all that are in it. */
static struct communicator *ranks_list(MPI_Group group, uint64_t *hash)
{
	struct communicator *made;
	int size;

	if (PMPI_Group_size(group, &size) != MPI_SUCCESS)
		return NULL;
	made = calloc(1, sizeof(*made) + (size_t)size * sizeof(int));
	if (!made)
		return NULL;
	made->uses = 1; /* the attribute */
	made->size = size;
	if (translate(group, size, made->world)) {
		free(made);
		return NULL;
	}
	*hash += members_hash(made->world, size);
	return made;
}

/* With the hash of its members for an id. */
static struct communicator *communicator_read(MPI_Comm comm, uint64_t *hash)
{
	MPI_Group group;
	int inter;
	struct communicator *own, *remote = NULL;

	*hash = 0;
	if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
	    PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
		return NULL;
	own = ranks_list(group, hash);
	PMPI_Group_free(&group);
	if (!inter || !own)
		return own;
	if (PMPI_Comm_remote_group(comm, &group) == MPI_SUCCESS) {
		remote = ranks_list(group, hash);
		PMPI_Group_free(&group);
	}
	free(own);
	if (remote)
		remote->inter = true;
	return remote;
}

/* Return the number of those made before of the same members, from 1 on; 0:
 * too many sets. */
static uint64_t count_made(uint64_t members)
{
	int i = 0;

	while (i < sets_count && sets[i].members != members)
		i++;
	if (i == SETS_MAX)
		return 0;
	if (i == sets_count) {
		sets[i].members = members;
		sets_count++;
	}
	return ++sets[i].made;
}

static struct communicator *identify(MPI_Comm comm, bool made)
{
	uint64_t hash, nth = 0;
	struct communicator *found = communicator_read(comm, &hash);

	if (!found)
		return NULL;
	if (made)
		nth = count_made(hash);
	found->id = (int32_t)(hash_mix(hash + nth) % INT32_MAX) + 1;
	if ((nth || !made) &&
	    PMPI_Comm_set_attr(comm, key, found) == MPI_SUCCESS)
		return found;
	communicator_release(found);
	return NULL;
}

int communicator_made(MPI_Comm comm)
{
	return comm == MPI_COMM_NULL || identify(comm, true) ? 0 : -1;
}

static struct communicator *find(MPI_Comm comm)
{
	void *found;
	int flag;

	if (comm == MPI_COMM_WORLD)
		return world;
	if (key == MPI_KEYVAL_INVALID ||
	    PMPI_Comm_get_attr(comm, key, &found, &flag) != MPI_SUCCESS)
		return NULL;
	return flag ? found : identify(comm, false);
}

const struct communicator *communicator_find(MPI_Comm comm)
{
	return find(comm);
}

struct communicator *communicator_hold(MPI_Comm comm)
{
	struct communicator *found = find(comm);

	if (found)
		found->uses++;
	return found;
}

/* By MPI, in the thread that frees a communicator, and by us. */
void communicator_release(struct communicator *comm)
{
	if (comm && --comm->uses == 0)
		free(comm);
}

int communicator_world_rank(const struct communicator *comm, int rank)
{
	return rank >= 0 && rank < comm->size ? comm->world[rank] : -1;
}
