/**
 * How much KV cache a replica has: tables of models and GPUs, bytes per block and blocks per request for every cache layout
 * vLLM has, what a card leaves for the cache, and where a capacity comes from (reported by the engine, given, or derived).
 *
 * <p>Everything here is pure; the tables are resources of this package.
 */
package dev.warmroute.simulator.kv;
