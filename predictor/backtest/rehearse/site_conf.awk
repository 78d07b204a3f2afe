# SPDX-License-Identifier: GPL-2.0-or-later
# site_conf.awk - what of a site's slurm.conf a rehearsal takes over
#
# Reads the lines of slurm.conf (site-conf has resolved Include), prints what
# decides which job starts where: nodes, partitions, priorities, the scheduler.
# Paths, ports, plugins, users, accounts, accounting, memory and generic
# resources go. A key that changes the schedule and cannot be had is named on
# the standard error.
BEGIN {
	# Slurm's keys that are kept as they are.
	n = split("schedulerparameters prioritytype prioritydecayhalflife " \
		"prioritymaxage priorityfavorsmall priorityflags " \
		"priorityusageresetperiod prioritycalcperiod " \
		"priorityweightage priorityweightjobsize " \
		"priorityweightpartition " \
		"overtimelimit resvoverrun " \
		"completewait nodeset", list, " ")
	for (i = 1; i <= n; i++)
		kept[list[i]] = 1
	n = split("nodeaddr nodehostname port gres state reason bcastaddr " \
		"cpuspeclist corespeccount memspeclimit", list, " ")
	for (i = 1; i <= n; i++)
		not_of_nodes[list[i]] = 1
	n = split("allowaccounts denyaccounts allowgroups allowqos denyqos " \
		"qos allocnodes rootonly reqresv defmempercpu defmempernode " \
		"maxmempercpu maxmempernode defcpupergpu defmempergpu " \
		"jobdefaults tresbillingweights cpubind", list, " ")
	for (i = 1; i <= n; i++)
		not_of_partitions[list[i]] = 1
	n = split("priorityweightfairshare priorityweightqos " \
		"priorityweightassoc priorityweighttres topologyplugin " \
		"licenses prioritysitefactorplugin", list, " ")
	for (i = 1; i <= n; i++)
		missed[list[i]] = 1
	n = split("priorityweightfairshare priorityweightqos " \
		"priorityweightassoc accountingstorageenforce", list, " ")
	for (i = 1; accounts && i <= n; i++) {
		kept[list[i]] = 1
		delete missed[list[i]]
	}
	n = split("allowaccounts denyaccounts allowqos denyqos qos", list, " ")
	for (i = 1; accounts && i <= n; i++)
		delete not_of_partitions[list[i]]
}

function key_of(word) {
	sub(/=.*/, "", word)
	return tolower(word)
}

# The words of a line but those in `without`.
function words(line, without, i, n, word, result) {
	n = split(line, word, /[ \t]+/)
	for (i = 1; i <= n; i++)
		if (word[i] != "" && !(key_of(word[i]) in without))
			result = result (result == "" ? "" : " ") word[i]
	return result
}

{
	sub(/(^|[^\\])#.*/, "")
	gsub(/^[ \t]+|[ \t\r]+$/, "")
}

/\\$/ {
	sub(/\\$/, "")
	joined = joined $0
	next
}

{
	$0 = joined $0
	joined = ""
	key = tolower($0)
	sub(/[ \t]*=.*/, "", key)
	value = $0
	sub(/^[^=]*=[ \t]*/, "", value)
}

key == "nodename" {
	print words($0, not_of_nodes) \
		(tolower($0) ~ /^nodename=default([ \t]|$)/ ? "" : \
			" NodeAddr=127.0.0.1")
	next
}

key == "partitionname" {
	print words($0, not_of_partitions)
	next
}

# Logs say little of memory.
key == "selecttypeparameters" {
	gsub(/_[Mm]emory/, "", value)
	if (tolower(value) != "cr_memory")
		print "SelectTypeParameters=" value
	next
}

# By partitions it needs no accounts; by QOS it does.
key == "preempttype" && (tolower(value) ~ /partition_prio$/ ||
		accounts && tolower(value) ~ /qos$/) {
	preempts = 1
	print
	next
}

key == "preemptmode" || key == "preemptexempttime" {
	preemption[key] = $0
	next
}

key == "preempttype" && tolower(value) !~ /none$/ {
	print "rehearse: no " $0 >"/dev/stderr"
	next
}

key in kept {
	print
	next
}

key in missed && value !~ /^(0|\(null\)|.*\/(none|default|basic))?$/ {
	print "rehearse: no " $0 >"/dev/stderr"
}

# Without a type, slurmctld refuses the mode.
END {
	for (key in preemption)
		if (preempts)
			print preemption[key]
}
