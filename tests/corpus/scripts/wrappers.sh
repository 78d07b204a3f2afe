#!/bin/bash
/usr/bin/time -v timeout --signal=INT 3600 env OMP_NUM_THREADS=4 taskset -c 0-3 stdbuf -oL nice -n 10 ./sparse_lu --rows 20000 bcsstk18.mtx
