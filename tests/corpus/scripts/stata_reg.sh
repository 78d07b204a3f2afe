#!/bin/bash
stata-mp -b do panel_reg.do 2015 2020
