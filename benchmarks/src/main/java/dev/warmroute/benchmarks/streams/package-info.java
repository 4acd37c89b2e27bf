/** The live side at its limits: thousands of streams at once, and days of traffic, with everything in processes of its own. */
package dev.warmroute.benchmarks.streams;
