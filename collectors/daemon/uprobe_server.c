/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_server.c - the socket at which ranks of traced jobs get uprobes
 *
 * What all requests together may not exceed waits in the kernel's queue.  A user who has
 * his share already is sent away without a reply, and comes again.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/daemon/uprobe_server.h"
#include "collectors/profilers/uprobe_grant.h"
#include "collectors/sensors/processes.h"
#include "predictor/base/descriptors.h"
#include "predictor/base/log.h"

#define BACKLOG 1024 /* all ranks of a node come together */
#define REAP_S  0.02
#define ACCEPTS 32 /* before collectord does something else */

struct served {
	pid_t pid; /* of our process; 0: free */
	uid_t user;
	double until_s;
};

/* A process that came.  Another one of that number has another birth. */
struct visitor {
	pid_t pid;
	uid_t user;
	uint64_t born_ticks;
	int count;
};

struct uprobe_server {
	int fd, traces;
	double at_s;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	struct served served[UPROBE_SERVER_MAX];
	struct visitor visitors[UPROBE_SERVER_PROBED];
};

static int listen_at(struct uprobe_server *server, struct sp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, server->path);
	server->fd = socket(AF_UNIX,
			    SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	unlink(server->path);
	if (server->fd < 0 ||
	    bind(server->fd, (struct sockaddr *)&address, sizeof(address)) ||
	    chmod(server->path, 0666) || listen(server->fd, BACKLOG))
		return sp_error_set(err, "%s: %s", server->path,
				    strerror(errno));
	return 0;
}

struct uprobe_server *uprobe_server_create(const char *spool, int traces,
					   struct sp_error *err)
{
	struct uprobe_server *server = calloc(1, sizeof(*server));

	if (!server) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
	server->fd = -1;
	server->traces = traces;
	server->at_s = HUGE_VAL;
	if (snprintf(server->path, sizeof(server->path),
		     "%s/" UPROBE_SERVER_SOCKET,
		     spool) >= (int)sizeof(server->path)) {
		server->path[0] = '\0';
		sp_error_set(err, "%s: too long for a socket in it", spool);
	} else if (listen_at(server, err) == 0) {
		return server;
	}
	uprobe_server_destroy(server);
	return NULL;
}

void uprobe_server_destroy(struct uprobe_server *server)
{
	if (!server)
		return;
	if (server->fd >= 0) {
		close(server->fd);
		unlink(server->path);
	}
	for (int i = 0; i < UPROBE_SERVER_MAX; i++)
		if (server->served[i].pid)
			kill(server->served[i].pid, SIGKILL);
	for (int i = 0; i < UPROBE_SERVER_MAX; i++)
		if (server->served[i].pid)
			waitpid(server->served[i].pid, NULL, WNOHANG);
	free(server);
}

/* --- Limits --------------------------------------------------------------- */

static bool has_room(const struct uprobe_server *server, uid_t user)
{
	int all = 0, own = 0;

	for (int i = 0; i < UPROBE_SERVER_MAX; i++) {
		all += server->served[i].pid != 0;
		own += server->served[i].pid && server->served[i].user == user;
	}
	return all < UPROBE_SERVER_MAX &&
	       (!user || own < UPROBE_SERVER_USER_MAX);
}

/* 0: it has ended. */
static uint64_t born_ticks(pid_t pid)
{
	char path[32], text[1024];
	struct process process;
	ssize_t size = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		size = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (size <= 0)
		return 0;
	text[size] = '\0';
	return process_parse(text, &process) ? 0 : process.born_ticks;
}

static bool is_gone(pid_t pid)
{
	return !pid || (kill(pid, 0) && errno == ESRCH);
}

const char *uprobe_server_refuses(struct uprobe_server *server, pid_t pid,
				  uid_t user)
{
	uint64_t born = born_ticks(pid);
	struct visitor *place = NULL;
	int own = 0;

	for (int i = 0; i < UPROBE_SERVER_PROBED; i++) {
		struct visitor *v = &server->visitors[i];

		if (v->pid == pid && v->born_ticks == born)
			return v->count++ < UPROBE_SERVER_PROCESS_MAX
				       ? NULL
				       : "collectord gave it some before";
		if (v->pid == pid || is_gone(v->pid))
			place = v;
		else
			own += v->user == user;
	}
	if (!born)
		return "the process has ended";
	if (!place || own >= UPROBE_SERVER_PROBED_MAX)
		return "too many processes of the node have some (of a user, "
		       "32)";
	*place = (struct visitor){ pid, user, born, 1 };
	return NULL;
}

/* --- Requests ------------------------------------------------------------- */

static int process_run(int connection, int traces)
{
	const int own_fds[] = { connection, traces };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGALRM, SIG_DFL);
	alarm(UPROBE_SERVER_SECONDS);
	prctl(PR_SET_NAME, "predict-uprobe");
	if (descriptors_keep_only(own_fds, 2, NULL))
		return 1;
	uprobe_grant_serve(connection, traces);
	return 0;
}

static void connection_serve(struct uprobe_server *server, int connection,
			     double now_s)
{
	struct served *s = server->served;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	const char *why;

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    !has_room(server, peer.uid))
		return;
	why = uprobe_server_refuses(server, peer.pid, peer.uid);
	if (why) {
		uprobe_grant_refuse(connection, why);
		return;
	}
	while (s->pid)
		s++;
	s->pid = fork();
	if (s->pid == 0)
		_exit(process_run(connection, server->traces));
	if (s->pid < 0) {
		log_error("no process for uprobes: %s", strerror(errno));
		s->pid = 0;
		return;
	}
	s->user = peer.uid;
	s->until_s = now_s + UPROBE_SERVER_SECONDS;
}

int uprobe_server_fd(const struct uprobe_server *server)
{
	return has_room(server, 0) ? server->fd : -1;
}

double uprobe_server_at_s(const struct uprobe_server *server)
{
	return server->at_s;
}

static void processes_reap(struct uprobe_server *server, double now_s)
{
	for (int i = 0; i < UPROBE_SERVER_MAX; i++) {
		struct served *s = &server->served[i];

		if (!s->pid)
			continue;
		if (waitpid(s->pid, NULL, WNOHANG))
			s->pid = 0;
		else if (s->until_s <= now_s)
			kill(s->pid, SIGKILL);
	}
}

void uprobe_server_run(struct uprobe_server *server, double now_s)
{
	processes_reap(server, now_s);
	for (int i = 0; i < ACCEPTS && has_room(server, 0); i++) {
		int connection = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);

		if (connection < 0)
			break;
		connection_serve(server, connection, now_s);
		close(connection);
	}
	server->at_s = HUGE_VAL;
	for (int i = 0; i < UPROBE_SERVER_MAX; i++)
		if (server->served[i].pid)
			server->at_s = now_s + REAP_S;
}
