/** Do these sessions fit this cache: the rule, the reuse-distance curve, and one simulated check. */
package dev.warmroute.simulator.capacity;
