#!/bin/bash
#SBATCH --mem=20g
java -Xmx16g -Djava.io.tmpdir=$TMPDIR -jar $EBROOTPICARD/picard.jar MarkDuplicates I=s17.bam O=s17.dedup.bam M=s17.txt MAX_RECORDS_IN_RAM=500000
