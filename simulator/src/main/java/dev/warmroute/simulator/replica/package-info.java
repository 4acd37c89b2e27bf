/**
 * A stand-in vLLM replica: the simulator's engine in real (or scaled) time behind vLLM's HTTP API and {@code /metrics}.
 *
 * <p>{@link dev.warmroute.simulator.replica.StandInReplica} is the server. Its tokenizer, its words and its step times are
 * made up; its scheduling, its prefix cache, its counters and the bytes on its wire are those of vLLM.
 */
package dev.warmroute.simulator.replica;
