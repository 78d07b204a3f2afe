/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drop_pages.h - drop pages of code that is not in use */
#pragma once

/* The dynamic linker and the libraries' start touch some 6 MB of code and
 * tables of libcurl and all that it pulls in; little of it is used later, but
 * it stays resident on every node.  Pages that are unchanged copies of files
 * can be dropped at any time: the kernel brings them back when they are
 * used. */
void drop_pages(void);
