#!/bin/bash
#SBATCH --job-name="it's a \"test\""
echo 'don'\''t panic' "it is $(date '+%H:%M')" # isn't it
TITLE="a run; with & odd | chars > here"
awk 'BEGIN { print "it'\''s " 42 }' /dev/null
./"my solver" --title="$TITLE" --n=3'0'0 "--tol"=1e-3 input\ file.dat
