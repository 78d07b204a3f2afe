# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# json_paths.bash - whether replies still have the members of an older release
#
# tests/corpus/json_0_1/NAME.paths lists the members of a reply, each a path and
# the type of its value, as in ".nodes[].cpu_load number".  They were recorded
# from version 0.1 by RECORD_JSON=yes and are not changed: members may be added,
# none may go, move, or get another type.  A value that is not known is null,
# which goes with each type.
# The test sets $here and reads $failed.
# shellcheck disable=SC2034,SC2154

json_paths_folder=$here/../corpus/json_0_1

# json_paths: of the reply on the standard input
json_paths() {
	jq -r 'paths as $p | [($p | map(if type == "number" then "[]"
		else "." + . end) | add), (getpath($p) | type)] | join(" ")' |
		LC_ALL=C sort -u
}

# json_lost NAME: print what is recorded and was not found on the input
json_lost() {
	awk 'NR == FNR {
		found[$1] = 1
		type[$1, $2] = 1
		next
	}
	!($1 in found) { print $1, "is missing"; next }
	$2 != "null" && !(($1, $2) in type) && !(($1, "null") in type) {
		print $1, "is no", $2
	}' - "$json_paths_folder/$1.paths"
}

# json_kept NAME COMMAND...: what the command prints has the members of NAME
json_kept() {
	local name=$1 paths lost

	paths=$({ "${@:2}" 2>/dev/null || :; } | json_paths) || :
	if [[ -n ${RECORD_JSON-} ]]; then
		mkdir -p "$json_paths_folder"
		printf '%s\n' "$paths" >"$json_paths_folder/$name.paths"
	fi
	lost=$(json_lost "$name" <<<"$paths")
	if [[ -n $paths && -z $lost ]]; then
		echo "ok json_kept_$name"
	else
		echo "not ok json_kept_$name"
		failed=1
		printf '# %s\n' "${lost//$'\n'/$'\n# '}"
	fi
}
