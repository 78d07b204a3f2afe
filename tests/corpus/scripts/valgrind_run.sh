#!/bin/bash
xvfb-run -a -s "-screen 0 1280x1024x24" valgrind --tool=massif --time-unit=B ./mesher --cells 50000 part.step
