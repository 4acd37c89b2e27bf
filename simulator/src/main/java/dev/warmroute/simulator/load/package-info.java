/**
 * Drivers that put load on any OpenAI-compatible endpoint over HTTP: a router, a real vLLM, or a stand-in replica.
 *
 * <p>{@link dev.warmroute.simulator.load.AgentLoad} runs closed-loop agent sessions. What a session says and how long it
 * pauses follows from a seed alone, so that two arms of a comparison get the same work.
 */
package dev.warmroute.simulator.load;
