/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mpi_report.c - reports of libpredict_mpi.so, summed over a job's processes
 *
 * One file for each process, in a folder of the job's user: names are not
 * followed as links, sizes and numbers are checked.  The format is in
 * mpi/session.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/profilers/mpi_report.h"
#include "predictor/base/remove_tree.h"

static const struct {
	const char *name;
	size_t offset;
} report_numbers[] = {
	{ "seconds", offsetof(struct mpi_report, wall_s) },
	{ "cpu", offsetof(struct mpi_report, cpu_s) },
	{ "mpi_seconds", offsetof(struct mpi_report, mpi_s) },
	{ "mpi_cpu", offsetof(struct mpi_report, mpi_cpu_s) },
	{ NULL, 0 },
};

static bool is_count(double value)
{
	return value >= 0 && isfinite(value);
}

static int peer_add(struct mpi_report *report, const char *node,
		    const struct profile_peer *sent, struct sp_error *err)
{
	int i = 0;

	if (!is_count(sent->messages) || !is_count(sent->bytes) ||
	    !is_count(sent->replies) || !is_count(sent->long_messages))
		return sp_error_set(err, "to %s: bad numbers", node);
	while (i < report->peer_count && strcmp(report->peer[i].node, node))
		i++;
	if (i == PROFILE_PEERS_MAX)
		return 0;

	struct profile_peer *peer = &report->peer[i];

	if (i == report->peer_count) {
		*peer = (struct profile_peer){ .bandwidth_bps = NAN,
					       .latency_s = NAN };
		strcpy(peer->node, node);
		report->peer_count++;
	}
	peer->messages += sent->messages;
	peer->bytes += sent->bytes;
	/* Counted by calls, while messages may be counted by MPI. */
	peer->replies += fmin(sent->replies, sent->messages);
	peer->long_messages += sent->long_messages;
	return 0;
}

/* If ranks are many, those with the same peer are added up; a place is kept
 * for one whose peer nobody else has, as the master of a farm. */
static void rank_add(struct mpi_report *report, const struct profile_rank *rank)
{
	struct profile_rank *alike = NULL;

	if (report->rank_count < 0)
		return;
	for (int i = 0; i < report->rank_count; i++)
		if (report->rank[i].peer == rank->peer)
			alike = &report->rank[i];
	if (report->rank_count < PROFILE_RANKS_MAX - (alike != NULL)) {
		report->rank[report->rank_count++] = *rank;
		return;
	}
	if (!alike) {
		report->rank_count = -1;
		return;
	}
	alike->ranks += rank->ranks;
	alike->messages += rank->messages;
	alike->bytes += rank->bytes;
	alike->peer_messages += rank->peer_messages;
	alike->peer_bytes += rank->peer_bytes;
	alike->asked_any += rank->asked_any;
	alike->own_s += rank->own_s;
	alike->tasks += rank->tasks;
	alike->tasks_s += rank->tasks_s;
	alike->tasks_s2 += rank->tasks_s2;
}

static int rank_parse(const char *line, struct mpi_report *report,
		      struct sp_error *err)
{
	struct profile_rank r = { .ranks = 1 };
	double *const numbers[] = { &r.messages,      &r.bytes,
				    &r.peer_messages, &r.peer_bytes,
				    &r.asked_any,     &r.own_s,
				    &r.tasks,         &r.tasks_s,
				    &r.tasks_s2,      NULL };
	int at = 0, words = sscanf(line, "rank %u %d%n", &r.rank, &r.peer, &at);

	line += at;
	for (int i = 0; numbers[i]; i++, line += at)
		if (words != 2 || sscanf(line, "%lf%n", numbers[i], &at) != 1 ||
		    !is_count(*numbers[i]))
			return sp_error_set(err, "rank: bad numbers");
	if (r.rank > INT_MAX || r.peer < -1)
		return sp_error_set(err, "rank: bad numbers");
	if (r.peer < 0)
		r.peer = (int)r.rank;
	rank_add(report, &r);
	return 0;
}

/* 1: the last line. */
static int line_parse(const char *line, struct mpi_report *report,
		      struct sp_error *err)
{
	char name[16], node[HOSTLIST_NAME_SIZE];
	struct profile_peer sent;
	double value;

	int words =
		sscanf(line, "to %63s %lf %lf %lf %lf", node, &sent.messages,
		       &sent.bytes, &sent.replies, &sent.long_messages);

	if (words == 5)
		return peer_add(report, node, &sent, err);
	if (words > 0)
		return sp_error_set(err, "to %s: bad numbers", node);
	if (!strncmp(line, "rank ", 5))
		return rank_parse(line, report, err);
	if (sscanf(line, "%15s", name) == 1 && !strcmp(name, "end"))
		return 1;
	if (sscanf(line, "%15s %lf", name, &value) != 2)
		return 0;
	for (int i = 0; report_numbers[i].name; i++) {
		char *member = (char *)report + report_numbers[i].offset;

		if (strcmp(report_numbers[i].name, name) != 0)
			continue;
		if (!is_count(value))
			return sp_error_set(err, "%s: bad number", name);
		*(double *)(void *)member += value;
	}
	return 0;
}

int mpi_report_parse(const char *text, struct mpi_report *into,
		     struct sp_error *err)
{
	struct mpi_report report = *into;
	int rc = 0;

	for (const char *line = text; *line && rc == 0;) {
		size_t size = strcspn(line, "\n");
		char copy[256];

		snprintf(copy, sizeof(copy), "%.*s",
			 (int)(size < 255 ? size : 255), line);
		rc = line_parse(copy, &report, err);
		line += size + (line[size] == '\n');
	}
	if (rc < 0)
		return -1;
	if (rc == 0)
		return sp_error_set(err, "the last line is missing");
	report.tasks++;
	*into = report;
	return 0;
}

static int report_read_file(int folder_fd, const char *name,
			    struct mpi_report *into, struct sp_error *err)
{
	int fd = tree_open(folder_fd, name, 0);
	struct stat st;
	char *text = NULL;
	int rc = -1;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    st.st_nlink != 1 || st.st_size >= MPI_REPORT_SIZE) {
		sp_error_set(err, "%.64s is no report", name);
		goto out;
	}
	text = malloc(MPI_REPORT_SIZE);
	if (!text) {
		sp_error_set(err, "out of memory");
		goto out;
	}

	ssize_t size = read(fd, text, MPI_REPORT_SIZE - 1);

	text[size > 0 ? size : 0] = '\0';
	rc = mpi_report_parse(text, into, err);
out:
	free(text);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Leave it to the collector to delete, with whatever else is in it. */
static void set_aside(const char *folder)
{
	char aside[PATH_MAX];
	const char *slash = strrchr(folder, '/');

	if (slash && snprintf(aside, sizeof(aside), "%.*s/../removed/%s-%d",
			      (int)(slash - folder), folder, slash + 1,
			      (int)getpid()) < (int)sizeof(aside))
		(void)rename(folder, aside);
}

/* It is a user's, who may have mounted there; its parent is root's. */
static int folder_open(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%.*s",
		 slash ? (int)(slash - folder) : 1, slash ? folder : ".");

	int above = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = above < 0 ? -1
			   : tree_open(above, slash ? slash + 1 : folder,
				       O_DIRECTORY);
	int error = errno;

	if (above >= 0)
		close(above);
	errno = error;
	return fd;
}

int mpi_report_read(const char *folder, struct mpi_report *ret,
		    struct sp_error *err)
{
	int fd = folder_open(folder);
	DIR *names = fd < 0 ? NULL : fdopendir(fd);
	struct mpi_report report = { .tasks = 0 };
	struct sp_error why = { .text = "it is empty" };
	struct dirent *entry;

	if (!names) {
		if (fd >= 0)
			close(fd);
		return sp_error_set(err, "%.200s: %s", folder, strerror(errno));
	}
	for (int i = 0; i < MPI_REPORTS_MAX && (entry = readdir(names)); i++) {
		if (entry->d_name[0] == '.')
			continue;
		(void)report_read_file(fd, entry->d_name, &report, &why);
	}
	closedir(names);
	set_aside(folder);
	if (!report.tasks)
		return sp_error_set(err, "%.150s: %.100s", folder, why.text);
	*ret = report;
	return 0;
}

void mpi_report_apply(const struct mpi_report *report,
		      struct profile_share *share)
{
	double n = report->tasks;

	share->source = PROFILE_MPI;
	share->mpi_s = report->mpi_s / n;
	share->mpi_cpu_s = report->mpi_cpu_s / n;
	share->missed_bytes = 0;
	share->peer_count = report->peer_count;
	memcpy(share->peer, report->peer, sizeof(share->peer));
	share->rank_count = report->rank_count > 0 ? report->rank_count : 0;
	memcpy(share->rank, report->rank, sizeof(share->rank));
}
