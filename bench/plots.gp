# SPDX-License-Identifier: BSD-3-Clause
# Draws the CSV files of softdpu_sweep as SVG beside them:  gnuplot -c bench/plots.gp DIRECTORY [SWEEP...]
set datafile separator comma
set datafile missing ""
set terminal svg size 760,420 font "sans-serif,13" background rgb "white" linewidth 1.4
set key inside right bottom Left reverse samplen 3 opaque
set border 3
set tics nomirror out
set grid xtics ytics linecolor rgb "#dddddd"
set logscale x 2
set logscale y 10
set style line 1 linecolor rgb "#0b5fa5" pointtype 7 pointsize 0.5
set style line 2 linecolor rgb "#d1651c" pointtype 5 pointsize 0.5
set style line 3 linecolor rgb "#3a8f3a" pointtype 9 pointsize 0.6
set style line 4 linecolor rgb "#777777" dashtype 2
set style line 5 linecolor rgb "#bbbbbb" dashtype 4

# Ours are the first `own` curves; limits of the machine follow, dashed.
draw = 'plot for [i=1:own] csv using 1:(column(i+1)) with linespoints linestyle i title columnhead(i+1), \
  for [i=1:limits] csv using 1:(column(own+i+1)) with lines linestyle 3+i title columnhead(own+i+1)'
open = 'csv = ARG1."/".name.".csv"; set output ARG1."/".name.".svg"; set title what'

wanted(name) = ARGC < 2 ? 1 : ARG2 eq name || ARG3 eq name || ARG4 eq name || ARG5 eq name || ARG6 eq name

if (wanted("size")) {
  name = "size"; what = "Bandwidth of one connection against the size of a message"; own = 3; limits = 2
  @open
  set xlabel "bytes in a message"
  set ylabel "GB/s"
  set xtics ("8" 8, "64" 64, "512" 512, "4 Ki" 4096, "32 Ki" 32768, "256 Ki" 262144, "2 Mi" 2097152, "16 Mi" 16777216, "64 Mi" 67108864)
  @draw
}
set xtics autofreq
set ylabel "million messages a second, 64 B"
set yrange [0.1:*]
if (wanted("connections")) {
  name = "connections"; what = "Rate against the number of connections"; own = 2; limits = 1
  @open
  set xlabel "connections to one server, on one thread"
  @draw
}
if (wanted("consumers")) {
  name = "consumers"; what = "Rate against the number of consumers"; own = 1; limits = 1
  @open
  set xlabel "consumers on one connection"
  @draw
}
if (wanted("threads")) {
  name = "threads"; what = "Rate of all pairs of threads together"; own = 1; limits = 1
  @open
  set xlabel "pairs of threads, each pair with a connection of its own"
  pairs = system("nproc") / 2
  if (pairs >= 1) {
    set arrow 1 from pairs, graph 0 to pairs, graph 1 nohead dashtype 3
    set label 1 "  beyond it they share cores" at pairs, graph 0.55
  }
  @draw
  unset arrow 1
  unset label 1
}
if (wanted("depth")) {
  name = "depth"; what = "Rate against the number of messages under way"; own = 2; limits = 1
  @open
  set xlabel "messages under way"
  @draw
}
