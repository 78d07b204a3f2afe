#!/bin/bash
if [ -f checkpoint.h5 ]; then
    srun ./nektar --restart checkpoint.h5 --steps 50000
else
    srun ./nektar --steps 50000
fi
