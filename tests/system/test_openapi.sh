#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_openapi.sh - a predictd does what the examples of openapi.json say, and
# /v1 still has what it had
#
# usage: test_openapi.sh [BUILD]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=openapi
# shellcheck source=predictd.bash
. "$here/predictd.bash"

begin
cd "$top"
write_conf predictd
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
start predictd
predictd=$started
check ready "not ready" until_true 60 is_ready
python3 tests/system/openapi_examples.py "$run/predictd.sock" || failed=1
python3 tests/system/openapi_members.py >"$body" || :
check kept "members of /v1 are gone: $(head -n 3 "$body")" test ! -s "$body"
exit $failed
