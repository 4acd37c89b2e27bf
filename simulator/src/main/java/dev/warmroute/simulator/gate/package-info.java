/**
 * The gate in front of a router: assertions about a policy on a trace, whether they hold, and how sure that is. Pure; who
 * computes the what-if and hands the policy over is elsewhere.
 */
package dev.warmroute.simulator.gate;
