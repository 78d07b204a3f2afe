/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile.h - attacks on predictd, and the clients that must not notice them
 *
 * All processes share one struct hostile_counts, in memory that fork() shares.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The first uid of attackers; whatever predictd has of these users
 * is forged. */
#define HOSTILE_UID_FIRST 20000

#define HOSTILE_CLUSTER   "little"
#define HOSTILE_PROCESSES 64 /* of one attack */

/* Where predictd is. */
struct hostile_site {
	const char *socket_path;
	int port; /* on 127.0.0.1 */
	const char *munge_socket;
	uid_t slurm_uid; /* that slurmctld runs as */
	pid_t predictd;
};

/* What the attackers got. */
struct hostile_counts {
	atomic_ulong replies[6]; /* by the first digit of the status */
	atomic_ulong closed;     /* connections that predictd closed */
	atomic_ulong refused;    /* that could not be opened */
};

/* --- attacks.c ------------------------------------------------------------ */

struct attacker;

struct attack {
	const char *name;
	const char *help;
	/* Processes, each with a uid of its own, or a loopback address. */
	int processes;
	int connections; /* of each process */
	bool tcp;
	bool here; /* on TCP from 127.0.0.1, as the clients */
	/* What each process does until it is killed. */
	void (*run)(struct attacker *attacker);
	/* Put the n-th request into `ret`, of HOSTILE_REQUEST_SIZE bytes, and
	 * give its length; for attackers_flood(). */
	size_t (*request)(uid_t uid, unsigned n, char *ret);
	/* For attackers_hold(): what is sent first. */
	const char *prefix;
};

#define HOSTILE_REQUEST_SIZE (1 << 20)

extern const struct attack attacks[]; /* ends with a NULL name */

/* --- attackers.c ---------------------------------------------------------- */

/* Make the MUNGE credential of a request, as an Authorization header of at most
 * HOSTILE_HEADER_SIZE bytes; in a process of attackers_start(). */
#define HOSTILE_HEADER_SIZE 1024
void attacker_credential(const char *payload, char *ret);

/* One process. */
struct attacker {
	const struct hostile_site *site;
	const struct attack *attack;
	struct hostile_counts *counts;
	int number; /* among the processes of the attack */
	uid_t uid;
};

/* Start an attack; gives the number of processes.  -1: fork() failed. */
int attackers_start(const struct attack *attack,
		    const struct hostile_site *site,
		    struct hostile_counts *counts,
		    pid_t ret[HOSTILE_PROCESSES]);
void attackers_stop(const pid_t pids[], int count);

/* For struct attack's run(). */
void attackers_flood(struct attacker *a);   /* requests without a pause */
void attackers_hold(struct attacker *a);    /* a byte now and then */
void attackers_connect(struct attacker *a); /* connect, close, connect, ... */

/* --- clients.c ------------------------------------------------------------ */

#define CLIENTS            5
#define CLIENT_SAMPLES_MAX 262144
#define CLIENT_KEPT_MAX    16384

struct client_sample {
	double at_s; /* of the monotonic clock */
	float latency_s;
	bool answered; /* with status 200, within the deadline */
};

/* A client that goes on before, during and after the attacks. */
struct client_row {
	const char *name;
	bool is_slurmctld; /* it has a deadline; else minutes would do */
	bool tcp;
	bool is_root;  /* else slurmctld's user */
	bool connects; /* for each request anew */
	double every_s;
	long deadline_ms;
};
extern const struct client_row client_rows[CLIENTS];

struct client_record {
	atomic_uint count;
	struct client_sample samples[CLIENT_SAMPLES_MAX];
	/* Ids of the predictions that predictd has to keep. */
	atomic_uint kept_count;
	uint64_t kept[CLIENT_KEPT_MAX];
};

/* Start the client of a row, which writes into `record`; -1: fork() failed. */
pid_t client_start(const struct client_row *row,
		   const struct hostile_site *site,
		   struct client_record *record);
