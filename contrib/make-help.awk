# SPDX-License-Identifier: GPL-2.0-or-later
# make-help.awk - list the targets of makefiles, those in `first` before
# the others
#
# A target is a line `## make NAME what it does`.

/^## make / {
	name = $3
	sub(/^## make [^ ]+ +/, "")
	what[name] = $0
	names[++count] = name
}

function show(name) {
	printf "make %-27s %s\n", name, what[name]
	delete what[name]
}

END {
	firsts = split(first, wanted, " ")
	for (i = 1; i <= firsts; i++)
		if (wanted[i] in what)
			show(wanted[i])
	print ""
	for (i = 1; i <= count; i++)
		if (names[i] in what)
			show(names[i])
}
