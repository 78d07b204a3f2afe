/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - names of functions at addresses of this process */
#ifndef COLLECTORS_PROFILERS_MPI_SYMBOLS_H
#define COLLECTORS_PROFILERS_MPI_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* Names addresses[count], static functions too: by the symbol tables in the files
 * of the program and of its libraries.  Where a file has none the name is that of
 * the file in brackets, and "[unknown]" where there is no file.  The first name goes to
 * `names`, each next one `stride` bytes later, in `size` bytes. */
void symbols_name(const uintptr_t addresses[], size_t count, char *names,
		  size_t stride, size_t size);

#endif
