#!/usr/bin/perl -w
#SBATCH --mem=2G
use strict;
my ($in, $k) = @ARGV;
open(my $fh, '<', $in) or die "cannot open: $!";
while (<$fh>) { print if /k=$k/; }
