# SPDX-License-Identifier: GPL-2.0-or-later
# statements.awk - turn the statements of statements/*.sql into C
#
# A line `-- @KIND NAME` begins what follows it up to the next such line:
#
#	writer, reader, trace	a statement that each connection of that kind
#				prepares: statement_NAME
#	alone			the same, prepared by none
#	copy, query		one without a connection of these kinds:
#				copy_NAME, query_NAME
#	begin			what a connection of the kind NAME runs first
#	part			text that is no statement yet: {NAME} stands
#				for it further down, and {NAME word} for it
#				with the word wherever it says {1}
#
# A name in upper case stands for a number, a macro of C.  Lines are joined to
# one, and end with a semicolon where a statement ends.
# mawk and gawk print the same.

/^-- @[a-z]+ [a-z_]+$/ {
	finish()
	kind = substr($2, 2)
	name = $3
	next
}

/^--/ || /^[ \t]*$/ { next }

{
	gsub(/^[ \t]+|[ \t]+$/, "")
	gsub(/["\\]/, "\\\\&")
	if (!kind)
		wrong("a statement without a name: " $0)
	ended = sub(/;$/, "")
	text = join(text, $0)
	if (!ended)
		next
	if (kind == "part")
		wrong("a part is no statement: " name)
	statements[++count] = literal(text)
	text = ""
}

END {
	if (failed)
		exit 1
	finish()
	for (i = 1; i <= kinds; i++)
		printf "const struct statement *const %s_statements[] = " \
			"{\n%s\tNULL,\n};\n", order[i], prepared[order[i]]
}

function wrong(what) {
	print FILENAME ":" FNR ": " what >"/dev/stderr"
	failed = 1
	exit 1
}

# Join two lines with a space, but none within parentheses.
function join(before, line) {
	return before (before == "" || before ~ /\($/ || line ~ /^\)/ ? "" : \
		" ") line
}

# Return C's literal of a text, with its parts and numbers.
function literal(text,	word, words) {
	while (match(text, /\{[^}]*\}/)) {
		split(substr(text, RSTART + 1, RLENGTH - 2), words, " ")
		word = words[1]
		if (word in parts) {
			word = parts[word]
			gsub(/\{1\}/, words[2], word)
		} else if (word ~ /^[A-Z_]+$/)
			word = "\" TEXT(" word ") \""
		else
			wrong("no part before it is called " word)
		text = substr(text, 1, RSTART - 1) word \
			substr(text, RSTART + RLENGTH)
		delete words
	}
	return "\"" text "\""
}

# Print what has been read since the last `-- @`.
function finish(	i) {
	if (text != "" && kind != "part")
		wrong(name " has no semicolon at its end")
	if (kind && kind != "part" && (count == 0 || (count > 1 && \
			kind != "begin")))
		wrong(name " is not one statement")
	if (kind == "part")
		parts[name] = text
	else if (kind == "begin") {
		printf "const char *const %s_settings[] = {\n", name
		for (i = 1; i <= count; i++)
			printf "\t%s,\n", statements[i]
		print "\tNULL,\n};"
	} else if (kind == "copy" || kind == "query")
		printf "const char %s_%s[] = %s;\n", kind, name, statements[1]
	else if (kind) {
		printf "const struct statement statement_%s = {\n\t\"%s\", " \
			"%s\n};\n", name, name, statements[1]
		if (kind != "alone" && !(kind in prepared))
			order[++kinds] = kind
		prepared[kind] = prepared[kind] "\t&statement_" name ",\n"
	}
	text = ""
	count = 0
}
