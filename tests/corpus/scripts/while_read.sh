#!/bin/bash
while read -r lat lon; do
	./raytrace --lat "$lat" --lon "$lon" --rays 100000
done < stations.txt
