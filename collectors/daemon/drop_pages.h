/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drop_pages.h - drop pages of code that is not in use */
#pragma once

/* The dynamic linker and the libraries' start touch code and tables of which
 * little is used later, but which stay resident on every node.  Pages that are
 * unchanged copies of files can be dropped at any time: the kernel brings them
 * back when they are used. */
void drop_pages(void);
