# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# accounting.bash - a slurmdbd with a site's associations, for one rehearsal
#
# slurmctld has shares, and priorities and limits of QOS, from slurmdbd only.
# This one has a MariaDB of its own in memory, and sees the machine's clock:
# what it stores is of no use, only what slurmctld was told by it at its start.
# Source it in the namespaces of a rehearsal; the users must be in /etc/passwd,
# or associations have none.

accounting_port=26819
accounting_mysql_port=26820

# What slurm.conf needs.
accounting_conf() {
	cat <<-END
	AccountingStorageType=accounting_storage/slurmdbd
	AccountingStorageHost=127.0.0.1
	AccountingStoragePort=$accounting_port
	END
}

accounting_wait() { # COMMAND...
	for _ in {1..600}; do
		"$@" >/dev/null 2>&1 && return
		sleep .1
	done
	return 1
}

accounting_sql() { # FOLDER SQL
	mariadb --no-defaults -S "$1/mysql/socket" -u root -e "$2"
}

# mariadb_start FOLDER TEMPLATE: an empty one; TEMPLATE is made at the
# first time
mariadb_start() {
	local options=(--no-defaults --innodb-log-file-size=8M
		--innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900)

	[[ -e $2 ]] || {
		mariadb-install-db "${options[@]}" --datadir="$2" --user=root \
			--auth-root-authentication-method=normal \
			--skip-test-db >"$1/mysql.log" 2>&1 || return 1
	}
	mkdir "$1/mysql"
	mount -t tmpfs rehearse "$1/mysql"
	cp -r "$2" "$1/mysql/data"
	mariadbd "${options[@]}" --datadir="$1/mysql/data" --user=root \
		--socket="$1/mysql/socket" --bind-address=127.0.0.1 \
		--port="$accounting_mysql_port" >>"$1/mysql.log" 2>&1 &
	accounting_wait accounting_sql "$1" 'SELECT 1' || return 1
	accounting_sql "$1" "
		CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'rehearse';
		GRANT ALL ON *.* TO slurm@'127.0.0.1';
		CREATE USER slurm@localhost IDENTIFIED BY 'rehearse';
		GRANT ALL ON *.* TO slurm@localhost"
}

# slurmdbd_start FOLDER
slurmdbd_start() {
	cat >"$1/slurmdbd.conf" <<-END
	AuthType=auth/none
	DbdHost=localhost
	DbdAddr=127.0.0.1
	DbdPort=$accounting_port
	SlurmUser=root
	LogFile=$1/slurmdbd.log
	PidFile=$1/slurmdbd.pid
	StorageType=accounting_storage/mysql
	StorageHost=127.0.0.1
	StoragePort=$accounting_mysql_port
	StorageUser=slurm
	StoragePass=rehearse
	StorageLoc=rehearsal
	END
	chmod 600 "$1/slurmdbd.conf"
	slurmdbd -D >"$1/slurmdbd.out" 2>&1 &
	accounting_wait sacctmgr -n show cluster
}

# Of memory and generic resources, which a rehearsal has not, no limits
# are kept.
accounting_limits() {
	local tres='mem|node_features|bb|billing|energy|pages|vmem|fs/[^=]*'

	tres+='|gres/[^=]*|license/[^=]*'
	sed -E "s#(^|[=:,|])($tres)=[0-9.]+[KMGTP]?#\\1#g"'
		:again
		s/,,/,/g; s/([=:|]),/\1/g; s/,([:|]|$)/\1/g; t again
		s/:[A-Za-z]+=(:|$)/\1/g; t again'
}

# qos_load FILE: what `sacctmgr -P show qos` printed
qos_load() {
	accounting_limits <"$1" | awk -F '|' '
		# It is shown as [D-]HH:MM:SS, and set in seconds.
		function grace(text, n, part) {
			n = split(text, part, /[-:]/)
			if (n < 3)
				return ""
			part[0] = n > 3 ? part[1] : 0
			n = ((part[0] * 24 + part[n > 3 ? 2 : 1]) * 60 + \
				part[n > 3 ? 3 : 2]) * 60 + part[n]
			return n ? "\tgracetime=" n : ""
		}
		NR == 1 {
			for (i = 1; i <= NF; i++)
				name[i] = tolower($i)
			kept = " priority usagefactor usagethres flags " \
				"grptres grpjobs grpsubmit grptresmins " \
				"grptresrunmins " \
				"maxtres maxwall maxtrespu maxjobspu " \
				"maxsubmitpu maxtrespa maxjobspa maxsubmitpa " \
				"mintres preemptmode "
			next
		}
		{
			at = values = preempt = ""
			for (i = 1; i <= NF; i++) {
				if (name[i] == "name")
					at = $i
				else if (name[i] == "preempt")
					preempt = $i
				else if (name[i] == "gracetime")
					values = values grace($i)
				else if ($i != "" && $i != "cluster" &&
					 index(kept, " " name[i] " "))
					values = values "\t" name[i] "=" $i
			}
			if (at !~ /^[A-Za-z0-9_.@-]+$/)
				next
			print "add\t" at
			if (values)
				print "modify\t" at values
			# Of others that may come later.
			if (preempt)
				last[++n] = "modify\t" at "\tpreempt=" preempt
		}
		END {
			for (i = 1; i <= n; i++)
				print last[i]
		}' | while IFS=$'\t' read -r -a word; do
		case ${word[0]} in
		add)
			[[ ${word[1]} == normal ]] ||
				sacctmgr -i add qos "${word[1]}" ;;
		modify)
			sacctmgr -i modify qos "${word[1]}" set \
				"${word[@]:2}" ;;
		esac </dev/null || echo "QOS ${word[1]}: ${word[*]:2}" \
			"is refused" >&2
	done
}

# accounting_start FOLDER TEMPLATE ASSOCIATIONS QOS: the files that `sacctmgr
# dump` and `sacctmgr -P show qos` wrote; QOS may be empty
accounting_start() {
	mariadb_start "$1" "$2" || {
		echo "MariaDB did not start: $1/mysql.log" >&2
		return 1
	}
	slurmdbd_start "$1" || {
		echo "slurmdbd did not start:" >&2
		tail -n 3 "$1/slurmdbd.out" >&2
		return 1
	}
	[[ -z $4 ]] || qos_load "$4" >"$1/qos.out"
	accounting_limits <"$3" >"$1/associations"
	sacctmgr -i load file="$1/associations" cluster=rehearsal \
		>"$1/associations.out" 2>&1 || {
		echo "sacctmgr refuses the associations:" >&2
		tail -n 3 "$1/associations.out" >&2
		return 1
	}
}
