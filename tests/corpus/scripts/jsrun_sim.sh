#!/bin/bash
jsrun -n 12 -r 6 -a 1 -c 7 -g 1 --smpiargs="-gpu" ./xgc-es --picsteps 300
