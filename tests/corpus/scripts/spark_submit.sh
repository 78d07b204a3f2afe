#!/bin/bash
#SBATCH -N 4
spark-submit --master spark://$MASTER:7077 --executor-memory 16G --total-executor-cores 96 --conf spark.sql.shuffle.partitions=400 wordcount.py /data/corpus 200
