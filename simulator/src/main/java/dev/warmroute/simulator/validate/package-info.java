/** This simulator against recordings of the real engine: step by step decisions of vLLM's own scheduler. */
package dev.warmroute.simulator.validate;
