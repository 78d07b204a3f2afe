/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_address.h - the host of a client on TCP, as a number */
#pragma once

#include <stdint.h>
#include <sys/socket.h>

/* Return an IPv4 address, or the network of an IPv6 address (its first 64
 * bits, of which a host may use any address).  0: another family. */
uint64_t peer_address_number(const struct sockaddr *address);
