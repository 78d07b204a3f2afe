/* sockets.c - which TCP connections a process has
 *
 * The links of /proc/PID/fd name the inodes of its sockets, and the tables in
 * /proc/PID/net what these are connected with.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/sockets.h"

#define FDS_MAX 16384 /* of all processes together */

struct owner {
	uint64_t inode;
	pid_t pid;
};

struct owners {
	size_t count;
	struct owner of[FDS_MAX];
};

/* Addresses are in words of the machine's byte order. */
static int parse_address(const char *text, size_t length,
			 uint8_t ret[PACKET_ADDRESS_SIZE])
{
	uint32_t words[4] = { 0, 0, 0, 0 };
	char word[9] = "";
	size_t count = length / 8;

	if (length != 8 && length != 32)
		return -1;
	for (size_t i = 0; i < count; i++) {
		memcpy(word, text + 8 * i, 8);
		words[i] = (uint32_t)strtoul(word, NULL, 16);
	}
	if (count == 4) {
		memcpy(ret, words, PACKET_ADDRESS_SIZE);
		return 0;
	}
	memset(ret, 0, 10);
	memset(ret + 10, 0xff, 2);
	memcpy(ret + 12, words, 4);
	return 0;
}

int sockets_parse(const char *line, struct stream_key *ret_key,
		  uint64_t *ret_inode)
{
	char from[33], to[33];
	unsigned from_port, to_port, state;
	uint64_t inode;
	struct stream_key key = { .from_port = 0 };

	if (sscanf(line,
		   " %*u: %32[0-9A-F]:%4x %32[0-9A-F]:%4x %2x %*x:%*x %*x:%*x "
		   "%*x %*u %*u %" SCNu64,
		   from, &from_port, to, &to_port, &state, &inode) != 6 ||
	    to_port == 0 || parse_address(to, strlen(to), key.to))
		return -1;
	key.from_port = (uint16_t)from_port;
	key.to_port = (uint16_t)to_port;
	*ret_key = key;
	*ret_inode = inode;
	return 0;
}

static void add_owners(pid_t pid, struct owners *owners)
{
	char path[64], target[64];
	DIR *folder;
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder)) && owners->count < FDS_MAX) {
		struct owner *owner = &owners->of[owners->count];
		ssize_t size = readlinkat(dirfd(folder), entry->d_name, target,
					  sizeof(target) - 1);

		if (size <= 0)
			continue;
		target[size] = '\0';
		if (sscanf(target, "socket:[%" SCNu64 "]", &owner->inode) != 1)
			continue;
		owner->pid = pid;
		owners->count++;
	}
	closedir(folder);
}

static int compare_owners(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;

	return a->inode < b->inode ? -1 : a->inode > b->inode;
}

static void read_table(pid_t pid, const char *name, const struct owners *owners,
		       struct streams *streams)
{
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/net/%s", (int)pid, name);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		struct stream_key key;
		struct owner wanted = { .inode = 0 }, *found;

		if (sockets_parse(line, &key, &wanted.inode))
			continue;
		found = bsearch(&wanted, owners->of, owners->count,
				sizeof(wanted), compare_owners);
		if (found)
			streams_own(streams, &key, found->pid);
	}
	fclose(file);
}

void sockets_find(const pid_t pids[], int count, struct streams *streams)
{
	struct owners *owners = malloc(sizeof(*owners));

	if (!owners)
		return;
	owners->count = 0;
	for (int i = 0; i < count; i++)
		add_owners(pids[i], owners);
	qsort(owners->of, owners->count, sizeof(*owners->of), compare_owners);
	if (owners->count) {
		/* Any of them that is still there has the table. */
		pid_t first = owners->of[0].pid;

		read_table(first, "tcp", owners, streams);
		read_table(first, "tcp6", owners, streams);
	}
	free(owners);
}
