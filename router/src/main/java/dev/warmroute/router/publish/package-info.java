/**
 * Events to Kafka, without ever making a request wait: a bounded buffer, one thread that writes, and exact accounts of what
 * could not be written.
 */
package dev.warmroute.router.publish;
