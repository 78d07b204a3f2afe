#!/bin/bash
rsync -a --delete /home/lab/data/ /archive/lab/data_2023/
