/**
 * The routing policies. A policy is pure: no clock, no I/O, no memory of its own, randomness only from the request's seed.
 * The live router and the simulator run these same classes. {@link dev.warmroute.router.policy.Policies} is the registry.
 */
package dev.warmroute.router.policy;
