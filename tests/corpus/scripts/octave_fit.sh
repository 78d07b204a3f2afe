#!/bin/bash
octave --no-gui --eval "fit_model(12, 0.5)"
