/* SPDX-License-Identifier: GPL-2.0-or-later */
/* awkward.c - uses of MPI that are allowed and that a tracer may stumble over
 *
 * usage: awkward CASE	of the table below, on an even number of ranks
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

#define LONG (1 << 20)

static char out[LONG], in[2][LONG];
static int rank, size;

/* Each asks first, then sends a message that is too long to be eager. */
static void halo(void)
{
	MPI_Request request;

	for (int i = 0; i < 5; i++) {
		MPI_Irecv(in[0], LONG, MPI_CHAR, rank ^ 1, 3, MPI_COMM_WORLD,
			  &request);
		MPI_Send(out, LONG, MPI_CHAR, rank ^ 1, 3, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

/* Ranks at the border have nobody on one side, where MPI gives several requests
 * the same handle. */
static void border(void)
{
	int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
	int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	MPI_Request ask[2], send;

	for (int i = 0; i < 5; i++) {
		MPI_Irecv(in[0], 10, MPI_CHAR, down, 0, MPI_COMM_WORLD, ask);
		MPI_Irecv(in[1], 10, MPI_CHAR, up, 0, MPI_COMM_WORLD, ask + 1);
		MPI_Isend(out, 10, MPI_CHAR, up, 0, MPI_COMM_WORLD, &send);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
		MPI_Isend(out, 10, MPI_CHAR, down, 0, MPI_COMM_WORLD, &send);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
		MPI_Waitall(2, ask, MPI_STATUSES_IGNORE);
		MPI_Sendrecv(out, 10, MPI_CHAR, up, 1, in[0], 10, MPI_CHAR,
			     down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* A communicator that is freed while requests are under way. */
static void freed(void)
{
	MPI_Request request[3];
	MPI_Comm copy;

	for (int i = 0; i < 5; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &copy);
		MPI_Irecv(in[0], 10, MPI_CHAR, rank ^ 1, 0, copy, request);
		MPI_Ibarrier(copy, request + 1);
		MPI_Isend(out, 10, MPI_CHAR, rank ^ 1, 0, copy, request + 2);
		MPI_Comm_free(&copy);
		MPI_Wait(request + 2, MPI_STATUS_IGNORE);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
}

/* Calls that fail in a communicator that returns errors. */
static void failing(void)
{
	int failed = 0;
	MPI_Comm copy;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
	failed += MPI_Send(out, 1, MPI_DATATYPE_NULL, rank ^ 1, 0, copy) != 0;
	failed += MPI_Send(out, 1, MPI_CHAR, size + 5, 0, copy) != 0;
	MPI_Send(out, 100, MPI_CHAR, rank ^ 1, 0, copy);
	failed += MPI_Recv(in[0], 10, MPI_CHAR, rank ^ 1, 0, copy,
			   MPI_STATUS_IGNORE) != 0;
	if (failed != 3)
		printf("%d calls failed\n", failed);
	MPI_Comm_free(&copy);
}

/* Two halves of the world, of which one sends to the other. */
static void halves(void)
{
	MPI_Comm half, both;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
	for (int i = 0; i < 5; i++) {
		MPI_Bcast(out, 10, MPI_CHAR,
			  rank % 2    ? 0
			  : rank == 0 ? MPI_ROOT
				      : MPI_PROC_NULL,
			  both);
		MPI_Sendrecv(out, 10, MPI_CHAR, rank / 2, 1, in[0], 10,
			     MPI_CHAR, rank / 2, 1, both, MPI_STATUS_IGNORE);
	}
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

/* Rank 0 finds messages before it receives them, one of a certain
 * rank first. */
static void matched(void)
{
	MPI_Message message;

	for (int i = 0; i < 5; i++) {
		if (rank > 0) {
			MPI_Send(out, 10 * rank, MPI_CHAR, 0, i,
				 MPI_COMM_WORLD);
			continue;
		}
		MPI_Mprobe(size - 1, i, MPI_COMM_WORLD, &message,
			   MPI_STATUS_IGNORE);
		MPI_Mrecv(in[0], 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
		for (int k = 2; k < size; k++) {
			for (int found = 0; !found;)
				MPI_Improbe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD,
					    &found, &message,
					    MPI_STATUS_IGNORE);
			MPI_Mrecv(in[0], 100, MPI_CHAR, &message,
				  MPI_STATUS_IGNORE);
		}
	}
}

/* Collectives that overlap and are waited for in another order, on a
 * communicator of one's own among them, which need nothing. */
static void begun(void)
{
	static int counts[3][2];
	MPI_Request request[3];
	int done = 0;

	for (int i = 0; i < 10; i++) {
		MPI_Iallreduce(&rank, counts[0], 1, MPI_INT, MPI_SUM,
			       MPI_COMM_WORLD, request);
		MPI_Ibarrier(MPI_COMM_SELF, request + 1);
		MPI_Ibcast(counts[2], 2, MPI_INT, 0, MPI_COMM_WORLD,
			   request + 2);
		for (done = 0; !done;)
			MPI_Test(request + 2, &done, MPI_STATUS_IGNORE);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
}

static void work(void)
{
	volatile unsigned sum = 0;

	for (int i = 0; i < 20000000; i++)
		sum = sum * 5 + (unsigned)i;
}

/* All begin, then half of them work and the others wait, and these
 * work then. */
static void overlap(void)
{
	MPI_Request request;

	for (int i = 0; i < 4; i++) {
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
		if (rank % 2)
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		work();
		if (rank % 2 == 0)
			MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "halo", halo },       { "border", border },   { "freed", freed },
	{ "failing", failing }, { "halves", halves },   { "matched", matched },
	{ "begun", begun },     { "overlap", overlap },
};

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].run();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
