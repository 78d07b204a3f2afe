/* SPDX-License-Identifier: GPL-2.0-or-later */
/* busy_streams.h - number of busy TCP streams on an interface
 *
 * From the kernel's dump of sockets (netlink, sock_diag).  Sockets of other
 * network namespaces are not in it.
 */
#pragma once

/* Counts sockets with the local address of `fd`, other than `fd` itself, that
 * have just received or sent, and not only a little.  NAN: not known. */
void busy_streams_count(int fd, double *ret_in, double *ret_out);
