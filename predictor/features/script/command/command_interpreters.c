/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_interpreters.c - commands that execute scripts
 *
 * `called` is one name for several that run the same scripts.
 */
#include <stddef.h>

#include "predictor/features/script/command/command_tables.h"

const struct interpreter interpreters[] = {
	{ "python pypy ipython", .called = "python",
	  .values = " -W -X --check-hash-based-pycs ", .code = " -c - ",
	  .scripts = " -m " },
	{ "bash sh dash ksh zsh", .called = "bash",
	  .values = " -O --rcfile --init-file ", .code = " -s -cl ",
	  .code_kind = COMMAND_CODE_SHELL },
	{ "csh tcsh", .called = "csh", .code_kind = COMMAND_CODE_SHELL },
	{ "Rscript", .called = "R", .code = " -e " },
	{ "R", .values = " -g -d ", .code = " -e ", .scripts = " -f CMD BATCH ",
	  .input = true },
	{ "julia",
	  .values = " -t --threads -p --procs -J --sysimage -L --load -C -m ",
	  .code = " -e -E --eval " },
	{ "perl", .values = " -I ", .code = " -e -E -ne -pe " },
	{ "ruby", .values = " -I -r ", .code = " -e " },
	{ "octave octave-cli", .called = "octave", .values = " --path -p ",
	  .code = " --eval ", .suffix = ".m", .code_kind = COMMAND_CODE_MATLAB,
	  .input = true },
	{ "matlab", .values = " -logfile -c -sd -licmode ",
	  .code = " -r -batch ", .suffix = ".m",
	  .code_kind = COMMAND_CODE_MATLAB, .input = true },
	{ "node", .values = " -r --require ", .code = " -e -p " },
	{ "java",
	  .values = " -cp -classpath --class-path -p --module-path"
		    " --add-modules --add-opens ",
	  .scripts = " -jar -m --module " },
	{ "spark-submit",
	  .values = " --master --deploy-mode --class --name --jars --packages"
		    " --py-files --files --conf --properties-file"
		    " --driver-memory --driver-cores --executor-memory"
		    " --executor-cores --total-executor-cores --num-executors"
		    " --queue --archives --repositories " },
	{ "wolframscript wolfram math", .scripts = " -file -f -script ",
	  .input = true },
	{ "stata", .scripts = " do " },
	{ "stata-mp", .scripts = " do " },
	{ "stata-se", .scripts = " do " },
	{ "sas", .values = " -log -print -memsize -work " },
	{ "nextflow", .values = " -log -C -c -config -D -bg ",
	  .scripts = " run " },
	{ "gnuplot", .code = " -e " },
	{ "pvbatch pvpython", .values = " -m " },
	{ .name = "gams ampl atkpython vtkpython mono cmsRun" },
	{ .name = "tclsh" },
	{ .name = "lua" },
	{ "sage", .code = " -c " },
	{ "visit", .values = " -np -nn -l -o ", .scripts = " -s " },
	{ "dotnet", .scripts = " run exec " },
	{ "php", .scripts = " -f " },
	{ "maple", .values = " -c ", .input = true },
	{ "root", .values = " -e " },
	{ "papermill", .values = " -f -y -k -p -r ",
	  .pairs = " -p --parameters -r --parameters_raw " },
	{ "streamlit", .scripts = " run " },
	{ "ansible-playbook", .values = " -i -l -e " },
	{ .name = NULL },
};

const struct suffix suffixes[] = {
	{ ".py", "python" }, { ".R", "R" },       { ".r", "R" },
	{ ".jl", "julia" },  { ".pl", "perl" },   { ".sh", "bash" },
	{ ".bash", "bash" }, { ".csh", "csh" },   { ".tcsh", "csh" },
	{ ".rb", "ruby" },   { ".tcl", "tclsh" }, { ".lua", "lua" },
	{ NULL, NULL },
};
