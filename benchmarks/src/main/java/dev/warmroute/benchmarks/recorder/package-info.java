/** How fast decisions are recorded from Kafka and read back, with everything in a process of its own. */
package dev.warmroute.benchmarks.recorder;
