/** What is known of the replicas: their metrics, counter deltas, epochs, and the view of them that a policy reads. */
package dev.warmroute.router.fleet;
