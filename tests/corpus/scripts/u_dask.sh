#!/bin/bash
#SBATCH -n 1 -c 4
set -o pipefail
cd /project/climate || exit 1
python - <<'PY'
import xarray as xr
chunk = 100
ds = xr.open_mfdataset("*.nc", chunks=chunk)
ds.mean("time").to_netcdf("mean.nc")
PY
