/** A fleet of simulated replicas behind a routing policy, in simulated time: the discrete-event core and its workloads. */
package dev.warmroute.simulator.replay;
