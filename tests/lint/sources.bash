# SPDX-License-Identifier: GPL-2.0-or-later
# sources.bash - which files are ours to check; each list ends names with NUL

top=(plugin predictor collectors tests contrib)

c_and_headers() {
	find "${top[@]}" -name '*.[ch]' -print0
}

c_files() {
	find "${top[@]}" -name '*.c' -print0 | can_be_compiled
}

# Without those whose headers could not be had (an extended regular expression
# in LINT_WITHOUT).
can_be_compiled() {
	grep -zvxE "${LINT_WITHOUT:-none}"
}

# Tests and examples.
other_c_files() {
	find tests contrib -name '*.c' -print0 | can_be_compiled
}

# What is installed, without tests and examples.
product_files() {
	find plugin predictor collectors -name '*.c' -print0 | can_be_compiled
}

# Anything that starts with #!/bin/sh or #!/bin/bash, and what these include.
shell_scripts() {
	{
		grep -rlE --binary-files=without-match --exclude-dir=corpus \
			'^#!(/usr)?/bin/(env )?(ba)?sh' \
			"${top[@]}" etc sql .ci
		find "${top[@]}" -name '*.bash'
	} | sort -u | tr '\n' '\0'
}

manual_pages() {
	find "${top[@]}" sql -name '*.[1-9]' -print0
}

# Everything that people write, for checks of the text alone.
texts() {
	find Makefile NEWS ./*.md "${top[@]}" etc sql .ci -type f \
		-not -path '*/corpus/*' -not -name '*.py[co]' -print0
}
