#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_missed.sh - a job that is submitted while predictd is down loses the
# advice only: its run counts for the application of its script, and is counted
#
# usage: test_missed.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_missed.sh BUILD}")
dir=$build/missed
failed=0

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 1 --cap 0
# shellcheck disable=SC1091
. "$dir/settings"

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@"; }

# same NAME EXPECTED GOT
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok missed_$1"
	else
		echo "not ok missed_$1 - $3 instead of $2"
		failed=1
	fi
}

# ended ID: predictd's reply, once the job has ended
ended() {
	local reply

	for _ in {1..150}; do
		reply=$("$stack" get "$dir" "/v1/jobs/$1" 2>/dev/null) ||
			reply='{}'
		[[ $(jq -r '.job.state // ""' <<<"$reply") != COMPLETED ]] ||
			break
		sleep 0.2
	done
	echo "$reply"
}

what() {
	jq -c '[.job.application, (.job.parameters | to_entries
		| map("\(.key)=\(.value)") | sort)]' <<<"$1"
}

mkdir "$dir/bin"
printf '#!/bin/sh\nsleep 1\n' >"$dir/bin/heat2d"
chmod -R 755 "$dir/bin"
cat >"$dir/job.sh" <<-END
	#!/bin/bash
	$dir/bin/heat2d -m 7 -n "\$1"
END
words=(--parsable -o /dev/null --predict-param=cells=30 "$dir/job.sh" 500)

id=$(on sbatch "${words[@]}" 2>/dev/null | tail -n 1)
predicted=$(what "$(ended "$id")")
"$stack" kill "$dir" predictd
id=$(on sbatch "${words[@]}" 2>/dev/null | tail -n 1)
same comment predict=missed \
	"$(on scontrol show job "$id" | sed -n 's/.*AdminComment=\([^ ]*\).*/\1/p')"
sleep 2
"$stack" start "$dir" predictd
"$stack" wait "$dir"
same application "$predicted" "$(what "$(ended "$id")")"
[[ $predicted == *heat2d*cells=30* ]] && named=yes || named=no
same named yes "$named"
same metric 1 "$("$stack" get "$dir" /metrics |
	sed -n 's/^slurm_predict_missed_total{.*} //p')"
same logged 1 "$(grep -c 'jobs submitted without a prediction: 1' \
	"$dir/cluster/log/slurmctld.log")"
exit $failed
