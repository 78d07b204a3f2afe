# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# root.bash - a new Debian system below $fresh/root, with the last commit
#
# Debian 12 (bookworm), or the release in $DEBIAN, also one that is in testing.

DEBIAN=${DEBIAN:-bookworm}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

say() {
	printf '[%5ds] %s\n' "$SECONDS" "$*"
}

# root_make FRESH [PACKAGE...]: make it, with these packages besides make, git
# and the certificates; sets $root.  The archive is the one that this machine's
# apt uses for Debian 12.
root_make() {
	local fresh=$1 archive file keyring source_dir
	local packages=make,git,ca-certificates
	local script=/usr/share/debootstrap/scripts/$DEBIAN

	shift
	root=$fresh/root
	for package; do packages+=,$package; done
	source_dir=$(git rev-parse --show-toplevel)
	# shellcheck disable=SC2016  # apt expands these, not the shell
	archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' \
		'Created-By: Packages' |
		awk '$2 == "bookworm" { print $1; exit }')
	[ -n "$archive" ] || die "this machine's apt has no archive of Debian 12"
	rm -rf "$root"
	# debootstrap may be older than the release.
	[ -e "$script" ] || script=${script%/*}/sid
	say "debootstrap of $DEBIAN"
	debootstrap --variant=minbase --include="$packages" \
		"$DEBIAN" "$root" "$archive" "$script" >"$fresh/debootstrap.log" 2>&1 ||
		{ tail -20 "$fresh/debootstrap.log" >&2; die "debootstrap failed"; }
	rm -rf "$root/etc/apt"
	cp -a /etc/apt "$root/etc/apt"
	# Settings, not the files of packages: dpkg would ask which to keep.
	for file in /etc/apt/apt.conf.d/*; do
		! dpkg -S "$file" >/dev/null 2>&1 || rm -f "$root$file"
	done
	[ "$DEBIAN" = bookworm ] || {
		rm -rf "$root"/etc/apt/{sources.list,sources.list.d/*,preferences.d/*}
		echo "deb $archive $DEBIAN main" >"$root/etc/apt/sources.list"
	}
	for keyring in /usr/share/keyrings/*debian*; do
		cp -n "$keyring" "$root/usr/share/keyrings/"
	done
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	cp -L /etc/hosts "$root/etc/hosts"
	say "clone of $(git -C "$source_dir" describe --always --dirty)"
	git clone --quiet --no-hardlinks "$source_dir" "$root/root/slurm-predict"
}

# root_run [--net] COMMAND...: in it, in the source's folder, with processes and
# mounts of its own: whatever is started in there ends, and is unmounted, with
# the command.  --net: also with a network of its own, where only the loopback
# is.
root_run() {
	local net=()

	[ "$1" != --net ] || { net=(--net) && shift; }
	# shellcheck disable=SC2016 # expanded inside
	unshare --mount --pid --ipc --uts ${net[@]+"${net[@]}"} --fork \
		--kill-child /bin/bash -euc '
		root=$1
		shift
		mount --make-rprivate /
		mount --bind "$root" "$root"
		mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		mount -t proc proc "$root/proc"
		mount -t tmpfs tmpfs "$root/dev/shm"
		mount -t tmpfs tmpfs "$root/run"
		mount -t tmpfs tmpfs "$root/tmp"
		exec chroot "$root" /usr/bin/env -i -C /root/slurm-predict \
			HOME=/root TERM=dumb LANG=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			"$@"' root_run "$root" "$@" </dev/null
}

# The control groups of root_boot $$, where this machine has them: one
# hierarchy, or those of version 1 with version 2 beside them.
boot_groups() {
	local folder

	for folder in /sys/fs/cgroup /sys/fs/cgroup/{unified,systemd}; do
		[ ! -e "$folder/cgroup.procs" ] ||
			echo "$folder/slurm-predict-$$"
	done
}

# root_boot COMMAND: boot its systemd as in a container, with a network of its
# own that has only the loopback, and run COMMAND of the source's folder there
# as a unit, for ten minutes at most; fails as it does.  What it printed is in
# $root/root/boot.out, what systemd logged in $root/root/boot.log.
root_boot() {
	local status=0 group

	cat >"$root/etc/systemd/system/command.service" <<-END
	[Unit]
	SuccessAction=exit-force
	FailureAction=exit-force
	After=multi-user.target
	[Service]
	Type=oneshot
	ExecStart=/root/slurm-predict/$1
	TimeoutStartSec=600
	WorkingDirectory=/root/slurm-predict
	Environment=HOME=/root LANG=C.UTF-8 TERM=dumb
	StandardOutput=file:/root/boot.out
	StandardError=inherit
	[Install]
	WantedBy=default.target
	END
	root_run systemctl -q enable command.service
	boot_groups | xargs -r mkdir
	# shellcheck disable=SC2016 # expanded inside
	bash -euc '
		for group in $2; do
			echo $$ >"$group/cgroup.procs"
		done
		exec timeout -k 5 660 unshare --mount --pid --ipc --uts --net \
			--cgroup --fork --kill-child "$0" "$1"
	' "${BASH_SOURCE[0]%/*}/boot" "$root" "$(boot_groups)" \
		>"$root/root/boot.log" 2>&1 </dev/null || status=$?
	for group in $(boot_groups); do
		find "$group" -depth -type d -exec rmdir {} + || :
	done
	return "$status"
}
