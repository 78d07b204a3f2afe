/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listen.c - the sockets on which predictd listens
 *
 * The path of a Unix socket is guarded by a lock on "PATH.lock", which the
 * kernel drops with its holder.  The holder of the lock may replace a socket
 * that nobody listens on, and removes its own before it drops the lock; so it
 * is for the trusted socket beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/log.h"
#include "predictor/base/trusted_socket.h"
#include "predictor/http/gate/listen.h"

#define UNIX_PREFIX "unix:"
#define BACKLOG     512 /* connections not accepted yet */

/* A client on TCP is accepted with its first bytes, or after a while. */
#define SILENT_S 5

static const char *unix_path(const char *address)
{
	size_t length = strlen(UNIX_PREFIX);

	return strncmp(address, UNIX_PREFIX, length) ? NULL : address + length;
}

static int unix_address(const char *path, struct sockaddr_un *ret,
			struct sp_error *err)
{
	memset(ret, 0, sizeof(*ret));
	ret->sun_family = AF_UNIX;
	if (path[0] != '/')
		return sp_error_set(err, "socket %s: not an absolute path",
				    path);
	if (strlen(path) >= sizeof(ret->sun_path))
		return sp_error_set(err, "socket %s: longer than %zu bytes",
				    path, sizeof(ret->sun_path) - 1);
	memcpy(ret->sun_path, path, strlen(path));
	return 0;
}

/* "HOST:PORT" to a socket address.  Names are not resolved. */
static int tcp_address(const char *address, struct addrinfo **ret,
		       struct sp_error *err)
{
	char host[LISTEN_ADDRESS_SIZE];
	const char *colon = strrchr(address, ':');

	if (!colon || colon == address || !colon[1] ||
	    strlen(address) >= sizeof(host))
		return sp_error_set(err,
				    "%.100s: not unix:/PATH nor "
				    "ADDRESS:PORT",
				    address);
	snprintf(host, sizeof(host), "%.*s", (int)(colon - address), address);

	size_t length = strlen(host);
	char *name = host;

	if (host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		name++;
	}

	struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
	};
	int rc = getaddrinfo(strcmp(name, "*") ? name : NULL, colon + 1, &hints,
			     ret);

	if (rc)
		return sp_error_set(err,
				    "%s: not a numeric address and port: "
				    "%s",
				    address, gai_strerror(rc));
	return 0;
}

int listener_check(const char *address, struct sp_error *err)
{
	const char *path = unix_path(address);
	struct sockaddr_un ignored;
	struct addrinfo *info;

	if (strlen(address) >= LISTEN_ADDRESS_SIZE)
		return sp_error_set(err, "%.100s...: too long", address);
	if (path)
		return unix_address(path, &ignored, err);
	if (tcp_address(address, &info, err))
		return -1;
	freeaddrinfo(info);
	return 0;
}

static int path_lock(const char *path, int *ret_fd, struct sp_error *err)
{
	char name[LISTEN_ADDRESS_SIZE + sizeof(".lock")];

	snprintf(name, sizeof(name), "%s.lock", path);

	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return sp_error_set(err, "%s: %s", name, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return sp_error_set(err, "socket %s: another predictd uses it",
				    path);
	}
	*ret_fd = fd;
	return 0;
}

static int remove_stale(const struct sockaddr_un *address, struct sp_error *err)
{
	const char *path = address->sun_path;
	struct stat status;

	if (lstat(path, &status))
		return errno == ENOENT ? 0
				       : sp_error_set(err, "socket %s: %s",
						      path, strerror(errno));
	if (!S_ISSOCK(status.st_mode))
		return sp_error_set(err, "%s exists and is not a socket", path);

	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return sp_error_set(err, "socket: %s", strerror(errno));

	bool dead = connect(fd, (const struct sockaddr *)address,
			    sizeof(*address)) &&
		    errno == ECONNREFUSED;

	close(fd);
	if (!dead)
		return sp_error_set(
			err, "socket %s: another process listens there", path);
	if (unlink(path))
		return sp_error_set(err, "socket %s: %s", path,
				    strerror(errno));
	return 0;
}

/* The lock is held.  -1: not possible. */
static int path_listen(const char *path, mode_t mode, struct sp_error *err)
{
	struct sockaddr_un address;

	if (unix_address(path, &address, err) || remove_stale(&address, err))
		return -1;

	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    chmod(path, mode) || listen(fd, BACKLOG)) {
		sp_error_set(err, "socket %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/* All works without it, if nobody is hostile. */
static int trusted_open(const char *path)
{
	char trusted[SOCKET_PATH_SIZE];
	struct sp_error err;
	int fd;

	if (trusted_socket_path(path, trusted)) {
		log_warning("socket %s: too long a path for a trusted socket "
			    "beside it",
			    path);
		return -1;
	}
	fd = path_listen(trusted, 0600, &err);
	if (fd < 0)
		log_warning("%s", err.text);
	return fd;
}

static int unix_open(const char *path, mode_t mode, struct listener *ret,
		     struct sp_error *err)
{
	struct sockaddr_un address;
	int lock_fd = -1;

	if (unix_address(path, &address, err) || path_lock(path, &lock_fd, err))
		return -1;
	ret->fd = path_listen(path, mode, err);
	if (ret->fd < 0) {
		close(lock_fd);
		return -1;
	}
	ret->trusted_fd = trusted_open(path);
	ret->lock_fd = lock_fd;
	ret->is_unix = true;
	return 0;
}

static int tcp_open(const char *text, struct listener *ret,
		    struct sp_error *err)
{
	struct addrinfo *info;
	int on = 1, silent_s = SILENT_S;

	if (tcp_address(text, &info, err))
		return -1;

	int fd = socket(info->ai_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, info->ai_addr, info->ai_addrlen) || listen(fd, BACKLOG)) {
		sp_error_set(err, "%s: %s", text, strerror(errno));
		if (fd >= 0)
			close(fd);
		freeaddrinfo(info);
		return -1;
	}
	freeaddrinfo(info);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &silent_s,
			 sizeof(silent_s));
	ret->fd = fd;
	ret->is_unix = false;
	return 0;
}

int listener_open(const char *address, mode_t mode, struct listener *ret,
		  struct sp_error *err)
{
	struct listener fresh = { .fd = -1, .lock_fd = -1, .trusted_fd = -1 };
	const char *path = unix_path(address);

	if (listener_check(address, err))
		return -1;
	if (path ? unix_open(path, mode, &fresh, err)
		 : tcp_open(address, &fresh, err))
		return -1;
	snprintf(fresh.address, sizeof(fresh.address), "%s", address);
	*ret = fresh;
	return 0;
}

void listener_trust(const char *address, const struct access_lists *access)
{
	uid_t uids[2 * ACCESS_UIDS_MAX];
	char trusted[SOCKET_PATH_SIZE];
	const struct access_list *lists[] = { &access->operators,
					      &access->collectors };
	size_t count = 0;

	for (int l = 0; l < 2; l++)
		for (size_t i = 0; i < lists[l]->count; i++)
			if (lists[l]->uids[i] != geteuid())
				uids[count++] = lists[l]->uids[i];
	if (!trusted_socket_path(unix_path(address), trusted) &&
	    trusted_socket_admit(trusted, uids, count))
		log_warning("%s: no access control list: %s; slurmctld shares "
			    "the public socket with all users, unless it is "
			    "root",
			    trusted, strerror(errno));
}

void listener_close(struct listener *listener)
{
	char trusted[SOCKET_PATH_SIZE];

	/* The socket first, then the lock: a successor must not lose the
	 * socket that it has just made. */
	if (listener->lock_fd >= 0) {
		if (!trusted_socket_path(unix_path(listener->address), trusted))
			unlink(trusted);
		unlink(unix_path(listener->address));
		close(listener->lock_fd);
		listener->lock_fd = -1;
	}
	if (listener->trusted_fd >= 0)
		close(listener->trusted_fd);
	if (listener->fd >= 0)
		close(listener->fd);
	listener->fd = listener->trusted_fd = -1;
}
