#!/bin/bash
hostname
cd $HOME/fluidity && make -C build clean && make -C build -j8 && ctest --test-dir build -j 8 --output-on-failure
