/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.c - packet headers that this node sends to other nodes, by libpcap
 *
 * One pcap handle on the interface of the node's own address, not promiscuous
 * and not blocking.  The filter passes outgoing TCP segments with data and
 * SYNs, and is narrowed to the job's nodes once they are known.  A pause binds
 * the socket to the loopback interface instead, where nothing passes the
 * filter.  One thread.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <pcap/pcap.h>

#include "collectors/profilers/capture.h"

/* Ethernet, IP, TCP with time stamps: 66 bytes, with VLAN and IPv6 90; the rest
 * is the beginning of messages. */
#define SNAP_BYTES   160
#define BUFFER_BYTES (2 << 20)
#define GATHER_MS    100
#define FILTER_SIZE  8192
#define DISPATCH_MAX 100000 /* in one call */

struct capture {
	pcap_t *pcap;
	struct in6_addr own;
	const uint16_t *excluded_ports; /* lent */
	int index, loopback;            /* interfaces */
	void (*on_packet)(void *context, const struct packet *packet);
	void *context;
};

int capture_resolve(const char *name, uint8_t ret[PACKET_ADDRESS_SIZE],
		    struct sp_error *err)
{
	struct addrinfo hints = { .ai_family = AF_INET6,
				  .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_V4MAPPED };
	struct addrinfo *found;
	int rc = getaddrinfo(name, NULL, &hints, &found);

	if (rc)
		return sp_error_set(err, "%s: %s", name, gai_strerror(rc));

	const struct sockaddr_in6 *address = (const void *)found->ai_addr;

	memcpy(ret, &address->sin6_addr, PACKET_ADDRESS_SIZE);
	freeaddrinfo(found);
	return 0;
}

static bool interface_has_address(const struct ifaddrs *interface,
				  const struct in6_addr *own)
{
	const struct sockaddr *address = interface->ifa_addr;

	if (!address)
		return false;
	if (address->sa_family == AF_INET6)
		return !memcmp(
			&((const struct sockaddr_in6 *)(const void *)address)
				 ->sin6_addr,
			own, sizeof(*own));
	if (address->sa_family == AF_INET && IN6_IS_ADDR_V4MAPPED(own))
		return !memcmp(
			&((const struct sockaddr_in *)(const void *)address)
				 ->sin_addr,
			own->s6_addr + 12, 4);
	return false;
}

static int interface_find(const struct in6_addr *own, char ret[IF_NAMESIZE],
			  struct sp_error *err)
{
	struct ifaddrs *all;
	int rc = -1;

	if (getifaddrs(&all))
		return sp_error_set(err, "no list of network interfaces");
	for (const struct ifaddrs *i = all; i && rc; i = i->ifa_next)
		if (interface_has_address(i, own)) {
			snprintf(ret, IF_NAMESIZE, "%s", i->ifa_name);
			rc = 0;
		}
	freeifaddrs(all);
	return rc ? sp_error_set(err, "no interface has this node's address")
		  : 0;
}

static void address_print(const uint8_t address[PACKET_ADDRESS_SIZE],
			  char ret[INET6_ADDRSTRLEN])
{
	struct in6_addr a;

	memcpy(&a, address, sizeof(a));
	if (IN6_IS_ADDR_V4MAPPED(&a))
		inet_ntop(AF_INET, address + 12, ret, INET6_ADDRSTRLEN);
	else
		inet_ntop(AF_INET6, address, ret, INET6_ADDRSTRLEN);
}

/* Segments with data, and SYNs; pcap's filter language knows the lengths of
 * IPv4 only, so all IPv6 segments pass. */
static void filter_write(const struct capture *capture,
			 const uint8_t (*to)[PACKET_ADDRESS_SIZE], int count,
			 char ret[FILTER_SIZE])
{
	char address[INET6_ADDRSTRLEN];
	FILE *file = fmemopen(ret, FILTER_SIZE, "w");

	ret[0] = '\0';
	if (!file)
		return;
	address_print(capture->own.s6_addr, address);
	fprintf(file, "tcp and src host %s", address);
	for (int i = 0; i < count; i++) {
		address_print(to[i], address);
		fprintf(file, "%s dst host %s", i ? " or" : " and (", address);
	}
	if (count)
		fputc(')', file);
	for (int i = 0; capture->excluded_ports[i]; i++)
		fprintf(file, " and not port %u", capture->excluded_ports[i]);
	if (IN6_IS_ADDR_V4MAPPED(&capture->own))
		fputs(" and (tcp[tcpflags] & (tcp-syn|tcp-rst) != 0 or "
		      "ip[2:2] = 0 or (ip[2:2] - ((ip[0] & 15) << 2) - "
		      "((tcp[12] & 240) >> 2)) != 0)",
		      file);
	fclose(file);
	ret[FILTER_SIZE - 1] = '\0';
}

static int filter_set(pcap_t *pcap, const char *text, struct sp_error *err)
{
	struct bpf_program program;
	int rc;

	if (pcap_compile(pcap, &program, text, 1, PCAP_NETMASK_UNKNOWN))
		return sp_error_set(err, "filter: %.200s", pcap_geterr(pcap));
	rc = pcap_setfilter(pcap, &program);
	pcap_freecode(&program);
	return rc ? sp_error_set(err, "filter: %.200s", pcap_geterr(pcap)) : 0;
}

static int pcap_prepare(pcap_t *pcap, const char *filter, struct sp_error *err)
{
	char why[PCAP_ERRBUF_SIZE];

	if (pcap_set_snaplen(pcap, SNAP_BYTES) ||
	    pcap_set_buffer_size(pcap, BUFFER_BYTES) ||
	    pcap_set_timeout(pcap, GATHER_MS) || pcap_set_promisc(pcap, 0) ||
	    pcap_activate(pcap) < 0)
		return sp_error_set(err, "capture: %.200s", pcap_geterr(pcap));
	if (pcap_datalink(pcap) != DLT_EN10MB)
		return sp_error_set(err, "capture: no Ethernet");
	if (pcap_setnonblock(pcap, 1, why))
		return sp_error_set(err, "capture: %.200s", why);
	return filter_set(pcap, filter, err);
}

int capture_restrict(struct capture *capture,
		     const uint8_t (*to)[PACKET_ADDRESS_SIZE], int count,
		     struct sp_error *err)
{
	char filter[FILTER_SIZE];

	filter_write(capture, to, count, filter);
	return filter_set(capture->pcap, filter, err);
}

struct capture *capture_open(const uint8_t own[PACKET_ADDRESS_SIZE],
			     const uint16_t excluded_ports[],
			     struct sp_error *err)
{
	char interface[IF_NAMESIZE], filter[FILTER_SIZE];
	char why[PCAP_ERRBUF_SIZE];
	struct capture *capture = calloc(1, sizeof(*capture));

	if (!capture)
		return sp_error_null(err, "out of memory");
	memcpy(&capture->own, own, sizeof(capture->own));
	capture->excluded_ports = excluded_ports;
	if (interface_find(&capture->own, interface, err))
		goto failed;
	capture->index = (int)if_nametoindex(interface);
	capture->loopback = (int)if_nametoindex("lo");
	filter_write(capture, NULL, 0, filter);
	capture->pcap = pcap_create(interface, why);
	if (!capture->pcap)
		sp_error_set(err, "capture: %.200s", why);
	else if (!pcap_prepare(capture->pcap, filter, err))
		return capture;
failed:
	capture_close(capture);
	return NULL;
}

void capture_close(struct capture *capture)
{
	if (!capture)
		return;
	if (capture->pcap)
		pcap_close(capture->pcap);
	free(capture);
}

static void packet_forward(unsigned char *context,
			   const struct pcap_pkthdr *head,
			   const unsigned char *bytes)
{
	const struct capture *capture = (const void *)context;
	struct packet packet;

	if (packet_parse(bytes, head->caplen, head->len, &packet))
		return;
	packet.at_s = (double)head->ts.tv_sec + 1e-6 * (double)head->ts.tv_usec;
	capture->on_packet(capture->context, &packet);
}

void capture_read(struct capture *capture,
		  void (*on_packet)(void *context, const struct packet *packet),
		  void *context)
{
	capture->on_packet = on_packet;
	capture->context = context;

	/* After a failure there are no packets; the next call tries again. */
	int packets = pcap_dispatch(capture->pcap, DISPATCH_MAX, packet_forward,
				    (void *)capture);

	(void)packets;
}

/* Packets on the loopback interface come from other addresses: none passes the
 * filter. */
void capture_pause(struct capture *capture, bool pause)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = pause ? capture->loopback
						       : capture->index };

	if (capture->index && capture->loopback)
		(void)!bind(pcap_fileno(capture->pcap), (const void *)&at,
			    sizeof(at));
}

uint64_t capture_dropped(struct capture *capture)
{
	struct pcap_stat stat;

	return pcap_stats(capture->pcap, &stat) ? 0 : stat.ps_drop;
}
