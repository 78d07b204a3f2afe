/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_interpreters.c - commands that execute scripts
 *
 * `called` is one name for several that run the same scripts.
 */

#include "predictor/features/script/command/command_tables.h"

const struct interpreter interpreters[] = {
	{ "python pypy ipython", .called = "python",
	  .values = " W X check-hash-based-pycs ", .code = " -c - ",
	  .scripts = " -m " },
	{ "bash sh dash ksh zsh", .called = "bash",
	  .values = " O rcfile init-file ", .code = " -s -cl ",
	  .code_kind = COMMAND_CODE_SHELL },
	{ "csh tcsh", .called = "csh", .code_kind = COMMAND_CODE_SHELL },
	{ "R Rscript", .called = "R", .values = " g d ", .code = " -e ",
	  .scripts = " -f CMD BATCH ", .input = true },
	{ "julia", .values = " t threads p procs J sysimage L load C m ",
	  .code = " -e -E --eval " },
	{ "perl ruby node", .values = " I r require ",
	  .code = " -e -E -ne -pe -p " },
	{ "octave octave-cli", .called = "octave", .values = " path p ",
	  .code = " --eval ", .suffix = ".m", .code_kind = COMMAND_CODE_MATLAB,
	  .input = true },
	{ "matlab", .values = " logfile c sd licmode ", .code = " -r -batch ",
	  .suffix = ".m", .code_kind = COMMAND_CODE_MATLAB, .input = true },
	{ "java",
	  .values = " cp classpath class-path p module-path add-modules"
		    " add-opens ",
	  .scripts = " -jar -m --module " },
	{ "spark-submit",
	  .values = " master deploy-mode class name jars packages py-files"
		    " files conf properties-file driver-memory driver-cores"
		    " executor-memory executor-cores total-executor-cores"
		    " num-executors queue archives repositories " },
	{ "wolframscript wolfram math maple", .values = " c ",
	  .scripts = " -file -f -script ", .input = true },
	{ "stata stata-mp stata-se", .scripts = " do " },
	{ "nextflow", .values = " log C c config D bg ", .scripts = " run " },
	{ "sas root pvbatch pvpython",
	  .values = " log print memsize work e m " },
	{ .name = "gams ampl atkpython vtkpython mono cmsRun" },
	{ .name = "tclsh" },
	{ .name = "lua" },
	{ "sage gnuplot", .code = " -c -e " },
	{ "visit", .values = " np nn l o ", .scripts = " -s " },
	{ "dotnet streamlit", .scripts = " run exec " },
	{ "papermill", .values = " f y k p r ",
	  .pairs = " p parameters r parameters_raw " },
	{ .name = NULL },
};

const struct suffix suffixes[] = {
	{ ".py", "python" }, { ".R", "R" },       { ".r", "R" },
	{ ".jl", "julia" },  { ".pl", "perl" },   { ".sh", "bash" },
	{ ".bash", "bash" }, { ".csh", "csh" },   { ".tcsh", "csh" },
	{ ".rb", "ruby" },   { ".tcl", "tclsh" }, { ".lua", "lua" },
	{ NULL, NULL },
};
