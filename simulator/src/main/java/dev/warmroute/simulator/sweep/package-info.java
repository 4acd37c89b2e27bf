/**
 * Grids of scenarios: in this process, or over a Kafka share group on any number of machines. A result is a function of its
 * scenario and of the content of what is replayed, so it is the same wherever and however often it is computed.
 */
package dev.warmroute.simulator.sweep;
