/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_grant.c - uprobes of a function of a process, for that process
 *
 * The process is known by an open /proc/PID, which dies with it, so that another one
 * with its number is not taken for it.  The kernel gives that folder to root where a
 * process has rights that its user has not; these are refused, and the kernel closes
 * events of a process that gets such rights later.
 *
 * The file came over the socket: there is no path that might mean another one to us
 * than to the process.  Whether it is the one that is mapped there is seen by mapping
 * it here: file systems may give stat() another device than the kernel has in
 * /proc/PID/maps.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/profilers/environment.h"
#include "collectors/profilers/uprobe_grant.h"

#if defined(__x86_64__)
#include <asm/perf_regs.h>
#define STACK_POINTER (UINT64_C(1) << PERF_REG_X86_SP)
#else
#define STACK_POINTER 0 /* not here: see uprobe_ring.c */
#endif

#define MAPS_MAX   (4 << 20) /* bytes; of more, the first */
#define PMU_FOLDER "/sys/bus/event_source/devices/uprobe/"

/* --- Whether it may ------------------------------------------------------- */

static bool is_own(int process, uid_t user)
{
	struct stat about;

	return fstat(process, &about) == 0 && about.st_uid == user;
}

static bool has_thread(int process, pid_t thread)
{
	char name[32];

	snprintf(name, sizeof(name), "task/%d", (int)thread);
	return faccessat(process, name, F_OK, 0) == 0;
}

/* The plugin made the folder for the job's user, and takes it away from him at the
 * end of the job. */
static bool is_traced(int traces, pid_t pid, uid_t user)
{
	struct stat about;
	char job[16];

	return environment_get(pid, "SLURM_JOB_ID", job, sizeof(job)) == 0 &&
	       *job && strspn(job, "0123456789") == strlen(job) &&
	       fstatat(traces, job, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(about.st_mode) && about.st_uid == user &&
	       about.st_mode & 0070;
}

/* --- Where it is ---------------------------------------------------------- */

int uprobe_grant_find(const char *maps, uint64_t address, bool executed,
		      struct uprobe_mapping *ret)
{
	for (const char *line = maps; line && *line;) {
		unsigned long long begin, end, offset, inode;
		char rights[8], device[24];

		if (sscanf(line, "%llx-%llx %7s %llx %23s %llu", &begin, &end,
			   rights, &offset, device, &inode) == 6 &&
		    address >= begin && address < end) {
			if (!inode || (executed && !strchr(rights, 'x')))
				return -1;
			snprintf(ret->file, sizeof(ret->file), "%s %llu",
				 device, inode);
			ret->offset = address - begin + offset;
			return 0;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return -1;
}

static int mapping_read(int folder, const char *name, uint64_t address,
			bool executed, struct uprobe_mapping *ret)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC), rc = -1;
	char *text = fd < 0 ? NULL : malloc(MAPS_MAX + 1);
	ssize_t got;
	size_t size = 0;

	while (text && size < MAPS_MAX &&
	       (got = read(fd, text + size, MAPS_MAX - size)) > 0)
		size += (size_t)got;
	if (text) {
		text[size] = '\0';
		rc = uprobe_grant_find(text, address, executed, ret);
	}
	free(text);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* The same file, mapped here. */
static int own_mapping(int file, struct uprobe_mapping *ret)
{
	struct stat about;
	void *here;
	int rc;

	if (fstat(file, &about) || !S_ISREG(about.st_mode))
		return -1;
	here = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0);
	if (here == MAP_FAILED)
		return -1;
	rc = mapping_read(AT_FDCWD, "/proc/self/maps", (uintptr_t)here, false,
			  ret);
	munmap(here, 1);
	return rc;
}

static int place_find(int process, uint64_t address, int file,
		      uint64_t *ret_offset, struct sp_error *err)
{
	struct uprobe_mapping own, its;

	if (mapping_read(process, "maps", address, true, &its))
		return sp_error_set(err, "no file is mapped there");
	if (own_mapping(file, &own) || strcmp(own.file, its.file) != 0)
		return sp_error_set(err, "its file has changed since the "
					 "program began");
	*ret_offset = its.offset;
	return 0;
}

/* --- The events ----------------------------------------------------------- */

/* The number in a file, behind `before`. */
static int pmu_number(const char *name, const char *before)
{
	char path[128], text[64] = "";
	int fd;

	snprintf(path, sizeof(path), PMU_FOLDER "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	(void)!read(fd, text, sizeof(text) - 1);
	close(fd);
	return strncmp(text, before, strlen(before))
		       ? -1
		       : (int)strtol(text + strlen(before), NULL, 10);
}

/* The first of them is the group's leader, and off. */
static int event_open(bool returns, pid_t thread, const char *path,
		      uint64_t offset, uint32_t wakeup_bytes, int leader,
		      struct sp_error *err)
{
	int type = pmu_number("type", "");
	int bit = pmu_number("format/retprobe", "config:");
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)type,
		.config = returns ? UINT64_C(1) << (bit & 63) : 0,
		.config1 = (uintptr_t)path,
		.config2 = offset,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ |
			       PERF_SAMPLE_REGS_USER,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
		.sample_regs_user = STACK_POINTER,
		.disabled = leader < 0,
		.watermark = 1,
		.wakeup_watermark = wakeup_bytes,
	};
	int fd;

	if (type < 0 || bit < 0 || !STACK_POINTER)
		return sp_error_set(err, "this node's kernel has no uprobes");
	fd = (int)syscall(SYS_perf_event_open, &attr, thread, -1, leader,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return sp_error_set(err, "collectord may not open uprobes: it "
					 "lacks CAP_SYS_ADMIN, see "
					 "collectord(8)");
	if (fd < 0)
		return sp_error_set(err,
				    "this node's kernel opens no uprobe: %s",
				    strerror(errno));
	return fd;
}

static int events_open(pid_t thread, int file, uint64_t offset,
		       uint32_t wakeup_bytes, int ret_fds[UPROBE_EVENTS],
		       struct sp_error *err)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	ret_fds[0] =
		event_open(false, thread, path, offset, wakeup_bytes, -1, err);
	if (ret_fds[0] < 0)
		return -1;
	ret_fds[1] = event_open(true, thread, path, offset, wakeup_bytes,
				ret_fds[0], err);
	if (ret_fds[1] >= 0)
		return 0;
	close(ret_fds[0]);
	return -1;
}

static int process_open(int process, int traces, pid_t pid, uid_t user,
			const struct uprobe_request *request, int file,
			int ret_fds[UPROBE_EVENTS], struct sp_error *err)
{
	pid_t thread = request->thread ? request->thread : pid;
	uint64_t offset;

	if (request->version != UPROBE_VERSION || request->zero)
		return sp_error_set(err, "collectord is of another release");
	if (!is_own(process, user) || !has_thread(process, thread))
		return sp_error_set(err, "it is not a thread of the process, "
					 "or has other rights than its user");
	if (!is_traced(traces, pid, user))
		return sp_error_set(err, "the process is of no traced job");
	if (place_find(process, request->address, file, &offset, err) ||
	    events_open(thread, file, offset, request->wakeup_bytes, ret_fds,
			err))
		return -1;
	if (is_own(process, user) && has_thread(process, thread))
		return 0;
	close(ret_fds[0]);
	close(ret_fds[1]);
	return sp_error_set(err, "the process has changed");
}

int uprobe_grant_open(int traces, pid_t pid, uid_t user,
		      const struct uprobe_request *request, int file,
		      int ret_fds[UPROBE_EVENTS], struct sp_error *err)
{
	char path[32];
	int process, rc;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	process = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return sp_error_set(err, "the process has ended");
	rc = process_open(process, traces, pid, user, request, file, ret_fds,
			  err);
	close(process);
	return rc;
}

/* --- The socket ----------------------------------------------------------- */

/* The request, and its file, which the caller closes. */
static int request_receive(int socket, struct uprobe_request *ret,
			   int *ret_file)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { ret, sizeof(*ret) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control.room) };
	ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = size < 0 ? NULL : CMSG_FIRSTHDR(&message);

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(ret_file, CMSG_DATA(c), sizeof(*ret_file));
	if (size == sizeof(*ret) && !(message.msg_flags & MSG_TRUNC))
		return 0;
	close(*ret_file);
	return -1;
}

/* fds: NULL: none. */
static void reply_send(int socket, const struct uprobe_reply *reply,
		       const int fds[UPROBE_EVENTS])
{
	size_t size = UPROBE_EVENTS * sizeof(int);
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(UPROBE_EVENTS * sizeof(int))];
	} control = { .room = { 0 } };
	struct iovec part = { (void *)reply, sizeof(*reply) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fds) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.room);
		control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(size),
						   .cmsg_level = SOL_SOCKET,
						   .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.header), fds, size);
	}
	(void)!sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void uprobe_grant_refuse(int socket, const char *why)
{
	struct uprobe_reply reply = { .version = UPROBE_VERSION };

	snprintf(reply.why, sizeof(reply.why), "%s", why);
	reply_send(socket, &reply, NULL);
}

void uprobe_grant_serve(int socket, int traces)
{
	const struct uprobe_reply reply = { .version = UPROBE_VERSION };
	struct uprobe_request request = { .version = 0 };
	struct sp_error err;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int fds[UPROBE_EVENTS], file;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    request_receive(socket, &request, &file))
		return;
	if (uprobe_grant_open(traces, peer.pid, peer.uid, &request, file, fds,
			      &err)) {
		uprobe_grant_refuse(socket, err.text);
	} else {
		reply_send(socket, &reply, fds);
		for (int i = 0; i < UPROBE_EVENTS; i++)
			close(fds[i]);
	}
	close(file);
}
