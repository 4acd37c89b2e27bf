/**
 * One vLLM replica: block pool, prefix cache, scheduler and engine profiles (versions), step for step as the engine
 * itself.
 *
 * <p>{@link dev.warmroute.simulator.engine.Engine} takes the decisions, {@link
 * dev.warmroute.simulator.engine.TimedEngine} gives every step its time and runs through long stretches of decode steps
 * at once. Both are single-threaded.
 */
package dev.warmroute.simulator.engine;
