/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_programs.c - programs with subcommands, and names of other kinds
 *
 * One table: a program, which of its words and options name the application
 * beside its own name, and which of its subcommands only prepare data.
 */

#include "predictor/features/script/command/command_tables.h"

const struct program programs[] = {
	{ "gmx", .variants = true,
	  .stages = " grompp pdb2gmx editconf solvate genion genbox make_ndx"
		    " insert-molecules genrestr energy trjconv rms rmsf gyrate"
		    " check dump convert-tpr tune_pme trjcat eneconv select"
		    " distance hbond sasa msd rdf cluster covar anaeig"
		    " help " },
	{ "lmp", .variants = true, .option = " in i input ", .input = true,
	  .pairs = " var v pk package " },
	{ "samtools bcftools seqkit",
	  .stages = " index faidx flagstat idxstats stats quickcheck dict"
		    " view " },
	{ "bwa", .variants = true, .stages = " index " },
	{ "gatk", .variants = true, .values = " java-options spark-runner ",
	  .stages = " CreateSequenceDictionary IndexFeatureFile " },
	{ "GenomeAnalysisTK.jar", .option = " T analysis_type " },
	{ "STAR", .option = " runMode " },
	{ "enroot sarus udocker podman-hpc nerdctl",
	  .stages = " create import remove list bundle export load version pull"
		    " images rmi rm install migrate build rmsqi " },
	{ "salmon kallisto vg diamond mmseqs",
	  .stages = " index makedb createdb createindex " },
	{ "nextflow", .stages = " pull clean log ", .values = " log " },
	{ "dask ray wandb",
	  .stages = " scheduler worker start stop status up down offline online"
		    " sync init off on disabled " },
	{ "snakemake", .module = true, .option = " allowed-rules " },
	{ "pixi", .values = " e environment " },
	{ "cargo npm go bazel mvn spack", .tool = true, .values = " e C " },
	{ "make gmake", .tool = true,
	  .stages = " all install clean build distclean depend deps lib libs"
		    " tests test check docs modules veryclean realclean config"
		    " defconfig ",
	  .values = " C f o W I directory file makefile " },
	{ "ninja", .tool = true, .values = " C f j l k " },
	{ "cmake", .tool = true, .option = " target t " },
	{ .name = "bedtools picard picard.jar snpEff.jar trimmomatic.jar rsem"
		  " cellranger spaceranger qiime anvi dx openssl comsol jupyter"
		  " vllm dvc cdo" },
	{ .name = NULL },
};

const struct command_words command_words[] = {
	{ KIND_KEYWORD, " if then elif else while until do ! { coproc " },
	/* A word of the SPANK plugin before mpirun, or nothing. */
	{ KIND_KEYWORD, " $PREDICT_IN_ORDER ${PREDICT_IN_ORDER}"
			" ${PREDICT_IN_ORDER-} ${PREDICT_IN_ORDER:-} " },
	{ KIND_NOTHING,
	  " cd export unset set module ml source . echo printf ulimit umask"
	  " shopt trap alias unalias declare typeset local readonly read return"
	  " exit break continue shift test [ [[ ]] : true false wait pwd pushd"
	  " popd dirs hash type let getopts for case select function in done fi"
	  " esac } mapfile readarray jobs disown bg fg times logout enable help"
	  " history deactivate foreach end endif endsw switch breaksw @ goto"
	  " onintr rehash limit unlimit setenv unsetenv default " },
	{ KIND_TRIVIAL,
	  " hostname date mkdir rmdir ln touch chmod chown chgrp df du free"
	  " nproc lscpu lsb_release nvidia-smi rocm-smi scontrol squeue scancel"
	  " sacct sinfo sstat sbcast sgather sprio sshare whoami id uname"
	  " uptime which whereis conda mamba micromamba pip pip3 uv git cmake"
	  " dirname basename realpath readlink seq mktemp sync kill pkill ps"
	  " top clear tput stat file mount umount ompi_info yes expr bc less"
	  " more lfs quota getconf ls cat head tail wc echo tee printenv locale"
	  " nvcc spredict mail mailx sendmail lsof numastat ibstat ldd shuf"
	  " getent hwloc-ls lstopo ip ifconfig ss netstat env tty stty cut tr"
	  " uniq rev column mv rm timedatectl logger groups truncate scp sftp"
	  " huggingface-cli hf nvidia-cuda-mps-control"
	  " nvidia-cuda-mps-server " },
	{ KIND_TOOL,
	  " sleep cp tar gzip gunzip zip unzip bzip2 bunzip2 xz unxz zstd pigz"
	  " rsync ssh find grep egrep fgrep sed awk gawk sort make gmake ninja"
	  " wget curl diff cmp md5sum sha1sum sha256sum dd split paste join"
	  " numfmt sbatch salloc spack rclone s3cmd aws gsutil azcopy globus mc"
	  " gcc g++ gfortran cc c++ clang clang++ icc icpc ifort icx ifx nvc"
	  " nvc++ nvfortran mpicc mpicxx mpic++ mpif90 mpif77 mpifort mpiicc"
	  " mpiifort mpiicpc cargo npm go mvn bazel ar ld strip tic jq git-lfs"
	  " aria2c lftp 7z zcat bcp fpart htar hsi globus-url-copy envsubst m4"
	  " configure ./configure apptainer singularity docker podman parallel"
	  " xargs poetry pixi " },
	{ KIND_STAGE,
	  " blockMesh decomposePar reconstructPar reconstructParMesh"
	  " snappyHexMesh checkMesh surfaceFeatureExtract surfaceFeatures"
	  " setFields topoSet renumberMesh potentialFoam mapFields foamToVTK"
	  " createPatch splitMeshRegions extrudeMesh transformPoints"
	  " fluentMeshToFoam changeDictionary mergeMeshes refineMesh"
	  " cartesianMesh foamListTimes foamDictionary redistributePar real.exe"
	  " ungrib.exe metgrid.exe geogrid.exe link_grib.csh ndown.exe"
	  " ideal.exe grompp pdb2gmx editconf genbox genion g_energy trjconv"
	  " tleap xleap antechamber parmchk parmchk2 cpptraj ambpdb MMPBSA.py"
	  " formchk cubegen orca_2mkl orca_plot makeblastdb bowtie-build"
	  " bowtie2-build hisat2-build fastqc multiqc trimmomatic cutadapt"
	  " fastp trim_galore bgzip tabix fasterq-dump fastq-dump prefetch"
	  " vcftools featureCounts bands.x dos.x projwfc.x plotband.x pp.x"
	  " ppacf.x average.x dynmat.x q2r.x matdyn.x open_grid.x"
	  " pw2wannier90.x wannier90.x gpmetis mpmetis partmesh xmeshfem3D"
	  " xdecompose_mesh xgenerate_databases xcreate_header_file nc-config"
	  " ncks ncrcat ncra nccopy ncdump ncap2 cdo h5dump h5repack psfgen vmd"
	  " catdcd babel obabel packmol gmsh convert magick montage dot " },
	/* environments: names of programs, and of modules of python -m */
	{ KIND_STAGE,
	  " virtualenv venv pip ensurepip conda-unpack conda-pack ipykernel"
	  " compileall nodeenv renv pipenv pdm ch-convert ch-image ch-tar2dir"
	  " ch-fromhost shifterimg skopeo buildah " },
	/* servers that a job starts beside its program */
	{ KIND_STAGE,
	  " mongod mongo mongosh redis-server redis-cli memcached mysqld"
	  " mysqld_safe mysql postgres pg_ctl initdb createdb psql"
	  " rabbitmq-server etcd zookeeper http.server lmgrd lmutil lmstat rlm"
	  " adb start_server start-master.sh start-worker.sh start-slave.sh"
	  " start-all.sh stop-all.sh dask-scheduler dask-worker tensorboard"
	  " prometheus grafana node_exporter Xvfb vncserver dcgmi orted"
	  " ipcontroller ipcluster ipengine beegfs-ctl " },
	{ .words = NULL },
};

const char stage_names[] =
	" prep prepare preparation preprocess preproc pre post postprocess"
	" postproc plot plots plotting setup init initialize convert collect"
	" collate cleanup clean archive backup download fetch check verify"
	" validate merge combine gather copy stage install compress summarize"
	" summarise summary report notify visualize visualise split extract"
	" generate gen make build compile write create draw parse format move"
	" send upload log monitor compare concat average stats ";
