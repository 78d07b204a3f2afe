#!/bin/bash
set -eo pipefail
bcftools view -f PASS in.vcf.gz | vep --cache --offline --fork 8 --vcf -o STDOUT | bgzip -c > out.vcf.gz
