/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.c - traffic of network interfaces, from the kernel's counters
 *
 * /proc/net/dev has one line for each interface; /sys/class/infiniband has the
 * counters of each port, since RDMA bypasses the network stack.  Rates are
 * differences of two readings; a counter that went back gives none.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/probes/counters.h"
#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"

#define INFINIBAND "sys/class/infiniband"
#define DATA_UNIT  4 /* bytes; port_*_data count 32-bit words */

static double read_number(const char *path)
{
	char text[64];
	double value;

	small_file_read(AT_FDCWD, path, text, sizeof(text));
	return sscanf(text, "%lf", &value) == 1 ? value : NAN;
}

static struct interface *interface_add(struct counters *c, const char *name)
{
	struct interface *i = &c->of[c->count];

	if (c->count == COUNTERS_INTERFACES_MAX ||
	    strlen(name) >= sizeof(i->name))
		return NULL;
	c->count++;
	*i = (struct interface){ .speed_bps = NAN };
	strcpy(i->name, name);
	return i;
}

static void read_speed(const char *root, struct interface *i)
{
	char path[PATH_MAX];
	double mbit;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/speed", root,
		 i->name);
	mbit = read_number(path);
	if (mbit > 0) /* -1: the link is down */
		i->speed_bps = mbit * 1e6;
}

static int read_devices(const char *root, struct counters *c,
			struct sp_error *err)
{
	char path[PATH_MAX], line[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/net/dev", root);
	f = fopen(path, "re");
	if (!f)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		char name[COUNTERS_NAME_SIZE];
		double received, sent;
		struct interface *i;

		if (sscanf(line,
			   " %31[^:]: %lf %*s %*s %*s %*s %*s %*s %*s %lf",
			   name, &received, &sent) != 3 ||
		    !strcmp(name, "lo") || !(i = interface_add(c, name)))
			continue;
		i->received_bytes = received;
		i->sent_bytes = sent;
		read_speed(root, i);
	}
	fclose(f);
	return 0;
}

static void read_port(const char *folder, const char *device, const char *port,
		      struct counters *c)
{
	char path[PATH_MAX + 64], name[2 * NAME_MAX + 2];
	double received, sent;
	struct interface *i;

	snprintf(path, sizeof(path), "%s/counters/port_rcv_data", folder);
	received = read_number(path);
	snprintf(path, sizeof(path), "%s/counters/port_xmit_data", folder);
	sent = read_number(path);
	snprintf(name, sizeof(name), "%s:%s", device, port);
	if (isnan(received) || isnan(sent) || !(i = interface_add(c, name)))
		return;
	i->received_bytes = DATA_UNIT * received;
	i->sent_bytes = DATA_UNIT * sent;
	/* "100 Gb/sec (4X EDR)" */
	snprintf(path, sizeof(path), "%s/rate", folder);
	i->speed_bps = 1e9 * read_number(path);
}

static void read_device(const char *root, const char *device,
			struct counters *c)
{
	char path[PATH_MAX], folder[PATH_MAX];
	struct dirent *port;
	DIR *d;

	if (snprintf(path, sizeof(path), "%s/" INFINIBAND "/%s/ports", root,
		     device) >= (int)sizeof(path) ||
	    !(d = opendir(path)))
		return;
	while ((port = readdir(d)))
		if (port->d_name[0] != '.' &&
		    snprintf(folder, sizeof(folder), "%s/%s", path,
			     port->d_name) < (int)sizeof(folder))
			read_port(folder, device, port->d_name, c);
	closedir(d);
}

static void read_infiniband(const char *root, struct counters *c)
{
	char path[PATH_MAX];
	struct dirent *device;
	DIR *d;

	snprintf(path, sizeof(path), "%s/" INFINIBAND, root);
	d = opendir(path);
	if (!d)
		return; /* most nodes have none */
	while ((device = readdir(d)))
		if (device->d_name[0] != '.')
			read_device(root, device->d_name, c);
	closedir(d);
}

int counters_read(const char *root, struct counters *ret, struct sp_error *err)
{
	ret->count = 0;
	ret->time_s = clock_monotonic_s();
	if (read_devices(root, ret, err))
		return -1;
	read_infiniband(root, ret);
	return 0;
}

const struct interface *counters_find(const struct counters *counters,
				      const char *name)
{
	for (size_t i = 0; i < counters->count; i++)
		if (!strcmp(counters->of[i].name, name))
			return &counters->of[i];
	return NULL;
}

/* Return whether an interface has the address, whatever the port. */
static bool is_address(const struct sockaddr *a,
		       const struct sockaddr_storage *own)
{
	if (!a || a->sa_family != own->ss_family)
		return false;
	if (a->sa_family == AF_INET) {
		struct sockaddr_in x, y;

		memcpy(&x, a, sizeof(x));
		memcpy(&y, own, sizeof(y));
		return x.sin_addr.s_addr == y.sin_addr.s_addr;
	}
	if (a->sa_family == AF_INET6) {
		struct sockaddr_in6 x, y;

		memcpy(&x, a, sizeof(x));
		memcpy(&y, own, sizeof(y));
		return !memcmp(&x.sin6_addr, &y.sin6_addr, sizeof(x.sin6_addr));
	}
	return false;
}

int counters_interface_of(int fd, char ret_name[COUNTERS_NAME_SIZE],
			  struct sp_error *err)
{
	struct sockaddr_storage own = { 0 };
	socklen_t size = sizeof(own);
	struct ifaddrs *all;
	int rc = -1;

	if (getsockname(fd, (struct sockaddr *)&own, &size) || getifaddrs(&all))
		return sp_error_set(err, "own addresses: %s", strerror(errno));
	for (const struct ifaddrs *i = all; i && rc; i = i->ifa_next)
		if (is_address(i->ifa_addr, &own) &&
		    strlen(i->ifa_name) < COUNTERS_NAME_SIZE) {
			strcpy(ret_name, i->ifa_name);
			rc = 0;
		}
	freeifaddrs(all);
	return rc ? sp_error_set(err, "no interface has the own address") : 0;
}

/* NAN where a counter was reset in between. */
static double rate_bps(double before, double after, double seconds)
{
	return seconds > 0 && after >= before ? 8 * (after - before) / seconds
					      : NAN;
}

struct traffic counters_traffic(const struct counters *a,
				const struct counters *b, const char *name)
{
	const struct interface *x = counters_find(a, name);
	const struct interface *y = counters_find(b, name);
	double seconds = b->time_s - a->time_s;

	if (!x || !y)
		return (struct traffic){ NAN, NAN };
	return (struct traffic){
		.received_bps =
			rate_bps(x->received_bytes, y->received_bytes, seconds),
		.sent_bps = rate_bps(x->sent_bytes, y->sent_bytes, seconds),
	};
}

double counters_infiniband(const struct counters *a, const struct counters *b)
{
	double busiest = NAN;

	for (size_t i = 0; i < b->count; i++) {
		const struct interface *port = &b->of[i];

		if (!strchr(port->name, ':') || isnan(port->speed_bps))
			continue;
		busiest = fmax(busiest,
			       counters_traffic(a, b, port->name).sent_bps /
				       port->speed_bps);
	}
	return isnan(busiest) ? NAN : fmin(busiest, 1);
}
