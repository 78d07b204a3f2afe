#!/bin/bash
module load mathematica/13
wolframscript -file integrals.wls 250 8
