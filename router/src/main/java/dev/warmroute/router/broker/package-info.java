/**
 * A real Kafka broker inside this process, for installations without a cluster and for tests. Kafka's server classes are
 * used by {@link dev.warmroute.router.broker.EmbeddedBroker} and nowhere else.
 */
package dev.warmroute.router.broker;
