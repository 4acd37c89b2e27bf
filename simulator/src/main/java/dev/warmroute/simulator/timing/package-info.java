/**
 * How long an engine step takes: step-time laws, the presets with their sources, and the delay in front of the engine.
 *
 * <p>Everything here is pure. Times are {@code long} nanoseconds; laws count in integer picoseconds inside, so that many
 * decode steps advanced at once take exactly as long as the same steps one by one.
 */
package dev.warmroute.simulator.timing;
