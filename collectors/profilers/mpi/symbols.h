/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - functions of this process: their names, and where they are */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names addresses[count], static functions too: by the symbol tables in the
 * files of the program and of its libraries.  Where a file has none the name
 * is that of the file in brackets, and "[unknown]" where there is no file.
 * Names of C++ are those of its source, without types and arguments.
 * The first name goes to `names`, each next one `stride` bytes later, in
 * `size` bytes. */
void symbols_name(const uintptr_t addresses[], size_t count, char *names,
		  size_t stride, size_t size);

enum symbol_found {
	SYMBOL_FOUND,
	SYMBOL_ABSENT,
	SYMBOL_SEVERAL, /* of that name; *ret is one of them */
	SYMBOL_HIDDEN,  /* the program's file has no symbol table */
};

struct symbol_place {
	uintptr_t address;
	bool hooked; /* the file calls the hooks of -finstrument-functions */
};

/* Looks for a function of that name: in the program, then in its libraries; for
 * static ones where there is no other. */
enum symbol_found symbols_find(const char *name, struct symbol_place *ret);
