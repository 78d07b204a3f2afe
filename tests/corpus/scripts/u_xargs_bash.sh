#!/bin/bash
#SBATCH -c 16
find tiles -name '*.tif' -print0 | xargs -0 -P 16 -I{} gdalwarp -t_srs EPSG:3857 -tr 10 10 {} out/{}
