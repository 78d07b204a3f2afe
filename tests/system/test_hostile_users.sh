#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_hostile_users.sh - whatever users try on predictd, slurmctld is served
#
# Runs alone: it judges how soon slurmctld is served.
# Runs long: each attack goes on for a second, between two quiet ones.
#
# usage: test_hostile_users.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)

exec "$here/../hostile/check-hostile" --short "${1:-build}"
