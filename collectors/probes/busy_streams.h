/* SPDX-License-Identifier: GPL-2.0-or-later */
/* busy_streams.h - how many TCP streams are busy on an interface right now
 *
 * Asked of the kernel over netlink (sock_diag), which knows what each socket
 * does.  Sockets of other network namespaces do not show.
 */
#ifndef COLLECTORS_PROBES_BUSY_STREAMS_H
#define COLLECTORS_PROBES_BUSY_STREAMS_H

/* Of sockets with the same own address as `fd` but not `fd` itself, those that
 * have just received or sent, and not only a little.  NAN: not known. */
void busy_streams_count(int fd, double *ret_in, double *ret_out);

#endif
