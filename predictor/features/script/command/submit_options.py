#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""submit_options.py SLURM... - the lists of submit_options.c

Each SLURM is a folder with the source of a release, oldest first, or
REPOSITORY@REF.  Printed are the options of sbatch, srun and salloc of all of
them; where releases differ in whether a value may follow in the same word, it
may; that it must is never different, and stops this.  With them goes what this
file says of the order of ranks, of options that are there.  Only facts are
taken: names, letters, kinds of values, programs.

    submit_options.py slurm.git@slurm-{22.05,23.02,26.05}
"""
import re
import subprocess
import sys
import textwrap

PROGRAMS = ("sbatch", "srun", "salloc")
SOURCE = "src/common/slurm_opt.c"
# Options of srun, see submit_options.h.
STAYS = set("""
    acctg-freq bcast bcast-exclude chdir comment compress cpu-bind cpu_bind
    cpu-freq disable-status epilog error export input job-name
    kill-on-bad-exit label mem-bind mpi open-mode output profile prolog
    propagate quiet quit-on-interrupt send-libs signal task-epilog task-prolog
    time unbuffered verbose wait wait-for-children
""".split())
DECIDES = set("""
    distribution exact exclusive gpus gpus-per-node gpus-per-socket
    gpus-per-task hint ntasks-per-gpu ntasks-per-tres spread-job use-min-nodes
""".split())
VALUES = {"no_argument": "NONE", "required_argument": "ONE",
          "optional_argument": "MAYBE"}


def read_source(place):
    repository, at, ref = place.partition("@")
    if not at:
        with open(f"{place}/{SOURCE}", encoding="utf-8") as file:
            return file.read()
    return subprocess.run(["git", "-C", repository, "show", f"{ref}:{SOURCE}"],
                          check=True, capture_output=True, text=True).stdout


def read_options(source):
    """{(name, program): (letter, value)}; a row sets them by functions, for all
    programs or for each."""
    found = {}
    for block in re.findall(r"slurm_cli_opt_t slurm_opt_\w+ = \{(.*?)\n\};",
                            source, re.S):
        fields = dict(re.findall(r"\.(\w+)\s*=\s*([^,\n]+),", block))
        # One without a name is not in all builds; the first is that of ours.
        name = re.search(r'\.name\s*=\s*"([^"]+)"', block)
        letter = re.fullmatch(r"'(.)'", fields.get("val", ""))
        for program in PROGRAMS:
            if name and ("set_func" in fields or
                         f"set_func_{program}" in fields):
                found[name.group(1), program] = (
                    letter.group(1) if letter else None,
                    VALUES[fields["has_arg"]])
    return found


def merge(places):
    options = {}
    for place in places:
        for key, (letter, value) in read_options(read_source(place)).items():
            before = options.get(key, (letter, value))
            if before != (letter, value):
                if "ONE" in (before[1], value) or before[0] != letter:
                    sys.exit(f"{place}: {key} was {before}")
                value = "MAYBE"
            options[key] = (letter, value)
    return options


def print_rows(options):
    missing = (STAYS | DECIDES) - {name for name, _ in options}
    if missing:
        sys.exit(f"no release has {sorted(missing)}")
    programs_of, lists = {}, {}
    for (name, program), (letter, value) in options.items():
        option = f"{name}={letter}" if letter else name
        programs_of.setdefault((option, value), []).append(program)
    for (option, value), programs in programs_of.items():
        name = option.partition("=")[0]
        bits = ("SUBMIT_ANY" if len(programs) == len(PROGRAMS) else
                " | ".join(f"SUBMIT_{p.upper()}" for p in programs))
        if "srun" in programs and name in STAYS | DECIDES:
            bits += " | SUBMIT_" + ("STAYS" if name in STAYS else "DECIDES")
        lists.setdefault((value, bits), []).append(option)
    for (value, bits), names in sorted(lists.items()):
        text = textwrap.wrap(" ".join(sorted(names)), 66,
                             break_on_hyphens=False)
        print(f"\t{{ SUBMIT_VALUE_{value}, {bits},\n\t  \"" +
              ' "\n\t  "'.join(text) + '" },')


if len(sys.argv) < 2:
    sys.exit(__doc__)
print_rows(merge(sys.argv[1:]))
